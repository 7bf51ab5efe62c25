"""Whatever a process remembers from one run to the next is listed here, with why no tenant meets another's in it.

A cache that is not listed fails, and so does a listing that is no cache any more.
"""

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

LAYER = Path("layers/turnkey/turnkey")
# Plain rules: what a function of theirs remembers is its answer to its whole input, the same for whoever asks.
RULES = (
    "asks/",
    "contacts/",
    "deliverables/",
    "detection/",
    "loop/",
    "moments/",
    "reading/",
    "reply/",
    "schedules/",
    "hidden.py",
    "mcp/instructions.py",
)
_CACHING = {"cache", "lru_cache"}
_CONTAINERS = {"dict", "set", "list", "OrderedDict", "defaultdict", "deque", "Counter", "WeakKeyDictionary"}
_CHANGING = {
    "add",
    "append",
    "appendleft",
    "extend",
    "insert",
    "pop",
    "popitem",
    "setdefault",
    "update",
    "clear",
    "discard",
}

BY_TENANT = {
    "mcp/breaker.py: Breaker._circuits": "the key begins with the tenant (mcp/connection.py)",
    "mcp/connection.py: breaker": "see Breaker",
    "models/openai_endpoint.py: _without_schemas": "the key begins with the tenant",
    "store/credentials.py: TenantSessions._kept": "by tenant",
    "store/functions.py: RefreshRequests._asked": "by tenant and server",
    "store/registrations.py: kept": "by table, tenant and server",
    "store/secrets.py: SecretStore._cache": "by the tenant that is acted for, and the secret",
    "store/tokens.py: TokenStore._cache": "by the grant, of which the tenant is part",
    "turn/toolsets.py: _kept": "by tenant, and by registrations that it holds on to",
    "warm.py: Warm._kept": "by whatever key its owner gives: store/registrations.py and turn/toolsets.py above",
}
OF_NOBODY = {
    "channels/__init__.py: find": "channels, by their names: they keep nothing",
    "channels/__init__.py: kinds": "the files of the folder",
    "models/resolve.py: _keys": "the platform's model key, asked for and kept for no tenant",
    "network/client.py: _ssl_context": "the certificates of the machine",
    "store/clients.py: awslambda": "the client asks for the tenant's credentials with each request",
    "store/clients.py: dynamodb": "the same",
    "store/clients.py: s3": "the same",
    "store/clients.py: scheduler": "the same",
    "store/clients.py: secretsmanager": "the same",
    "store/clients.py: sesv2": "the same",
    "store/credentials.py: of_the_tenant": "an object that looks up the tenant's session with each request",
    "store/making.py: loader": "descriptions of AWS's services",
    "store/platform.py: awslambda": "the platform's own, with the function's credentials",
    "store/platform.py: dynamodb": "the same",
    "store/platform.py: secretsmanager": "the same",
    "store/platform.py: stepfunctions": "the same",
    "store/platform.py: sts": "the same",
    "telemetry.py: logger": "its keys are cleared before each run",
}
# Made for one run, and gone with it.
OF_ONE_RUN = {
    "mcp/connection.py: Servers._gone",
    "mcp/connection.py: Servers._lines",
    "mcp/line.py: Line.secrets",
    "mcp/simplifying.py: Simplifier._followed",
    "mcp/simplifying.py: Simplifier.warnings",
    "mcp/stdio_transport.py: _Process._handshake",
    "mcp/tokens.py: TriedTokens._tokens",
    "mcp/watching.py: Watched.secrets",
    "models/streaming.py: Gathered._calls",
    "stdio/conversation.py: Conversation._answers",
    "tenancy/plan.py: _Reading.secrets",
    "tools/toolset.py: Toolset._derived",
    "turn/calling.py: Calling._sources",
    "turn/replying.py: Replying._asked",
    "turn/replying.py: Replying._rejected",
    "turn/showing.py: Showing._shown",
    "turn/showing.py: Showing._tasks",
}


def test_every_cache_of_the_layer_is_known_and_keeps_tenants_apart() -> None:
    found = set(_all_caches())
    known = {*BY_TENANT, *OF_NOBODY, *OF_ONE_RUN}
    assert found - known == set(), "new: key it by tenant, or say here why it need not be"
    assert known - found == set(), "gone: take it off the list"


