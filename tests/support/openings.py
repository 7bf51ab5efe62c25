"""Finds code that opens a connection past the network guard, or could: `turnkey.network` is the only way out to an
address that a tenant can influence.

What a program may open is not decidable; this reads the ways that Python and our libraries offer, under whatever name
they are imported, and takes a mention for a use. Annotations are no use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

MODULES = frozenset(
    [
        "socket", "_socket", "socketserver", "ssl", "http.client", "urllib.request", "urllib.robotparser", "urllib3",
        "requests", "aiohttp", "httpx", "httpcore", "httpcore2", "h11", "h2", "wsproto", "websockets", "websocket",
        "ftplib", "smtplib", "poplib", "imaplib", "nntplib", "telnetlib", "xmlrpc", "pycurl", "tornado", "trio", "grpc",
        "paramiko", "dns", "lxml", "pandas", "webbrowser", "multiprocessing.connection", "asyncio.streams",
        "mcp.client.websocket", "mcp.client.session_group", "httpx2.websockets", "subprocess",
        "ctypes", "trafilatura.downloads", "trafilatura.feeds", "trafilatura.sitemaps", "trafilatura.spider",
    ]
)  # fmt: skip
"""Not to be imported at all."""
_VERBS = "get post put patch delete head options request stream query sse websocket"
NAMES = frozenset(
    [
        *(f"httpx2.{name}" for name in f"{_VERBS} Client AsyncClient HTTPTransport AsyncHTTPTransport".split()),
        *(f"asyncio.{name}" for name in ("open_connection", "open_unix_connection", "create_subprocess_exec")),
        *(f"anyio.{name}" for name in ("connect_tcp", "connect_unix", "getaddrinfo", "run_process", "open_process")),
        *(f"openai.{name}" for name in ("chat", "completions", "responses", "models", "embeddings", "files")),
        *(f"os.{name}" for name in ("system", "popen", "execv", "execve", "execvp", "posix_spawn")),
        "jwt.PyJWKClient",
        "jsonschema.validate",
    ]
)
"""Not to be mentioned."""
METHODS = frozenset(
    [
        "create_connection", "create_datagram_endpoint", "create_unix_connection", "sock_connect", "connect_tcp",
        "open_connection", "create_connected_udp_socket", "urlopen", "urlretrieve", "getaddrinfo", "gethostbyname",
        "fetch_url", "fetch_response", "create_mcp_http_client", "streamablehttp_client", "websocket_client",
    ]
)  # fmt: skip
"""Not to be mentioned, whatever they belong to."""
NEEDS = {
    "streamable_http_client": "http_client",
    "sse_client": "httpx_client_factory",
    "OpenAI": "http_client",
    "AsyncOpenAI": "http_client",
    "AzureOpenAI": "http_client",
    "AsyncAzureOpenAI": "http_client",
}
"""Only to be called with this argument, and not with None: each has a way out of its own."""
VALIDATORS = ("Draft7Validator", "Draft201909Validator", "Draft202012Validator")
"""Not to be called without a registry: they fetch what a schema refers to."""
CLIENTS = frozenset(["mcp.Client", "mcp.client.Client", "mcp.client.client.Client"])
"""Given a URL they connect on their own."""
_LOADERS = ("import_module", "__import__")
_WATCHED = frozenset(["httpx2", "asyncio", "anyio", "openai", "mcp", "importlib"])
"""Modules that are not to be handed on whole."""


def openings(source: str) -> list[str]:
    """Each with its line, such as `line 3: httpx2.get`."""
    tree = ast.parse(source)
    reader = _Reader(tree)
    found = {(node.lineno, what) for node, what in (*reader.imports(), *reader.uses())}
    return [f"line {line}: {what}" for line, what in sorted(found)]


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self._tree = tree
        self._names = dict(_imported(tree))
        self._parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
        self._silent = {inner for node in ast.walk(tree) for part in _annotations(node) for inner in ast.walk(part)}

    def imports(self) -> Iterator[tuple[ast.stmt, str]]:
        for node in ast.walk(self._tree):
            for name in _modules(node):
                if any(name == module or name.startswith(f"{module}.") for module in MODULES):
                    yield node, f"import {name}"  # type: ignore[misc]
            if isinstance(node, ast.ImportFrom) and node.module in _WATCHED and any(n.name == "*" for n in node.names):
                yield node, f"from {node.module} import *"

    def uses(self) -> Iterator[tuple[ast.expr, str]]:
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Name | ast.Attribute) and node not in self._silent:
                what = self._wrong(node)
                if what:
                    yield node, what

    def _wrong(self, node: ast.Name | ast.Attribute) -> str:
        dotted = self._dotted(node)
        last = dotted.rpartition(".")[2]
        if dotted in NAMES or last in METHODS:
            return dotted
        if last in _LOADERS:
            return "" if self._loads_our_own(node) else f"{last} of something unknown"
        if dotted in CLIENTS:
            return "" if self._is_given_a_transport(node) else f"{dotted} without a transport of ours"
        if last in VALIDATORS and self._call(node):
            return "" if self._has(node, "registry") else f"{dotted} without registry"
        if last in NEEDS:
            return "" if self._has(node, NEEDS[last]) else f"{dotted} without {NEEDS[last]}"
        handed_on = dotted in _WATCHED and isinstance(node, ast.Name) and self._is_handed_on(node)
        return f"{dotted}, handed on" if handed_on else ""

    def _dotted(self, node: ast.expr) -> str:
        """Under the name by which it is imported; `?` for what is no name."""
        if isinstance(node, ast.Attribute):
            return f"{self._dotted(node.value)}.{node.attr}"
        return self._names.get(node.id, node.id) if isinstance(node, ast.Name) else "?"

    def _call(self, node: ast.expr) -> ast.Call | None:
        """The call that this is the function of."""
        parent = self._parents.get(node)
        return parent if isinstance(parent, ast.Call) and parent.func is node else None

    def _has(self, node: ast.expr, argument: str) -> bool:
        call = self._call(node)
        given = [keyword.value for keyword in call.keywords if keyword.arg == argument] if call else []
        return bool(given) and not any(
            isinstance(inner, ast.Constant) and inner.value is None for inner in ast.walk(given[0])
        )

    def _is_given_a_transport(self, node: ast.expr) -> bool:
        """Whether what the client is given can be no address: the outcome of a call that is none to str, or a name that
        stands for such, or for an argument that is not said to be text."""
        call = self._call(node)
        first = [*call.args, *(k.value for k in call.keywords if k.arg == "server")][:1] if call else []
        return bool(first) and self._is_transport(first[0])

    def _is_transport(self, value: ast.expr) -> bool:
        if isinstance(value, ast.Await):
            return self._is_transport(value.value)
        if isinstance(value, ast.Call):
            return self._dotted(value.func).rpartition(".")[2] not in ("str", "format", "join", "URL")
        if not isinstance(value, ast.Name):
            return False
        arguments = [node for node in ast.walk(self._tree) if isinstance(node, ast.arg) and node.arg == value.id]
        is_text = any(node.annotation is None or "str" in ast.unparse(node.annotation) for node in arguments)
        assigned = [
            node.value
            for node in ast.walk(self._tree)
            if isinstance(node, ast.Assign)
            and any(isinstance(target, ast.Name) and target.id == value.id for target in node.targets)
        ]
        return not is_text and bool(arguments or assigned) and all(map(self._is_transport, assigned))

    def _loads_our_own(self, node: ast.expr) -> bool:
        call = self._call(node)
        first = call.args[0] if call and call.args else None
        if isinstance(first, ast.JoinedStr):
            first = first.values[0]
        return isinstance(first, ast.Constant) and str(first.value).startswith("turnkey.")

    def _is_handed_on(self, node: ast.Name) -> bool:
        return not isinstance(self._parents.get(node), ast.Attribute)


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Each name that an import binds, with what it stands for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                whole = alias.name if alias.asname else alias.name.partition(".")[0]
                yield alias.asname or whole, whole
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _modules(node: ast.AST) -> list[str]:
    """What an import statement loads, or may."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _annotations(node: ast.AST) -> list[ast.expr]:
    found = [getattr(node, field, None) for field in ("annotation", "returns")]
    return [part for part in found if isinstance(part, ast.expr)]
