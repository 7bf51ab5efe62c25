"""Tenants: their settings, the manifest that writes them, and applying it."""
