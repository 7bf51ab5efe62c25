"""Replies from public pages, for the tenant to look at, and what the tenant itself has answered.

Rows (partition TENANT#<id>#REVIEWS of the conversations table):
  REVIEW#<reply id>                        the review as json; it expires while it is open
  ANSWER#<agent>#<time>#<reply id>         question and answer, once it is approved or corrected
"""

from turnkey import ids
from turnkey.public.review import Answered, Review, State
from turnkey.store.table import ConditionFailed, Item, Table

OPEN_DAYS = 180
MOST_ANSWERS = 300
"""Of an agent, the newest, that a turn looks through."""
_DAY = 24 * 3600
_ALL = 1_000_000


class ReviewStore:
    """Every read and write names its tenant, and stays in that tenant's partition."""

    def __init__(self, table: str) -> None:
        self._table = Table(table)

    def enter(self, tenant: str, review: Review) -> bool:
        """Enters it; False where it was entered before, whatever has become of it."""
        expires = int(review.at.timestamp()) + OPEN_DAYS * _DAY
        try:
            self._table.put({**_row(tenant, review), "expires_at": expires}, condition="attribute_not_exists(pk)")
        except ConditionFailed:
            return False
        return True

    def find(self, tenant: str, review_id: str) -> Review | None:
        item = self._table.get((_pk(tenant), f"REVIEW#{review_id}"))
        return Review.model_validate_json(item["json"]) if item else None

    def list(self, tenant: str, state: State | None, most: int) -> tuple[Review, ...]:
        """The newest first."""
        items = self._table.query(_pk(tenant), "REVIEW#")
        found = (Review.model_validate_json(item["json"]) for item in items)
        chosen = sorted((one for one in found if state in (None, one.state)), key=lambda one: one.at, reverse=True)
        return tuple(chosen[:most])

    def decide(self, tenant: str, review: Review) -> None:
        """Keeps the decision, and the answer for later turns. Deciding again replaces it."""
        answer: Item = {
            "pk": _pk(tenant),
            "sk": _answer_key(review),
            "json": Answered(question=review.question, answer=review.answer).model_dump_json(),
        }
        self._table.transact(self._table.put_write(_row(tenant, review)), self._table.put_write(answer))

    def answers(self, tenant: str, agent: str) -> tuple[Answered, ...]:
        """What the tenant has approved or corrected of this agent, the newest first."""
        items = self._table.query(_pk(tenant), f"ANSWER#{agent}#", newest_first=True, limit=MOST_ANSWERS)
        return tuple(Answered.model_validate_json(item["json"]) for item in items)

    def of_customer(self, tenant: str, customer: str) -> tuple[Review, ...]:
        """Those of what one customer asked, by the id that contacts have."""
        return tuple(one for one in self.list(tenant, None, _ALL) if customer in one.customers)

    def erase(self, tenant: str, customer: str) -> bool:
        """Erases what one customer's questions have left here; whether there was anything. Needs the right to
        delete."""
        found = self.of_customer(tenant, customer)
        for review in found:
            self._table.delete((_pk(tenant), _answer_key(review)))
            self._table.delete((_pk(tenant), f"REVIEW#{review.id}"))
        return bool(found)


def _pk(tenant: str) -> str:
    return ids.partition(tenant, ids.REVIEWS)


def _row(tenant: str, review: Review) -> Item:
    return {
        "pk": _pk(tenant),
        "sk": f"REVIEW#{review.id}",
        "json": review.model_dump_json(),
    }


def _answer_key(review: Review) -> str:
    return f"ANSWER#{review.agent}#{review.at.strftime('%Y-%m-%dT%H:%M:%S.%fZ')}#{review.id}"
