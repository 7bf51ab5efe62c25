"""The review queue: what is entered once, decided by the tenant, and comes back when a question is alike."""

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from turnkey.deliverables import Source
from turnkey.public.alike import best
from turnkey.public.review import Answered, Review
from turnkey.store.stores import Stores

if TYPE_CHECKING:
    from tests.support.provisioning import Provisioning

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
ALIKE = {
    "en": ("When does the city museum open on Sundays?", "What time does the city museum open on Sundays"),
    "de": ("Wann öffnet das Stadtmuseum sonntags?", "Um wie viel Uhr öffnet das Stadtmuseum sonntags"),
    "fr": (
        "À quelle heure ouvre le musée de la ville le dimanche ?",
        "Le dimanche, le musée de la ville ouvre quand ?",
    ),
    "es": ("¿A qué hora abre el museo de la ciudad los domingos?", "¿Cuándo abre el museo de la ciudad los domingos?"),
    "ru": ("Во сколько открывается городской музей в воскресенье?", "Когда городской музей открывается в воскресенье?"),
    "zh": ("市博物馆星期天几点开门？", "请问市博物馆星期天几点开门"),
    "ja": ("市立博物館は日曜日何時に開館しますか？", "市立博物館の日曜日の開館は何時ですか"),
    "ko": ("시립박물관은 일요일 몇 시에 문을 여나요?", "시립박물관 일요일에 몇 시에 문을 여나요"),
    "ar": ("متى يفتح متحف المدينة يوم الأحد؟", "في أي ساعة يفتح متحف المدينة يوم الأحد"),
    "tr": ("Şehir müzesi pazar günleri saat kaçta açılıyor?", "Şehir müzesi pazar günleri kaçta açılıyor"),
}
OTHERS = [
    "When does the zoo open on Sundays?",
    "Where is the city museum?",
    "Do you have Emma?",
    "Wann öffnet der Zoo sonntags?",
    "动物园星期天几点开门？",
    "市博物馆在哪里？",
    "動物園は日曜日何時に開きますか？",
    "동물원은 일요일 몇 시에 문을 여나요?",
    "Где находится зоопарк?",
    "Hello!",
    "?",
    "",
]


@pytest.mark.parametrize("language", ALIKE)
def test_a_question_like_one_that_was_answered_finds_the_answer(language: str) -> None:
    before, now = ALIKE[language]
    kept = [Answered(question=question, answer=code) for code, (question, _) in ALIKE.items()]
    assert [one.question for one in best(now, kept)] == [before]


@pytest.mark.parametrize("other", OTHERS)
def test_another_question_finds_none(other: str) -> None:
    assert best(other, [Answered(question=question, answer="x") for question, _ in ALIKE.values()]) == ()


def test_every_number_counts() -> None:
    kept = [Answered(question="What does the iPhone 16 with 128 GB cost?", answer="x")]
    assert best("What does the iPhone 16 with 128 GB cost now?", kept)
    assert not best("What does the iPhone 17 with 128 GB cost?", kept)


def test_of_two_answers_to_one_question_the_newest_holds() -> None:
    kept = [Answered(question="Museum hours Sunday?", answer=answer) for answer in ("new", "old")]
    assert [one.answer for one in best("museum hours sunday", kept)] == ["new"]


def review(number: int = 1, **fields: object) -> Review:
    entered = {"id": f"msg_{number}", "at": NOW + timedelta(seconds=number), "agent": "clerk", "conversation": "c-1"}
    told = {"question": "When does it open?", "reply": "At nine [1].", "sources": (Source(url="https://a.org/"),)}
    return Review.model_validate({**entered, **told, **fields})


def test_a_reply_is_entered_once_and_a_repeat_does_not_open_it_again(stores: Stores) -> None:
    assert stores.reviews.enter("shop", review())
    stores.reviews.decide("shop", review(state="corrected", answer="At ten."))
    assert not stores.reviews.enter("shop", review())
    found = stores.reviews.find("shop", "msg_1")
    assert found is not None
    assert found.state == "corrected"


def test_the_newest_comes_first_and_a_state_chooses(stores: Stores) -> None:
    for number in (1, 2, 3):
        stores.reviews.enter("shop", review(number))
    stores.reviews.decide("shop", review(2, state="approved", answer="At nine."))
    assert [one.id for one in stores.reviews.list("shop", None, 10)] == ["msg_3", "msg_2", "msg_1"]
    assert [one.id for one in stores.reviews.list("shop", "open", 1)] == ["msg_3"]
    assert stores.reviews.list("other", None, 10) == ()


def test_an_answer_is_its_agents_own_and_deciding_again_replaces_it(stores: Stores) -> None:
    stores.reviews.decide("shop", review(state="approved", answer="At nine."))
    stores.reviews.decide("shop", review(state="corrected", answer="At ten."))
    assert [one.answer for one in stores.reviews.answers("shop", "clerk")] == ["At ten."]
    assert stores.reviews.answers("shop", "clerk2") == ()
    assert stores.reviews.answers("other", "clerk") == ()


ANN, BOB = "a" * 24, "b" * 24


