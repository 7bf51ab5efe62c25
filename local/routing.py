"""Finds the route of a request as an HTTP API does."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from local.deployment import Route

_VARIABLE = re.compile(r"\{(\w+)(\+?)\}")


@dataclass(frozen=True)
class Match:
    """A route and what its path template's variables stand for in a request."""

    route: Route
    parameters: Mapping[str, str]


class Routes:
    """The routes of an HTTP API, most specific first: exact paths, variables, `{proxy+}`, `$default`."""

    def __init__(self, routes: Iterable[Route]) -> None:
        self._routes = [(_pattern(route.path), route) for route in sorted(routes, key=_specificity)]

    def match(self, method: str, path: str) -> Match | None:
        """The route of a request; `path` has its percent-escapes decoded."""
        for pattern, route in self._routes:
            found = pattern.fullmatch(path)
            if found and route.method in (method, "ANY"):
                return Match(route, found.groupdict())
        return None


def _pattern(path: str) -> re.Pattern[str]:
    if path == "$default":
        return re.compile(".*", re.DOTALL)
    pattern, end = "", 0
    for variable in _VARIABLE.finditer(path):
        name, greedy = variable.groups()
        pattern += re.escape(path[end : variable.start()]) + f"(?P<{name}>{'.+' if greedy else '[^/]+'})"
        end = variable.end()
    return re.compile(pattern + re.escape(path[end:]), re.DOTALL)


def _specificity(route: Route) -> tuple[bool, bool, int, bool]:
    variables = _VARIABLE.findall(route.path)
    greedy = any(plus for _, plus in variables)
    return route.path == "$default", greedy, len(variables), route.method == "ANY"
