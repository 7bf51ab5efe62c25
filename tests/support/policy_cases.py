"""What the template's policies must allow and what they must not, of a stack `turnkey` with tenants a and b."""

from collections.abc import Iterator
from typing import NamedTuple

from local.account import ACCOUNT_ID, REGION
from local.iam.values import Access, Principal
from tests.support.policy_asks import (
    BUCKET,
    TALK,
    TALKS,
    TENANTS,
    Ask,
    ask,
    assume,
    bare,
    batch_delete,
    delete,
    due,
    get,
    invoke,
    listed,
    machine,
    mail,
    own,
    passed,
    put,
    query,
    role,
    schedule,
    secret,
    session,
    thing,
    transact,
    update,
)

TENANT_ROLES = ("TurnTenantRole", "AssistTenantRole", "ProvisionTenantRole", "RefreshTenantRole")
TURN_FUNCTIONS = (
    "Webhook",
    "Route",
    "ToolLoop",
    "Draw",
    "Browse",
    "Wake",
    "Download",
    "Compose",
    "Deliver",
    "Apologise",
)
EVERYONE = (*TURN_FUNCTIONS, "Assist", "Provision", "Refresh", "TimeServer")


class Case(NamedTuple):
    name: str
    who: Principal
    ask: Ask
    allowed: bool


