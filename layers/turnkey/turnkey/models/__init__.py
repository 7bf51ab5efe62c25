"""Model endpoints. Values and resolution here are plain; `openai_endpoint` is the one adapter, imported when used."""
