"""Stands before the emulated services: each request of a function is let through only if the template's policies allow
it, as IAM would.

A function has an access key of its own that stands for its role. What AssumeRole gives out stands for the tenant role
and the session's tags. Requests with the stack's own credentials pass: they are the operator's, the tests' and moto's.
Signatures are not verified; a key counts together with its session token.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from io import BytesIO
from typing import Any

from local.account import CREDENTIALS
from local.aws import Application
from local.deployment import Deployment, Function
from local.iam.authority import Authority
from local.iam.dynamodb import Tables
from local.iam.identities import Identities, Session
from local.iam.refusals import Refusal, answer
from local.iam.services import accesses
from local.iam.values import Principal, UnreadableRequest
from local.iam.wire import Call, Signature, call_of, signature_of

# moto's state machines sign with the second one.
_OWN = (CREDENTIALS["AWS_ACCESS_KEY_ID"], "ak")
_CHAINED_SECONDS = 3600
"""As long as a session may last that was assumed with another's credentials."""
_SESSION_NAME = re.compile(r"[\w+=,.@-]{2,64}", re.ASCII)
_TAG = re.compile(r"[\w .:/=+\-@]{0,256}")
_GIVEN = re.compile(rb"<(AccessKeyId|SessionToken)>([^<]+)<")


@dataclass(frozen=True, eq=False)
class Denial:
    """One request that was refused: `who` asked and why it was."""

    who: str
    service: str
    operation: str
    reason: str


class Gate:
    """One deployment's. `denials` are the last thousand."""

    def __init__(self, deployment: Deployment) -> None:
        """Raises UnsupportedPolicy for a policy that is not understood here."""
        self._authority = Authority(deployment.roles, deployment.resource_policies)
        self._tables = Tables(deployment.tables)
        self._identities = Identities()
        self.denials: deque[Denial] = deque(maxlen=1000)

    def credentials(self, function: Function) -> dict[str, str]:
        """The variables with which the function's processes sign their requests."""
        return self._identities.of_function(function)

    def around(self, application: Application) -> Application:
        """The application, behind the gate."""

        def guarded(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
            signature = signature_of(environ)
            if signature and signature.key in _OWN:
                return application(environ, start_response)
            call, refusal = self._judge(signature, environ)
            if refusal:
                said = answer(refusal, call.service, by_target="HTTP_X_AMZ_TARGET" in environ)
                start_response(said.status, [*said.headers, ("content-length", str(len(said.body)))])
                return [said.body]
            answered = application(environ, start_response)
            return self._remember(call, answered) if _assumes(call) else answered

        return guarded

    def _judge(self, signature: Signature | None, environ: dict[str, Any]) -> tuple[Call, Refusal | None]:
        service = signature.service if signature else ""
        call, session = Call(service, "?"), self._session(signature)
        if isinstance(session, Refusal):
            return call, self._deny("nobody", call, session)
        try:
            call = call_of(service, environ, _body(environ, service))
            refusal = self._refusal(session.principal, call)
        except UnreadableRequest as error:
            refusal = Refusal("AccessDenied", str(error))
        return call, self._deny(str(session.principal), call, refusal) if refusal else None

    def _session(self, signature: Signature | None) -> Session | Refusal:
        if signature is None:
            return Refusal("MissingAuthenticationToken", "The request is not signed.")
        session = self._identities.find(signature.key, signature.token)
        if session is None:
            return Refusal("UnrecognizedClient", "The security token included in the request is invalid.")
        return Refusal("ExpiredToken", "The session is over.") if session.is_over else session

    def _refusal(self, principal: Principal, call: Call) -> Refusal | None:
        if _assumes(call) and (wrong := _malformed(call)):
            return Refusal("ValidationError", wrong)
        needed = accesses(call.service, call.operation, call.parameters, self._tables)
        decision = self._authority.decide(principal, needed)
        return None if decision.allowed else Refusal("AccessDenied", f"User: {decision.reason}")

    def _deny(self, who: str, call: Call, refusal: Refusal) -> Refusal:
        self.denials.append(Denial(who, call.service, call.operation, refusal.message))
        return refusal

    def _remember(self, call: Call, body: Iterable[bytes]) -> list[bytes]:
        """Whom the key stands for that the service has just given out."""
        said = b"".join(body)
        given = {name.decode(): value.decode() for name, value in _GIVEN.findall(said)}
        tags = {tag["Key"]: tag["Value"] for tag in call.parameters["Tags"]}
        until = time.time() + int(call.parameters.get("DurationSeconds", _CHAINED_SECONDS))
        session = Session(Principal(call.parameters["RoleArn"], tags), given["SessionToken"], until)
        self._identities.add(given["AccessKeyId"], session)
        return [said]


def _body(environ: dict[str, Any], service: str) -> bytes:
    """The request's body, left to be read again. An object's content is not read: it decides nothing."""
    if service == "s3" and environ["REQUEST_METHOD"] != "POST":
        return b""
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    environ["wsgi.input"] = BytesIO(body)
    return body


def _assumes(call: Call) -> bool:
    return (call.service, call.operation) == ("sts", "AssumeRole")


def _malformed(call: Call) -> str:
    """What STS refuses before any policy is asked."""
    name, tags = call.parameters.get("RoleSessionName", ""), call.parameters["Tags"]
    if not _SESSION_NAME.fullmatch(name):
        return f"{name!r} is no session name"
    if int(call.parameters.get("DurationSeconds", 0)) > _CHAINED_SECONDS:
        return "a session assumed with another role's credentials lasts an hour at most"
    wrong = [tag for tag in tags if not _TAG.fullmatch(tag["Key"]) or not _TAG.fullmatch(tag["Value"])]
    return f"{wrong[0]['Value']!r} is no tag" if wrong else ""
