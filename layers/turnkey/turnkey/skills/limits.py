"""How large skills may be."""

BODY_TOKENS = 8_000
"""Estimated, of one skill's instructions: the convention recommends 5,000, and a turn carries them whole."""
RECOMMENDED_TOKENS = 5_000
SKILL_BYTES = 256_000
"""Of one skill, all its files together, in UTF-8: however badly they compress, they fit into a row."""
ALL_BYTES = 2_500_000
"""Of a manifest's skills together: a Lambda function takes 6 MB in one request, with JSON's escapes."""
FILES = 100
SKILLS = 50
"""Of a tenant."""
PATH_CHARACTERS = 200
DEPTH = 8
"""Folders within folders."""
FRONT_MATTER_CHARACTERS = 16_000
