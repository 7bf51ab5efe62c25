"""The reply: rebuilt clean, in the customer's language, checked before it is sent."""
