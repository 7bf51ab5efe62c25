"""Conversations that a person of the tenant's takes over: what they are told, and how. Plain."""
