"""Time zones named in words: "3pm Tokyo time", "UTC+3", "PST"."""


def named_zone(text: str) -> tuple[str, str]:
    """The text without the zone that it names, and that zone; "" where it names none."""
    return text, ""
