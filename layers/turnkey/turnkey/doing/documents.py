"""edit_document: reads, creates and changes documents, version by version, and hands them over."""

from turnkey.deliverables import Document
from turnkey.documents import asking, differences, naming, templates
from turnkey.documents.asking import Create, Edit, History, Read, Request, Restore, Send
from turnkey.documents.cleaning import kept
from turnkey.documents.document import MAX_CHARACTERS, Head, Made, scope_of
from turnkey.documents.giving import link
from turnkey.documents.outcome import Edited, Refused
from turnkey.documents.reading import history_told, lines_told
from turnkey.documents.revising import revise
from turnkey.doing.shelf import Shelf
from turnkey.environment import required
from turnkey.store.conversations import ConversationStore
from turnkey.store.documents import DocumentStore, Draft, Overtaken
from turnkey.store.objects import ObjectStore
from turnkey.store.stores import Stores
from turnkey.store.tenants import TenantStore
from turnkey.tools import CallOutcome
from turnkey.tools.builtins import edit_document
from turnkey.turn import journal
from turnkey.turn.station import Done, Task

MOST = 50
"""Documents of one conversation."""
_ATTEMPTS = 5
"""At a change that names no version, when others change the document at the same moment."""
_TOLD = 1_500
"""Characters of a diff that the model is told."""


class Documents:
    """`api_url` is where links lead."""

    def __init__(
        self, tenants: TenantStore, conversations: ConversationStore, store: DocumentStore, api_url: str
    ) -> None:
        self._tenants = tenants
        self._conversations = conversations
        self._store = store
        self._api_url = api_url

    @classmethod
    def from_environment(cls, stores: Stores) -> "Documents":
        """Raises Permanent when the template does not name the table, the bucket or the API."""
        objects = ObjectStore(required("TURNKEY_OBJECTS_BUCKET"))
        store = DocumentStore(required("TURNKEY_CONVERSATIONS_TABLE"), objects)
        return cls(stores.tenants, stores.conversations, store, required("TURNKEY_API_URL"))

    def edit(self, task: Task) -> Done:
        """One call. Made again, it comes to what it came to: what it made is found under its key."""
        asked = asking.read(task.call.arguments)
        if isinstance(asked, Refused):
            return _refused(asked)
        tenant = task.reference.tenant
        made = self._store.made(tenant, task.key)
        if made is None:
            done = self._do(task, asked)
            if isinstance(done, Done):
                return done
            made = done
        return self._handed(task, asked, made)

    def _do(self, task: Task, asked: Request) -> Made | Done:
        shelf = Shelf(self._store, self._tenants.tenant(task.reference.tenant), scope_of(task.reference.key))
        if isinstance(asked, Create):
            came = self._created(task, asked, shelf)
            return _refused(came) if isinstance(came, Refused) else came
        head = shelf.find(asked.name)
        if head is None:
            return _refused(shelf.unknown(asked.name), reads=isinstance(asked, Read | History))
        match asked:
            case Read():
                return self._read(task, asked, head)
            case History():
                return self._history(task, head)
            case Send():
                return self._store.give(task.reference.tenant, head, task.key, task.now)
            case Edit() | Restore():
                came = self._changed(task, asked, shelf)
                return _refused(came) if isinstance(came, Refused) else came

    def _read(self, task: Task, asked: Read, head: Head) -> Done:
        number = asked.version or head.version
        text = self._store.text(task.reference.tenant, head, number)
        if text is None:
            return _refused(_no_version(number, head), reads=True)
        told = lines_told(head, number, text, asked.start, asked.end)
        if isinstance(told, Refused):
            return _refused(told, reads=True)
        return _told(told)

    def _history(self, task: Task, head: Head) -> Done:
        versions = self._store.versions(task.reference.tenant, head)
        return _told(history_told(head, versions, scope_of(task.reference.key)))

    def _created(self, task: Task, asked: Create, shelf: Shelf) -> Made | Refused:
        tenant, now = task.reference.tenant, task.now
        if shelf.find(asked.name):
            return shelf.taken(asked.name)
        if len(shelf.own) >= MOST:
            return Refused(why=f"The conversation has {MOST} documents already: change one of them.")
        source = shelf.find(asked.template) if asked.template else None
        if asked.template and source is None:
            return shelf.unknown(asked.template)
        text = self._first_text(tenant, asked, source)
        if isinstance(text, Refused):
            return text
        draft = Draft(
            name=asked.name,
            title=asked.title or asked.name,
            scope=shelf.scope,
            media_type=source.media_type if source else naming.media_type(asked.name),
            text=text.text,
            action="create",
            by=shelf.scope,
            call=task.key,
        )
        try:
            made = self._store.write(tenant, None, draft, now)
        except Overtaken:
            return shelf.taken(asked.name)
        return made

    def _first_text(self, tenant: str, asked: Create, source: Head | None) -> Edited | Refused:
        if source is None:
            text: Edited | Refused = Edited(text=kept(asked.text))
        else:
            template = self._store.text(tenant, source, source.version) or ""
            text = templates.fill(template, {name: kept(value) for name, value in asked.values.items()})
        if isinstance(text, Edited) and len(text.text) > MAX_CHARACTERS:
            return Refused(why=f"A document has at most {MAX_CHARACTERS:,} characters: nothing was created.")
        return text

    def _changed(self, task: Task, asked: Edit | Restore, shelf: Shelf) -> Made | Refused:
        for _ in range(_ATTEMPTS):
            head = shelf.find(asked.name)
            if head is None:
                return shelf.unknown(asked.name)
            if not shelf.may_change(head):
                return shelf.protected(head)
            if isinstance(asked, Edit) and self._is_overtaken(task, asked, head):
                return self._conflict(task, asked, head)
            text = self._next_text(task, asked, head)
            if isinstance(text, Refused):
                return text
            try:
                return self._store.write(task.reference.tenant, head, _draft(task, asked, head, text.text), task.now)
            except Overtaken:
                continue
        return Refused(why="The document is being changed by others just now: nothing was changed. Read it again.")

    def _is_overtaken(self, task: Task, asked: Edit, head: Head) -> bool:
        """Whether others have changed the document since the version that the change is meant for. What this turn has
        changed is known to it: it may ask for several changes at once."""
        if asked.version in (0, head.version):
            return False
        own = f"{task.reference.execution_name}/"
        later = [one for one in self._store.versions(task.reference.tenant, head) if one.number > asked.version]
        return not later or not all(one.call.startswith(own) for one in later)

    def _next_text(self, task: Task, asked: Edit | Restore, head: Head) -> Edited | Refused:
        tenant = task.reference.tenant
        now = self._store.text(tenant, head, head.version)
        if now is None:
            return _no_version(head.version, head)
        if isinstance(asked, Edit):
            return revise(now, asked)
        before = self._store.text(tenant, head, asked.version)
        if before is None:
            return _no_version(asked.version, head)
        if before == now:
            return Refused(why=f"The document says what it said at version {asked.version}: nothing was changed.")
        return Edited(text=before)

    def _conflict(self, task: Task, asked: Edit, head: Head) -> Refused:
        tenant = task.reference.tenant
        meant = self._store.text(tenant, head, asked.version)
        if meant is None:
            return _no_version(asked.version, head)
        now = self._store.text(tenant, head, head.version) or ""
        named = (f"version {asked.version}", f"version {head.version}")
        since = differences.diff(meant, now, named, _TOLD) or "the text is the same again"
        return Refused(
            why=f"Version conflict: the change was meant for version {asked.version}, and the document is at version "
            f"{head.version} now. Nothing was changed. Changed since:\n{since}\nMake the change to version "
            f"{head.version}, if it is still wanted."
        )

    def _handed(self, task: Task, asked: Request, made: Made) -> Done:
        """What the customer gets: the document as this call left it, and all that the turn has changed of it."""
        tenant = task.reference.tenant
        head = self._store.find(tenant, made.scope, made.name)
        if head is None:
            return _refused(Refused(why=f"The document {made.name!r} has been removed meanwhile."))
        if isinstance(asked, Create):
            own = tuple(one.name for one in self._store.heads(tenant, made.scope))
            self._conversations.stand(task.reference.key, task.now, documents=own)
        base = _base(task, asked, made)
        before = self._store.text(tenant, head, base) if base else None
        after = self._store.text(tenant, head, made.version) or ""
        named = (f"{head.title} (version {base})", f"{head.title} (version {made.version})")
        diff = "" if before is None else differences.diff(before, after, named)
        given = Document(
            name=head.name,
            title=head.title,
            version=made.version,
            base=base,
            link=link(self._api_url, tenant, made.token),
            diff=diff,
            media_type=head.media_type,
        )
        told = edit_document.told(asked.action, given.title, given.version)
        return Done(outcome=CallOutcome(status="ok", text=told), meaning={"deliverable": given})