SOURCES = {
    "@cache\ndef f(x): ...": ["f"],
    "@functools.lru_cache(maxsize=9)\ndef f(x): ...": ["f"],
    "class C:\n    @cached_property\n    def f(self): ...": [],
    "kept = {}": ["kept"],
    "kept: dict[str, int] = dict()": ["kept"],
    "kept = Warm(3)\nclass Warm: ...": ["kept"],
    "TABLE = {'a': 1}": [],
    "TABLE = {'a': 1}\ndef f(x): TABLE[x] = 2": ["TABLE"],
    "TABLE = ['a']\ndef f(x): TABLE.append(x)": ["TABLE"],
    "last = None\ndef f(x):\n    global last\n    last = x": ["last"],
    "class C:\n    def __init__(self): self._x: dict[str, int] = {}": ["C._x"],
    "class C:\n    seen = []": ["C.seen"],
    "class C:\n    def __init__(self): self._x = OrderedDict()": ["C._x"],
    "def f():\n    local = {}\n    local['a'] = 1": [],
}


@pytest.mark.parametrize("source", SOURCES)
def test_a_cache_is_found_however_it_is_made(source: str) -> None:
    tree = ast.parse(source)
    assert sorted(_caches(tree, _values([tree]), _classes(tree))) == SOURCES[source]


def _all_caches() -> Iterator[str]:
    trees = {path.relative_to(LAYER).as_posix(): ast.parse(path.read_text()) for path in sorted(LAYER.rglob("*.py"))}
    values = _values(trees.values())
    stateful = {name for tree in trees.values() for name in _classes(tree)} - values | {"Logger"}
    for place, tree in trees.items():
        if not place.startswith(RULES):
            yield from (f"{place}: {name}" for name in _caches(tree, values, stateful))


def _classes(tree: ast.AST) -> set[str]:
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}


def _values(trees: Iterable[ast.AST]) -> set[str]:
    """Classes whose objects never change: values, errors, protocols, frozen dataclasses, and what is made of them."""
    found = {"Value", "NamedTuple", "Protocol", "Exception", "TypedDict", "StrEnum", "Enum"}
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    frozen = {node.name for node in classes if any("frozen=True" in ast.unparse(one) for one in node.decorator_list)}
    while more := {node.name for node in classes if {_name(base) for base in node.bases} & (found | frozen)} - found:
        found |= more
    return found | frozen


def _caches(tree: ast.Module, values: set[str], stateful: set[str]) -> set[str]:
    changed = set(_changed(tree))
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name not in values]
    return {
        *_cached_functions(tree),
        *(
            name
            for name, value in _assigned(tree.body)
            if _is_empty(value) or name in changed or _made(value) in stateful
        ),
        *(f"{node.name}.{name}" for node in classes for name in _kept_in(node)),
    }


def _cached_functions(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            made = (one.func if isinstance(one, ast.Call) else one for one in node.decorator_list)
            if any(_name(one) in _CACHING for one in made):
                yield node.name


def _assigned(body: list[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    for node in body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((_name(target), node.value) for target in targets)


def _kept_in(node: ast.ClassDef) -> Iterator[str]:
    """Attributes that begin empty, of the class and of its objects."""
    yield from (name for name, value in _assigned(node.body) if _is_empty(value))
    inner = [one for one in ast.walk(node) if isinstance(one, ast.FunctionDef)]
    for function in inner:
        for statement in ast.walk(function):
            if isinstance(statement, ast.Assign | ast.AnnAssign):
                targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
                if statement.value is not None and _is_empty(statement.value):
                    yield from (
                        one.attr for one in targets if isinstance(one, ast.Attribute) and _name(one.value) == "self"
                    )


def _changed(tree: ast.Module) -> Iterator[str]:
    """Names that some function changes, or what they stand for."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        own = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        for node in ast.walk(function):
            if isinstance(node, ast.Global):
                yield from node.names
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
                yield from {_name(node.value)} - own
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
                yield from {_name(node.func.value)} - own


def _is_empty(value: ast.expr) -> bool:
    if isinstance(value, ast.Dict | ast.List | ast.Set):
        return not (value.keys if isinstance(value, ast.Dict) else value.elts)
    return _made(value) in _CONTAINERS and isinstance(value, ast.Call) and not value.args


def _made(value: ast.expr) -> str:
    """The class of which an object is made here, if any."""
    return _name(value.func) if isinstance(value, ast.Call) else ""


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Subscript):
        return _name(node.value)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