OTHERS: dict[str, Ask] = {
    "another's settings": get(TENANTS, "TENANT#b"),
    "settings of a name that begins with its own": get(TENANTS, "TENANT#ab"),
    "settings of its name with a hyphen behind": get(TENANTS, "TENANT#a-b"),
    "settings of its name in capitals": get(TENANTS, "TENANT#A"),
    "settings of its name in another alphabet": get(TENANTS, "TENANT#\u0430"),
    "settings of its name with a blank": get(TENANTS, "TENANT#a "),
    "settings of its name with a line break": get(TENANTS, "TENANT#a\n"),
    "settings of all names at once": get(TENANTS, "TENANT#*"),
    "settings of no name": get(TENANTS, "TENANT#"),
    "the platform's own row": get(TENANTS, "PLATFORM#REFRESH"),
    "another's conversation": get(TALKS, "TENANT#b#CONVERSATION#web#c-1"),
    "another's conversation written": put(TALKS, "TENANT#b#CONVERSATION#web#c-1"),
    "another's conversation changed": update(TALKS, "TENANT#b#CONVERSATION#web#c-1"),
    "another's conversation deleted": delete(TALKS, "TENANT#b#CONVERSATION#web#c-1"),
    "another's reviews": query(TALKS, "TENANT#b#REVIEWS"),
    "another's review entered": put(TALKS, "TENANT#b#REVIEWS"),
    "another's contacts": query(TALKS, "TENANT#b#CONTACTS"),
    "another's contact changed": update(TALKS, "TENANT#b#CONTACTS"),
    "another's contact deleted": delete(TALKS, "TENANT#b#CONTACTS"),
    "another's locks": update(TALKS, "TENANT#b#LOCKS"),
    "another's settings written": put(TENANTS, "TENANT#b"),
    "another's settings changed": update(TENANTS, "TENANT#b"),
    "another's settings deleted": delete(TENANTS, "TENANT#b"),
    "another's row among its own": get(TENANTS, "TENANT#a", "TENANT#b"),
    "another's conversation among its own": get(TALKS, TALK, "TENANT#b#CONVERSATION#web#c-1"),
    "another's row deleted among its own": batch_delete(TALKS, TALK, "TENANT#b#CONVERSATION#web#c-1"),
    "another's row put in its transaction": transact(Update=TALK, Put="TENANT#b#CONVERSATION#web#c-1"),
    "another's row checked in its transaction": transact(Put=TALK, ConditionCheck="TENANT#b#CONVERSATION#web#c-1"),
    "all of another's conversation": query(TALKS, "TENANT#b#CONVERSATION#web#c-1"),
    "all of another's settings": query(TENANTS, "TENANT#b"),
    "the list of another's conversations": query(TALKS, "TENANT#b", index="by-tenant"),
    "a scan of the conversations": ask("dynamodb", "Scan", TableName=TALKS),
    "a scan of the tenants": ask("dynamodb", "Scan", TableName=TENANTS),
    "a read of settings without a key": bare("dynamodb:GetItem", TENANTS),
    "a change of settings without a key": bare("dynamodb:UpdateItem", TENANTS),
    "a change of conversations without a key": bare("dynamodb:UpdateItem", TALKS),
    "a statement in PartiQL": ask("dynamodb", "ExecuteStatement", Statement="SELECT * FROM t"),
    "an export of a table": ask("dynamodb", "ExportTableToPointInTime", TableArn=TALKS),
    "another's secret": secret("GetSecretValue", "turnkey/tenants/b/server/x/token"),
    "a secret of a name that begins with its own": secret("GetSecretValue", "turnkey/tenants/ab/server/x/token"),
    "a secret of its name in another stack": secret("GetSecretValue", "other/tenants/a/server/x/token"),
    "another's secret by its ARN": secret(
        "GetSecretValue", f"arn:aws:secretsmanager:{REGION}:{ACCOUNT_ID}:secret:turnkey/tenants/b/server/x/token-AbCdEf"
    ),
    "another's secret among its own": ask(
        "secretsmanager",
        "BatchGetSecretValue",
        SecretIdList=["turnkey/tenants/a/server/x/token", "turnkey/tenants/b/server/x/token"],
    ),
    "another's secret created": secret("CreateSecret", "turnkey/tenants/b/server/x/oauth-token"),
    "another's secret changed": secret("PutSecretValue", "turnkey/tenants/b/server/x/oauth-token"),
    "another's secret deleted": secret("DeleteSecret", "turnkey/tenants/b/server/x/oauth-token"),
    "the platform's model key": secret("GetSecretValue", "turnkey/model-api-key"),
    "the list of secrets": ask("secretsmanager", "ListSecrets"),
    "another's object": thing("GetObject", "tenants/b/results/x"),
    "an object of a name that begins with its own": thing("GetObject", "tenants/ab/results/x"),
    "another's object written": thing("PutObject", "tenants/b/results/x"),
    "another's object deleted": thing("DeleteObject", "tenants/b/results/x"),
    "another's document": thing("GetObject", "tenants/b/documents/x"),
    "another's document written": thing("PutObject", "tenants/b/documents/x"),
    "another's passing object": thing("GetObject", "passing/tenants/b/results/x"),
    "another's passing object written": thing("PutObject", "passing/tenants/b/results/x"),
    "another's passing object deleted": thing("DeleteObject", "passing/tenants/b/results/x"),
    "a passing object of a name that begins with its own": thing("GetObject", "passing/tenants/ab/results/x"),
    "the list of another's passing objects": listed("passing/tenants/b/"),
    "the list of all passing objects": listed("passing/tenants/"),
    "another's documents": query(TALKS, "TENANT#b#DOCUMENTS"),
    "another's document's row": get(TALKS, "TENANT#b#DOCUMENTS"),
    "another's object copied": ask(
        "s3", "CopyObject", Bucket=BUCKET, Key="tenants/a/x", CopySource=f"{BUCKET}/tenants/b/x"
    ),
    "an object of its name in another bucket": thing("GetObject", "tenants/a/x", "elsewhere"),
    "the list of another's objects": listed("tenants/b/"),
    "the list of objects of names that begin with its own": listed("tenants/a"),
    "the list of all objects": listed(None),
    "another function": invoke("turnkey-provision"),
    "another stack's server": invoke("other-stdio-time"),
    "a turn": machine("StartExecution"),
    "another's session": assume("TurnTenantRole", "b"),
    "a session of its own once more": assume("TurnTenantRole"),
    "a schedule": ask("scheduler", "CreateSchedule", Name="x"),
    "another's schedule": schedule("CreateSchedule", "b.x"),
    "a schedule of a name that begins with its own": schedule("DeleteSchedule", "ab.x"),
    "another's schedule changed": schedule("UpdateSchedule", "b.x"),
    "another's schedule read": schedule("GetSchedule", "b.x"),
    "another's schedule deleted": schedule("DeleteSchedule", "b.x"),
    "a schedule of its name in another group": schedule("CreateSchedule", "a.x", "default"),
    "a schedule that acts with another role": schedule("CreateSchedule", target="ProvisionFunctionRole"),
    "a role for a function to act with": passed("WakeScheduleRole", "lambda.amazonaws.com"),
    "a role": ask("iam", "CreateRole"),
    "mail as another": mail("b@mail.example.com"),
    "mail as a name that begins with its own": mail("ab@mail.example.com"),
    "mail as another behind its own name": mail("a.b@mail.example.com"),
    "mail as its name under another domain": mail("a@other.example.com"),
    "mail as its name under a domain below": mail("a@sub.mail.example.com"),
    "a mail identity": ask("ses", "CreateEmailIdentity", EmailIdentity="mail.example.com"),
}
"""None of these is any tenant's session's, whatever it is for."""


