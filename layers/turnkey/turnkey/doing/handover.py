"""hand_to_person: asks for a person. They are told, and the conversation is theirs, when the turn's reply goes out
(turnkey.turn.people): a call that a later failure makes vain has told nobody anything."""

from turnkey import ids
from turnkey.tools import CallOutcome
from turnkey.turn.station import Done, Task

DONE = (
    "A person of the business takes this conversation over with your reply, and has been told what it is about. Tell "
    "the customer so in one short sentence, in their language, and nothing else. Promise no time, and do not answer "
    "for that person."
)
NOBODY = "NOT DONE: this business has nobody to hand over to. Tell the customer so, and help as far as you can."


def hand_over(task: Task) -> Done:
    """Makes nothing: the id is what the hand-over will be known by, the same at every attempt."""
    if task.agent.person is None:
        return Done(outcome=CallOutcome(status="error", text=NOBODY))
    return Done(outcome=CallOutcome(status="ok", text=DONE), meaning={"handover": ids.handover_id(task.key)})
