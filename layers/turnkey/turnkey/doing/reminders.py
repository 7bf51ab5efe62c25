"""Reminders and follow-ups: made, listed, changed and cancelled, each for its own conversation alone.

The row comes first and the alarm after it; only then it counts as waiting. Whatever dies in between is made good by the
same call made again. For another time the alarm comes first: an older one no longer counts once the row says so.
"""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from turnkey import hidden
from turnkey.doing.times import AskBack, Clock, clock_of
from turnkey.errors import TooManySchedules
from turnkey.schedules import Kind, Schedule, wording
from turnkey.schedules.schedule import key as key_of
from turnkey.store.alarms import AlarmStore
from turnkey.store.stores import Stores
from turnkey.telemetry import logger
from turnkey.tools import CallOutcome
from turnkey.turn.clear import waiting_for_time
from turnkey.turn.station import Do, Done, Task

MOST_WAITING = 20
"""In one conversation."""
MOST_CHARACTERS = 500
"""Of a reminder's text."""
_SOONEST = timedelta(seconds=30)
"""A time that has come while the turn ran is made good by one that is about to come."""
_ATTEMPTS = 50


class Reminders:
    def __init__(self, stores: Stores, alarms: AlarmStore) -> None:
        self._stores = stores
        self._alarms = alarms

    @property
    def does(self) -> dict[str, Do]:
        """By the tool's name."""
        return {
            "create_reminder": lambda task: self._answered(task, "reminder", "text"),
            "schedule_follow_up": lambda task: self._answered(task, "follow_up", "task"),
            "list_reminders": self.show,
            "change_reminder": self.change,
            "cancel_reminder": self.cancel,
        }

    def _answered(self, task: Task, kind: Kind, argument: str) -> Done:
        text = _text(task, argument)
        if not any(message.origin == "customer" for message in task.record.messages):
            return _refused("No customer has asked for it: a follow-up makes no other one.")
        if wrong := _problem(text, argument):
            return _refused(wrong)
        there = self._there(task)
        clock = clock_of(self._stores, task)
        made = next((one for one in there if one.made_by == task.key), None) or self._make(
            task, kind, text, there, clock
        )
        return made if isinstance(made, Done) else self._set(task, made, clock)

    def _make(self, task: Task, kind: Kind, text: str, there: Sequence[Schedule], clock: Clock) -> Schedule | Done:
        """Its row, or what is to be told instead."""
        read = clock.read(str(task.call.arguments.get("when", "")))
        if isinstance(read, AskBack):
            return _asked(task, read, clock)
        at = max(read.at.astimezone(UTC), task.now + _SOONEST).replace(microsecond=0)
        ahead = [one for one in there if one.is_ahead]
        same = next((one for one in ahead if (one.kind, one.text, one.at) == (kind, text, at)), None)
        if same:
            return same
        if len(ahead) >= MOST_WAITING:
            question = wording.say(clock.language, "full", count=len(ahead))
            return _refused(f"{len(ahead)} reminders wait in this conversation already, no more can.", question)
        try:
            return self._add(task, kind, text, at, clock)
        except TooManySchedules as error:
            logger.warning("too many schedules", reason=str(error))
            question = wording.say(clock.language, "too_many")
            return _refused("No more reminders can be made today. Tell the customer so.", question)

    def _add(self, task: Task, kind: Kind, text: str, at: datetime, clock: Clock) -> Schedule:
        reference = task.reference
        for attempt in range(_ATTEMPTS):
            schedule = Schedule(
                key=key_of(reference.connection, reference.conversation, task.key, attempt),
                kind=kind,
                connection=reference.connection,
                conversation=reference.conversation,
                address=task.record.address,
                text=text,
                at=at,
                zone=clock.zone,
                language=clock.language,
                made_at=task.now,
                made_by=task.key,
            )
            added = self._stores.schedules.add(reference.tenant, schedule, task.now)
            if added.made_by == task.key:
                return added
        raise TooManySchedules(f"no number is free among {_ATTEMPTS} for a schedule of {reference.key}")

    def _set(self, task: Task, schedule: Schedule, clock: Clock) -> Done:
        """Its alarm; after that it waits."""
        tenant = task.reference.tenant
        if schedule.state == "making":
            self._alarms.set(tenant, schedule.key, schedule.version, schedule.at)
            self._stores.schedules.move(tenant, schedule.key, "waiting", of=("making",))
        self._count(task)
        key = "set" if schedule.kind == "reminder" else "follow"
        return _told(wording.say(clock.language, key, when=clock.told(schedule.at), text=schedule.text))

    def show(self, task: Task) -> Done:
        """Those that are still to come, by their time."""
        clock = clock_of(self._stores, task)
        ahead = sorted((one for one in self._there(task) if one.is_ahead), key=lambda one: one.at)
        entries = [
            {"id": one.id, "when": clock.told(one.at), "text": one.text}
            | ({"kind": "follow-up"} if one.kind == "follow_up" else {})
            for one in ahead
        ]
        if not entries:
            return _told(wording.say(clock.language, "none"))
        return _told(json.dumps({"reminders": entries}, ensure_ascii=False))

    def change(self, task: Task) -> Done:
        """Another time or text."""
        clock = clock_of(self._stores, task)
        before = self._picked(task, clock, done_by=task.key)
        if isinstance(before, Done):
            return before
        if before.changed_by != task.key:
            after = self._changed(task, before, clock)
            if isinstance(after, Done):
                return after
            if after.version > before.version:
                self._alarms.reset(task.reference.tenant, after.key, after.version, after.at)
            if not self._stores.schedules.change(task.reference.tenant, before, after):
                return _refused("Its time has just come, so it could not be changed.")
            before = after
        self._count(task)
        return _told(wording.say(clock.language, "changed", when=clock.told(before.at), text=before.text))

    def _changed(self, task: Task, before: Schedule, clock: Clock) -> Schedule | Done:
        text, words = _text(task, "text"), str(task.call.arguments.get("when") or "").strip()
        changes = {"state": "waiting", "changed_by": task.key, "text": text or before.text}
        if text and (wrong := _problem(text, "text")):
            return _refused(wrong)
        if not (text or words):
            return _refused("Give the new time (when), the new text, or both.")
        if words:
            read = clock.read(words, near=before.at)
            if isinstance(read, AskBack):
                return _asked(task, read, clock)
            at = max(read.at.astimezone(UTC), task.now + _SOONEST).replace(microsecond=0)
            changes |= {"at": at, "zone": clock.zone, "version": before.version + 1}
        return Schedule.model_validate({**before.model_dump(), **changes})

    def cancel(self, task: Task) -> Done:
        """It does not come."""
        clock = clock_of(self._stores, task)
        found = self._picked(task, clock, done_by=task.key)
        if isinstance(found, Done):
            return found
        tenant = task.reference.tenant
        cancelled = self._stores.schedules.move(
            tenant, found.key, "cancelled", of=("making", "waiting", "due"), by=task.key
        )
        if not cancelled and found.state != "cancelled":
            return _refused("Its time has just come, so it could not be cancelled.")
        self._alarms.delete(tenant, found.key)
        self._count(task)
        return _told(wording.say(clock.language, "cancelled", text=found.text, when=clock.told(found.at)))

    def _picked(self, task: Task, clock: Clock, *, done_by: str) -> Schedule | Done:
        """The one that the call names, or what is to be told instead. One that this very call has dealt with already is
        found again: "latest" must not become another one."""
        there = self._there(task)
        if before := next((one for one in there if one.changed_by == done_by), None):
            return before
        ahead = [one for one in there if one.is_ahead]
        if not ahead:
            none = wording.say(clock.language, "none")
            return _refused("There is no reminder in this conversation that is still to come.", none)
        wanted = str(task.call.arguments.get("id", "")).strip().casefold()
        if wanted == "latest":
            return ahead[-1]
        found = next((one for one in ahead if one.id.casefold().lstrip("r") == wanted.lstrip("r#")), None)
        if found:
            return found
        told = [wording.say(clock.language, "listed", when=clock.told(one.at), text=one.text) for one in ahead]
        question = wording.say(clock.language, "ask_reminder", options=wording.options(clock.language, told))
        known = "; ".join(f"{one.id}: {one.text}" for one in ahead)
        return _refused(f"There is no reminder {wanted!r}. There are: {known}.", question)

    def _there(self, task: Task) -> list[Schedule]:
        reference = task.reference
        return self._stores.schedules.of_conversation(
            reference.tenant, reference.connection, reference.conversation, task.now
        )

    def _count(self, task: Task) -> None:
        ahead = sum(one.is_ahead for one in self._there(task))
        self._stores.conversations.stand(task.reference.key, task.now, reminders=ahead)


def _text(task: Task, argument: str) -> str:
    return " ".join(hidden.clean(str(task.call.arguments.get(argument) or "")).split())


def _problem(text: str, argument: str) -> str:
    if not text:
        return f"{argument} is empty: say what it is about."
    if len(text) > MOST_CHARACTERS:
        return f"{argument} has {len(text)} characters, more than {MOST_CHARACTERS}: say it shorter."
    return ""


def _told(text: str) -> Done:
    return Done(outcome=CallOutcome(status="ok", text=text))


def _refused(why: str, question: str = "") -> Done:
    """`question` is what the customer is asked or told in their language, where no answer of the model holds."""
    text = f"NOT DONE. {why}" + (f" In the customer's language: {question}" if question else "")
    return Done(outcome=CallOutcome(status="error", text=text), meaning={"asks": question} if question else {})


def _asked(task: Task, back: AskBack, clock: Clock) -> Done:
    """The customer is asked, and their answer completes the call."""
    refused = _refused(f"{back.hint} Do not apologise: ask.", back.question)
    pending = waiting_for_time(task.call.name, task.call.arguments, back.kept)
    return refused.model_copy(update={"meaning": {**refused.meaning, "pending": pending}})
