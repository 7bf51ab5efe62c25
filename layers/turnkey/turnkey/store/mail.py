"""Mail to the people of a tenant, through SES, with the credentials of the tenant that is acted for.

SES knows no idempotency key: mail whose sender died before it could note that it was sent is sent again.
"""

from botocore.exceptions import BotoCoreError, ClientError

from turnkey.errors import ReplyRefused, SendFailed
from turnkey.people.mail import Mail
from turnkey.store import clients

_PASSING = ("TooManyRequestsException", "LimitExceededException", "ThrottlingException")
_REFUSING = (
    "MessageRejected",
    "MailFromDomainNotVerifiedException",
    "AccountSuspendedException",
    "SendingPausedException",
    "NotFoundException",
    "BadRequestException",
)


class SesMailer:
    """See turnkey.turn.people.Mailer."""

    def send(self, mail: Mail) -> None:
        content = {"Subject": {"Data": mail.subject, "Charset": "UTF-8"}, "Body": {"Text": _text(mail.text)}}
        try:
            clients.sesv2().send_email(
                FromEmailAddress=mail.sender, Destination={"ToAddresses": [mail.to]}, Content={"Simple": content}
            )
        except ClientError as error:
            code = str(error.response.get("Error", {}).get("Code", "Unknown"))
            if code in _PASSING or error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0) >= 500:
                raise SendFailed(f"SES took no mail this time: {code}") from error
            if code not in _REFUSING:
                raise
            raise ReplyRefused(f"SES refused mail from {mail.sender}: {code}; is its domain verified?") from error
        except BotoCoreError as error:
            raise SendFailed(f"SES did not answer: {type(error).__name__}") from error


def _text(text: str) -> dict[str, str]:
    return {"Data": text, "Charset": "UTF-8"}
