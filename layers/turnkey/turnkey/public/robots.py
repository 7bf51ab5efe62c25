"""What a site allows robots (RFC 9309), by its robots.txt."""

from urllib.parse import urlsplit

from turnkey.values import Value

AGENT = "Turnkey"
USER_AGENT = f"{AGENT}/1.0 (reads single pages that a question is about)"
MOST_BYTES = 512 * 1024
"""Read of a robots.txt; the RFC asks for at least 500 KiB."""
SECONDS = 4.0


class Robots(Value):
    """A site's robots.txt. `verdict` decides where it is not there to be read."""

    verdict: str = "rules"
    """"rules": `text` has them. "all": everything is allowed. "none": nothing is."""
    text: str = ""

    def allow(self, url: str) -> bool:
        if self.verdict != "rules":
            return self.verdict == "all"
        # In the layer of the function that reads pages alone.
        from protego import Protego

        return bool(Protego.parse(self.text).can_fetch(url, AGENT))


def place(url: str) -> str:
    """Where the robots.txt of the page's site is."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}/robots.txt"


def without_file(reason: str, status: int) -> Robots:
    """Section 2.3.1: there is none, so all is allowed (4xx); it cannot be reached, so nothing is."""
    there_is_none = reason == "status" and 400 <= status < 500 and status != 429
    # A page in its place says as little as none.
    return Robots(verdict="all" if there_is_none or reason == "media_type" else "none")