def test_what_a_customer_left_goes_with_their_contact(provisioning: "Provisioning", stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    for number, customers in enumerate(((ANN,), (BOB,), (BOB, ANN))):
        stores.reviews.enter("shop", review(number, customers=customers))
        stores.reviews.decide("shop", review(number, customers=customers, state="approved", answer="x"))
    assert len(stores.reviews.of_customer("shop", ANN)) == 2
    assert provisioning.ask("erase_contact", tenant="shop", id=ANN)["erased"] == [ANN]
    assert [one.id for one in stores.reviews.list("shop", None, 10)] == ["msg_1"]
    assert len(stores.reviews.answers("shop", "clerk")) == 1
    assert "id" in provisioning.refused("erase_contact", tenant="shop", id=ANN)


MANIFEST = {
    "tenant": {"id": "shop", "name": "Shop"},
    "agents": [{"name": "clerk", "instructions": "Help."}],
    "connections": [],
}


def with_sources(**section: object) -> dict[str, object]:
    return {**MANIFEST, "agents": [{"name": "clerk", "instructions": "Help.", "public_sources": section}]}


def test_the_tenant_lists_approves_and_corrects_and_it_is_in_the_audit_log(
    provisioning: "Provisioning", stores: Stores
) -> None:
    provisioning.applied(MANIFEST)
    stores.reviews.enter("shop", review())
    listed = provisioning.ask("reviews", tenant="shop")["reviews"]
    assert [one["question"] for one in listed] == ["When does it open?"]
    done = provisioning.ask("review", tenant="shop", id="msg_1", verdict="approve", actor="ann")["review"]
    assert (done["state"], done["answer"], done["decided_by"]) == ("approved", "At nine.", "ann")
    provisioning.ask("review", tenant="shop", id="msg_1", verdict="correct", text=" At ten. ")
    assert [one.answer for one in stores.reviews.answers("shop", "clerk")] == ["At ten."]
    entries = provisioning.ask("audit", tenant="shop")["entries"]
    assert [entry["action"] for entry in entries[:2]] == ["review_correct", "review_approve"]
    assert entries[1]["actor"] == "ann"


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"id": "msg_9", "verdict": "approve"}, "id"),
        ({"id": "msg_1", "verdict": "correct"}, ""),
        ({"id": "msg_1", "verdict": "approve", "text": "x"}, ""),
        ({"id": "msg_1", "verdict": "delete"}, "verdict"),
    ],
)
def test_a_decision_that_cannot_be_is_refused(
    provisioning: "Provisioning", stores: Stores, fields: dict[str, str], path: str
) -> None:
    provisioning.applied(MANIFEST)
    stores.reviews.enter("shop", review())
    problems = provisioning.refused("review", tenant="shop", **fields)
    assert any(path in one for one in problems), problems


def test_another_tenant_sees_and_decides_nothing(provisioning: "Provisioning", stores: Stores) -> None:
    provisioning.applied(MANIFEST)
    provisioning.applied({**MANIFEST, "tenant": {"id": "other", "name": "Other"}})
    stores.reviews.enter("shop", review())
    assert provisioning.ask("reviews", tenant="other", state="all")["reviews"] == []
    assert "id" in provisioning.refused("review", tenant="other", id="msg_1", verdict="approve")


@pytest.mark.parametrize(
    ("section", "path"),
    [
        ({"provider": "searxng"}, "agents[0].public_sources.url"),
        ({"provider": "brave"}, "agents[0].public_sources.api_key"),
        ({"provider": "tavily", "url": "https://t.example.com"}, "agents[0].public_sources.api_key"),
        ({"provider": "google", "api_key": "k"}, "agents[0].public_sources.provider"),
        ({"provider": "searxng", "url": "http://s.example.org"}, "agents[0].public_sources.url"),
        ({"provider": "searxng", "url": "https://10.0.0.1"}, "agents[0].public_sources.url"),
        ({"provider": "brave", "api_key": "a b"}, "agents[0].public_sources.api_key"),
        ({"provider": "brave", "api_key": "k", "search": False}, "agents[0].public_sources.search"),
    ],
)
def test_a_manifest_that_cannot_be_searched_with_says_why(
    provisioning: "Provisioning", section: dict[str, object], path: str
) -> None:
    assert path in provisioning.refused("apply", manifest=with_sources(**section))


def test_the_key_is_a_secret_for_its_place_alone(provisioning: "Provisioning", stores: Stores) -> None:
    provisioning.applied(with_sources(provider="brave", api_key="k3y"))
    public = stores.tenants.agent("shop", "clerk").public
    assert public is not None
    assert public.api_key_secret == "turnkey/tenants/shop/agent/clerk/search-key"
    assert stores.secrets.find(public.api_key_secret) == "k3y"
    kept = {"kept": True}
    provisioning.applied(with_sources(provider="brave", api_key=kept))
    moved = provisioning.refused("apply", manifest=with_sources(provider="tavily", api_key=kept))
    assert "agents[0].public_sources.api_key" in moved
    assert "k3y" not in str(provisioning.ask("export", tenant="shop"))
    provisioning.applied(MANIFEST)
    assert stores.secrets.find(public.api_key_secret) is None
    assert stores.tenants.agent("shop", "clerk").public is None
