"""What is done before a reply, where what was due has not come back: one more ask, then the platform's own call."""

from turnkey.reading.directive import Directive
from turnkey.reading.plan import Plan
from turnkey.turn.journal import Journal, ModelAnswer, ToolCall, again, answers, directive_now


def skipped(plan: Plan | None, journal: Journal) -> Directive | None:
    """The step that was due and that the model answered without."""
    directive = directive_now(plan, journal)
    return directive if directive and directive.complete else None


def may_ask_again(journal: Journal) -> bool:
    """Once a turn."""
    return not again(journal)


def own_call(plan: Plan, directive: Directive, journal: Journal) -> ModelAnswer | None:
    """The call made by the platform in the model's place: only where nothing in the plan acts, or the customer asked
    for just that; and once."""
    given = answers(journal)
    made = any(answer.author == "platform" and _makes(answer, directive) for answer in given)
    if made or not (plan.read_only or plan.in_so_many_words):
        return None
    call = ToolCall(id=f"call_{len(given)}_0", name=directive.tool, arguments=directive.arguments)
    return ModelAnswer(author="platform", text="", calls=(call,))


def _makes(answer: ModelAnswer, directive: Directive) -> bool:
    return any(call.name == directive.tool for call in answer.calls)


def waiting(plan: Plan | None, journal: Journal) -> Plan | None:
    """The plan as it waits for the customer, where its next call lacks what only they can say."""
    directive = directive_now(plan, journal)
    if plan is None or directive is None or directive.complete:
        return None
    return plan.model_copy(update={"directive": directive, "following": None})
