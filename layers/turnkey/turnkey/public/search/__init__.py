"""The search providers there are, by the name that a manifest gives: one module each."""

from turnkey.public.providers import Provider
from turnkey.public.search import brave, searxng, tavily

PROVIDERS: dict[str, Provider] = {
    "searxng": searxng.Provider(),
    "brave": brave.Provider(),
    "tavily": tavily.Provider(),
}