def _base(task: Task, asked: Request, made: Made) -> int:
    """The version before the turn's first change of the document; 0 where the turn has made the document."""
    for step in journal.results(task.steps):
        given = step.deliverable
        if step.call.id != task.call.id and isinstance(given, Document) and _same(given.name, made.name):
            return given.base
    if isinstance(asked, Send):
        return made.version
    return made.version - 1


def _same(one: str, other: str) -> bool:
    return naming.key(one) == naming.key(other)


def _draft(task: Task, asked: Edit | Restore, head: Head, text: str) -> Draft:
    return Draft(
        name=head.name,
        title=head.title,
        scope=head.scope,
        media_type=head.media_type,
        text=text,
        action=asked.action,
        by=scope_of(task.reference.key),
        call=task.key,
    )


def _no_version(number: int, head: Head) -> Refused:
    return Refused(why=f"There is no version {number} of {head.name!r}: it is at version {head.version}.")


def _told(text: str) -> Done:
    """Reading changes nothing, and counts as looking."""
    return Done(outcome=CallOutcome(status="ok", text=text), meaning={"tool_kind": "lookup"})


def _refused(refused: Refused, *, reads: bool = False) -> Done:
    meaning = {"tool_kind": "lookup"} if reads else {}
    return Done(outcome=CallOutcome(status="error", text=refused.why), meaning=meaning)
