"""The calls of invoke_skill: a skill's instructions, or one of its files, out of the tenant's rows."""

from collections.abc import Sequence
from typing import Any

from turnkey.skills.skill import Skill
from turnkey.store.tenants import TenantStore
from turnkey.tenancy.settings import Agent
from turnkey.tools import CallOutcome, JsonObject, Toolset
from turnkey.tools.builtins import invoke_skill
from turnkey.turn import skilling
from turnkey.turn.journal import Journal
from turnkey.turn.record import TurnRecord


def with_skills(tenants: TenantStore, tenant: str, agent: Agent, names: Sequence[str]) -> Agent:
    """The agent with the instructions of these skills; it reads nothing where there are none."""
    return skilling.instructed(agent, tenants.skills(tenant, names)) if names else agent


class SkillCalls:
    """Of one turn. `known` are all tools of its agent."""

    def __init__(self, tenants: TenantStore, tenant: str, agent: Agent, record: TurnRecord, known: Toolset) -> None:
        self._tenants = tenants
        self._tenant = tenant
        self._agent = agent
        self._record = record
        self._known = known

    def outcome(self, arguments: JsonObject, steps: Journal) -> CallOutcome:
        """Everything that can go wrong is told to the model."""
        name, file = str(arguments["name"]), str(arguments.get("file") or "")
        has = [head.name for head in self._agent.skills]
        skill = self._find(name) if name in has else None
        if skill is None:
            return CallOutcome(status="error", text=invoke_skill.no_skill(name, has))
        if file:
            text = skill.find(file)
            if text is None:
                return CallOutcome(status="error", text=invoke_skill.no_file(file, skill))
            return CallOutcome(status="ok", text=text)
        loaded = skilling.loaded(self._record, steps)
        if name in loaded:
            return CallOutcome(status="ok", text=invoke_skill.loaded_already(name))
        if len(loaded) >= skilling.MOST_LOADED:
            return CallOutcome(status="error", text=invoke_skill.too_many(loaded))
        return CallOutcome(status="ok", text=invoke_skill.told(skill, self._tools(name)))

    def meaning(self, arguments: JsonObject, steps: Journal) -> dict[str, Any]:
        """What a call that went well means for the turn."""
        name = str(arguments["name"])
        if arguments.get("file") or name in skilling.loaded(self._record, steps):
            return {}
        return {"skill": name, "found": self._tools(name)}

    def _find(self, name: str) -> Skill | None:
        return next(iter(self._tenants.skills(self._tenant, (name,))), None)

    def _tools(self, name: str) -> tuple[str, ...]:
        return skilling.tools_of(self._agent, (name,), self._known)
