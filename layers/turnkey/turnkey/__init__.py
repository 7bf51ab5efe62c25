"""What the platform knows. One folder an idea; its face is the folder's `__init__.py`.

Rules (plain functions on plain values) import no boto3, no Powertools, no openai, no mcp. What touches the world is an
adapter beside them: `store`, `models`, `mcp.connection`, `channels`.
"""
