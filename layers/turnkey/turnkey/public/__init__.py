"""Public sources: searching the web through a provider, and reading its pages. What a page says is strangers' words."""