def cases() -> Iterator[Case]:
    for logical_id in TENANT_ROLES:
        for name, what in OTHERS.items():
            yield Case(f"{logical_id} of a: {name}", session(logical_id), what, False)
        for name, what in _own_things().items():
            yield Case(f"{logical_id} without a tenant: {name}", Principal(role(logical_id)), what, False)
    yield from _turns()
    yield from _assisting()
    yield from _provisioning()
    yield from _refreshing()
    yield from _functions()
    yield from _sessions()
    yield from _machinery()


def _own_things() -> dict[str, Ask]:
    return {
        "settings": get(TENANTS, "TENANT#a"),
        "settings of no name": get(TENANTS, "TENANT#"),
        "a conversation": update(TALKS, TALK),
        "a secret": secret("GetSecretValue", "turnkey/tenants/a/server/x/token"),
        "an object": thing("GetObject", "tenants/a/results/x"),
        "a list": listed("tenants/a/"),
    }


def _turns() -> Iterator[Case]:
    allowed = {
        "its settings": get(TENANTS, "TENANT#a"),
        "several of its settings": get(TENANTS, "TENANT#a", "TENANT#a#MANIFEST"),
        "its conversation": get(TALKS, TALK),
        "a conversation with another tenant's key for an id": get(TALKS, "TENANT#a#CONVERSATION#web#TENANT#b#x\n*?"),
        "several of its rows": get(TALKS, TALK, "TENANT#a#TOOLS"),
        "all of its conversation": query(TALKS, TALK),
        "a row of its conversation": put(TALKS, TALK),
        "its quota and its conversation together": transact(Put=TALK, Update="TENANT#a#QUOTA"),
        "a reply entered for review": put(TALKS, "TENANT#a#REVIEWS"),
        "answers that the tenant has given": query(TALKS, "TENANT#a#REVIEWS"),
        "its agent's search key": secret("GetSecretValue", "turnkey/tenants/a/agent/clerk/search-key"),
        "that a customer was told of what is kept": update(TALKS, "TENANT#a#CONTACTS"),
        "its secret": secret("GetSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "its new OAuth token": secret("CreateSecret", "turnkey/tenants/a/server/x/oauth-token"),
        "its renewed OAuth token": secret("PutSecretValue", "turnkey/tenants/a/server/x/oauth-token"),
        "its result": thing("GetObject", "passing/tenants/a/results/x"),
        "its new result": thing("PutObject", "passing/tenants/a/results/x"),
        "its document": thing("GetObject", "tenants/a/documents/x"),
        "where a link leads": get(TALKS, "TENANT#a#DOCUMENTS"),
        "a server of the catalogue": invoke("turnkey-stdio-time"),
        "mail as itself": mail("a@mail.example.com"),
        "mail as one of its own names": mail("a+desk@mail.example.com"),
    }
    denied = {
        "mail by a template": mail("a@mail.example.com", "SendBulkEmail"),
        "its settings written": put(TENANTS, "TENANT#a"),
        "its settings changed": update(TENANTS, "TENANT#a"),
        "its settings deleted": delete(TENANTS, "TENANT#a"),
        "all of its settings": query(TENANTS, "TENANT#a"),
        "the list of its conversations": query(TALKS, "TENANT#a", index="by-tenant"),
        "its conversation deleted": delete(TALKS, TALK),
        "its signing secret changed": secret("PutSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "its token changed": secret("PutSecretValue", "turnkey/tenants/a/server/x/token"),
        "its secret deleted": secret("DeleteSecret", "turnkey/tenants/a/server/x/oauth-token"),
        "its object deleted": thing("DeleteObject", "tenants/a/results/x"),
        "its result deleted": thing("DeleteObject", "passing/tenants/a/results/x"),
        "its document written": thing("PutObject", "tenants/a/documents/x"),
        "the list of its objects": listed("tenants/a/"),
    }
    yield from _of(session("TurnTenantRole"), allowed, denied)


def _assisting() -> Iterator[Case]:
    allowed = {
        "its settings": get(TENANTS, "TENANT#a"),
        "several of its settings": get(TENANTS, "TENANT#a", "TENANT#a#MANIFEST"),
        "its conversation": get(TALKS, TALK),
        "several of its rows": get(TALKS, TALK, "TENANT#a#CONTACTS"),
        "all that is scheduled": query(TALKS, "TENANT#a#SCHEDULES"),
        "a row of what is scheduled": put(TALKS, "TENANT#a#SCHEDULES"),
        "a row of its contacts changed": update(TALKS, "TENANT#a#CONTACTS"),
        "a row of its contacts deleted": delete(TALKS, "TENANT#a#CONTACTS"),
        "its document": thing("GetObject", "tenants/a/documents/x"),
        "its new document": thing("PutObject", "tenants/a/documents/x"),
        "all of its documents": query(TALKS, "TENANT#a#DOCUMENTS"),
        "a new version with its link": transact(Put="TENANT#a#DOCUMENTS"),
        "a large result": thing("PutObject", "passing/tenants/a/results/x"),
        "a large result read": thing("GetObject", "passing/tenants/a/results/x"),
        "a new schedule": schedule("CreateSchedule", target="WakeScheduleRole"),
        "a schedule": schedule("GetSchedule"),
        "a changed schedule": schedule("UpdateSchedule", target="WakeScheduleRole"),
        "a deleted schedule": schedule("DeleteSchedule"),
    }
    denied = {
        "its settings written": put(TENANTS, "TENANT#a"),
        "the list of its conversations": query(TALKS, "TENANT#a", index="by-tenant"),
        "a secret of its own": secret("GetSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "mail as itself": mail("a@mail.example.com"),
        "its document deleted": thing("DeleteObject", "tenants/a/documents/x"),
        "what stays, but for documents": thing("PutObject", "tenants/a/skills/x"),
        "the list of its objects": listed("tenants/a/"),
        "a server of the catalogue": invoke("turnkey-stdio-time"),
        "the function that wakes": invoke("turnkey-wake"),
    }
    yield from _of(session("AssistTenantRole"), allowed, denied)


def _provisioning() -> Iterator[Case]:
    allowed = {
        "a setting": get(TENANTS, "TENANT#a"),
        "settings": get(TENANTS, "TENANT#a", "TENANT#a#AUDIT"),
        "all settings": query(TENANTS, "TENANT#a"),
        "a setting written": put(TENANTS, "TENANT#a"),
        "a setting changed": update(TENANTS, "TENANT#a"),
        "a setting deleted": delete(TENANTS, "TENANT#a"),
        "the list of its conversations": query(TALKS, "TENANT#a", index="by-tenant"),
        "all of a conversation": query(TALKS, TALK),
        "a conversation deleted": batch_delete(TALKS, TALK),
        "a row of its locks": update(TALKS, "TENANT#a#LOCKS"),
        "all of its reviews": query(TALKS, "TENANT#a#REVIEWS"),
        "a review decided": transact(Put="TENANT#a#REVIEWS"),
        "all of its contacts": query(TALKS, "TENANT#a#CONTACTS"),
        "a contact deleted": delete(TALKS, "TENANT#a#CONTACTS"),
        "a row of its locks deleted": delete(TALKS, "TENANT#a#LOCKS"),
        "a new secret": secret("CreateSecret", "turnkey/tenants/a/connection/web/secret"),
        "a changed secret": secret("PutSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "a secret": secret("GetSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "a deleted secret": secret("DeleteSecret", "turnkey/tenants/a/connection/web/secret"),
        "the list of its objects": listed("tenants/a/"),
        "the list of its passing objects": listed("passing/tenants/a/"),
        "its document": thing("GetObject", "tenants/a/documents/x"),
        "its document written": thing("PutObject", "tenants/a/documents/x"),
        "its document deleted": thing("DeleteObject", "tenants/a/documents/x"),
        "its result deleted": thing("DeleteObject", "passing/tenants/a/results/x"),
        "a server of the catalogue": invoke("turnkey-stdio-time"),
        "its schedule deleted": schedule("DeleteSchedule"),
    }
    denied = {
        "a schedule made": schedule("CreateSchedule", target="WakeScheduleRole"),
        "its result read": thing("GetObject", "passing/tenants/a/results/x"),
        "a result written": thing("PutObject", "passing/tenants/a/results/x"),
        "its log of changes deleted": delete(TENANTS, "TENANT#a#AUDIT"),
        "its log of changes changed": update(TENANTS, "TENANT#a#AUDIT"),
        "its log of changes deleted among other rows": batch_delete(TENANTS, "TENANT#a", "TENANT#a#AUDIT"),
    }
    yield from _of(session("ProvisionTenantRole"), allowed, denied)


def _refreshing() -> Iterator[Case]:
    allowed = {
        "a registration": get(TENANTS, "TENANT#a"),
        "registrations": get(TENANTS, "TENANT#a", "TENANT#a"),
        "a registration written": put(TENANTS, "TENANT#a"),
        "a registration changed": update(TENANTS, "TENANT#a"),
        "tools taken away": delete(TENANTS, "TENANT#a"),
        "its locks": update(TALKS, "TENANT#a#LOCKS"),
        "a server's secret": secret("GetSecretValue", "turnkey/tenants/a/server/x/token"),
        "a new OAuth token": secret("CreateSecret", "turnkey/tenants/a/server/x/oauth-token"),
        "a renewed OAuth token": secret("PutSecretValue", "turnkey/tenants/a/server/x/oauth-token"),
        "a server of the catalogue": invoke("turnkey-stdio-time"),
    }
    denied = {
        "its log of changes": get(TENANTS, "TENANT#a#AUDIT"),
        "its conversation": get(TALKS, TALK),
        "its conversation changed": update(TALKS, TALK),
        "a signing secret": secret("GetSecretValue", "turnkey/tenants/a/connection/web/secret"),
        "a server's token changed": secret("PutSecretValue", "turnkey/tenants/a/server/x/token"),
        "its result": thing("GetObject", "tenants/a/results/x"),
    }
    yield from _of(session("RefreshTenantRole"), allowed, denied)


def _of(who: Principal, allowed: dict[str, Ask], denied: dict[str, Ask]) -> Iterator[Case]:
    for asked, answer in ((allowed, True), (denied, False)):
        yield from (Case(f"{who}: {name}", who, what, answer) for name, what in asked.items())


_MODEL_KEY = secret("GetSecretValue", "turnkey/model-api-key")
_TENANTS_THINGS = {
    **_own_things(),
    "a tenant's row written": put(TALKS, TALK),
    "a scan of the conversations": ask("dynamodb", "Scan", TableName=TALKS),
    "a scan of all that tenants have": ask("dynamodb", "Scan", TableName=TENANTS),
    "a secret like the model key": secret("GetSecretValue", "turnkey/model-api-key-of-another"),
    "a stdio server": invoke("turnkey-stdio-time"),
}
"""Of no function's own: for these it needs a tenant's session."""


_ALIKE = {"Webhook": ("Wake",), "Wake": ("Webhook",)}
"""They have the same right under two names."""


def _functions() -> Iterator[Case]:
    """With their own roles."""
    rights: dict[str, tuple[str, Ask]] = {
        "starts a turn": ("Webhook", machine("StartExecution")),
        "starts a turn of its own accord": ("Wake", machine("StartExecution")),
        "reads the model key to read facts": ("Route", _MODEL_KEY),
        "reads the model key to call tools": ("ToolLoop", _MODEL_KEY),
        "reads the model key to reply": ("Compose", _MODEL_KEY),
        "asks for a refresh": ("ToolLoop", invoke("turnkey-refresh")),
        "lists all tenants": ("Provision", ask("dynamodb", "Scan", TableName=TENANTS)),
        "lists secrets": ("Provision", ask("secretsmanager", "ListSecrets")),
        "finds what is due": ("Refresh", due()),
        "reads its place in the round": ("Refresh", get(TENANTS, "PLATFORM#REFRESH")),
        "keeps its place in the round": ("Refresh", put(TENANTS, "PLATFORM#REFRESH")),
    }
    for name, (function, what) in rights.items():
        yield Case(f"{function} {name}", own(function), what, True)
    for function in EVERYONE:
        for name, what in _TENANTS_THINGS.items():
            if (function, name) != ("Provision", "a scan of all that tenants have"):
                yield Case(f"{function} itself: {name}", own(function), what, False)
    may = {(function, id(what)) for function, what in rights.values()}
    may |= {(other, id(what)) for one, what in rights.values() for other in _ALIKE.get(one, ())}
    for function in EVERYONE:
        for name, (_, what) in rights.items():
            if (function, id(what)) not in may and not (function == "Provision" and "due" in name):
                yield Case(f"{function} {name}", own(function), what, False)
    refreshing = {
        "settings while it looks for what is due": due(attributes="pk, sk, gzip"),
        "every attribute while it looks for what is due": due(attributes="", select="ALL_ATTRIBUTES"),
        "a count by other attributes": due(select="COUNT"),
        "attributes that it does not name": due(attributes=""),
        "any other place": get(TENANTS, "PLATFORM#OTHER"),
        "any other place kept": put(TENANTS, "TENANT#b"),
        "its place without a key": bare("dynamodb:GetItem", TENANTS),
        "what is due without naming attributes": bare("dynamodb:Scan", TENANTS),
    }
    yield from _of(own("Refresh"), {}, refreshing)
    other_machine = {"a turn of another stack": machine("StartExecution", "other-turn")}
    for starter in ("Webhook", "Wake"):
        yield from _of(own(starter), {}, {**other_machine, "its turns stopped": machine("StopExecution")})


def _sessions() -> Iterator[Case]:
    """Who gets a session of which role, and for whom."""
    homes = {
        "TurnTenantRole": TURN_FUNCTIONS,
        "AssistTenantRole": ("Assist",),
        "ProvisionTenantRole": ("Provision",),
        "RefreshTenantRole": ("Refresh",),
    }
    for logical_id, its in homes.items():
        for function in EVERYONE:
            trusted = function in its
            name = f"{function} assumes {logical_id}"
            yield Case(f"{name} for a tenant", own(function), assume(logical_id), trusted)
        who = own(its[0])
        wrong = {
            "for nobody": assume(logical_id, "", named="tenant-a"),
            "for one tenant under another's name": assume(logical_id, "b", named="tenant-a"),
            "for a tenant under its bare name": assume(logical_id, "a", named="a"),
            "with a tag beside the tenant's": assume(logical_id, "a", admin="yes"),
            "with another tag alone": assume(logical_id, "", named="tenant-", admin="yes"),
            "with tags of which none is there": lambda _, home=logical_id: [Access("sts:TagSession", role(home))],
        }
        yield from (Case(f"{its[0]} assumes {logical_id} {how}", who, what, False) for how, what in wrong.items())


def _machinery() -> Iterator[Case]:
    """State machine and schedule: they start functions of the stack, and those alone that they are for."""
    turns, rounds = Principal(role("TurnStateMachineRole")), Principal(role("RefreshFunctionDueRole"))
    stages = ("route", "tool-loop", "draw", "assist", "browse", "compose", "deliver", "apologise")
    yield from _of(turns, {stage: invoke(f"turnkey-{stage}") for stage in stages}, {})
    others = ("provision", "refresh", "webhook", "stdio-time", "wake", "download")
    yield from _of(turns, {}, {name: invoke(f"turnkey-{name}") for name in others})
    yield from _of(turns, {}, dict(_TENANTS_THINGS))
    waking = Principal(role("WakeScheduleRole"))
    yield from _of(waking, {"a wake": invoke("turnkey-wake")}, {"provisioning": invoke("turnkey-provision")})
    yield from _of(rounds, {"a round": invoke("turnkey-refresh")}, {"provisioning": invoke("turnkey-provision")})
