"""Whatever a handler has done for a tenant it has done with that tenant's credentials."""

import ast
from pathlib import Path

import pytest

# The stages of a turn, each with a reference that names the tenant, and the webhook, whose address does.
STAGES = ("apologise", "assist", "browse", "compose", "deliver", "draw", "route", "tool_loop", "wake", "webhook")
# They act for many tenants, one at a time, below their handlers; or for none.
OTHERS = {"download", "provision", "refresh", "stdio_server"}


def test_every_function_is_one_or_the_other() -> None:
    assert {*STAGES, *OTHERS} == {path.parent.name for path in Path("functions").glob("*/app.py")}


@pytest.mark.parametrize("function", STAGES)
def test_the_stages_work_is_done_while_acting_for_the_tenant_it_is_told(function: str) -> None:
    """All that the handler calls of what the module has made at its start stands inside `with acting_for(x.tenant)`."""
    tree = ast.parse(Path(f"functions/{function}/app.py").read_text())
    handler = next(node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "handler")
    made = {
        target.id
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    worked = [node for node in ast.walk(handler) if _is_work(node, made)]
    acting = [node for node in ast.walk(handler) if isinstance(node, ast.With) and _acts(node)]
    assert worked
    assert len(acting) == 1
    assert all(node in set(ast.walk(acting[0])) for node in worked)


def _is_work(node: ast.AST, made: set[str]) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in made
    )


def _acts(node: ast.With) -> bool:
    calls = [item.context_expr for item in node.items if isinstance(item.context_expr, ast.Call)]
    return any(
        ast.unparse(call.func) == "acting_for" and ast.unparse(call.args[0]).endswith(".tenant") for call in calls
    )
