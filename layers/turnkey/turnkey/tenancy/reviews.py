"""The tenant's review queue: reading it, approving a reply, correcting one."""

from dataclasses import dataclass
from datetime import datetime

from turnkey.public.citing_marks import without_marks
from turnkey.public.review import Review
from turnkey.store.acting import acting_for
from turnkey.store.reviews import ReviewStore
from turnkey.tenancy.changing import Changing
from turnkey.tenancy.circumstances import Circumstances
from turnkey.tenancy.desk import Desk
from turnkey.tenancy.problems import Problem, Refused
from turnkey.tenancy.request import ReviewRequest, ReviewsRequest
from turnkey.values import Value


class ReviewList(Value):
    """The newest first."""

    tenant: str
    reviews: tuple[Review, ...]


class Reviewed(Value):
    tenant: str
    review: Review


@dataclass(frozen=True)
class ReviewDesk:
    """Raises Refused for a tenant, or a reply, that there is not."""

    reviews: ReviewStore
    desk: Desk
    changing: Changing

    def list(self, request: ReviewsRequest, _: Circumstances) -> ReviewList:
        with acting_for(request.tenant):
            self.desk.check(request.tenant)
            state = None if request.state == "all" else request.state
            return ReviewList(tenant=request.tenant, reviews=self.reviews.list(request.tenant, state, request.limit))

    def decide(self, request: ReviewRequest, circumstances: Circumstances) -> Reviewed:
        """What is decided holds for later turns from now on; deciding again replaces it."""
        with self.changing.open(request.tenant, f"review_{request.verdict}", request.actor, circumstances) as change:
            self.desk.check(request.tenant)
            review = self.reviews.find(request.tenant, request.id)
            if review is None:
                problem = f"there is no reply {request.id!r} to review: see `turnkey review list {request.tenant}`"
                raise Refused(Problem(path="id", problem=problem))
            change.begin((f"review {review.id}: {request.verdict}",))
            decided = _decided(review, request, circumstances.now)
            self.reviews.decide(request.tenant, decided)
        return Reviewed(tenant=request.tenant, review=decided)


def _decided(review: Review, request: ReviewRequest, now: datetime) -> Review:
    approved = request.verdict == "approve"
    return review.model_copy(
        update={
            "state": "approved" if approved else "corrected",
            "answer": without_marks(review.reply) if approved else request.text.strip(),
            "decided_at": now,
            "decided_by": request.actor,
        }
    )
