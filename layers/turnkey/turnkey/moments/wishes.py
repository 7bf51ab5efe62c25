"""A time zone that customers say is theirs."""


def wish(text: str, language: str) -> str:
    """The IANA zone that the customer says they are in ("I'm in Tokyo", "my time zone is CET", "我在东京"); "" where they
    say none."""
    return ""
