"""One server's process from its start to its end: a private home, a conversation with a deadline, and nothing left."""

import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

from turnkey.stdio import processes
from turnkey.stdio.command import Command, SettingRefused
from turnkey.stdio.conversation import Conversation
from turnkey.stdio.home import private_home
from turnkey.stdio.request import StdioAnswer, StdioFailure, StdioRequest

OnStderr = Callable[[str], None]


def run(command: Command, request: StdioRequest, on_stderr: OnStderr, *, within: float = 900.0) -> StdioAnswer:
    """Starts the server, has the conversation, kills the server. `within` is the function's own time, in seconds;
    `on_stderr` gets the end of what the server wrote there, without the settings' values, where something failed."""
    with private_home() as home:
        before = processes.children()
        try:
            process = _start(command, request, home)
        except (SettingRefused, OSError) as error:
            return _not_started(error)
        try:
            conversation = Conversation(process, request.messages, min(request.seconds, within))
            answer = conversation.have()
        finally:
            processes.end(process, before)
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe:
                    pipe.close()
    if answer.failure and conversation.stderr:
        on_stderr(_without(conversation.stderr.decode(errors="replace"), request.settings.values()))
    return answer


def _start(command: Command, request: StdioRequest, home: Path) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command.line(request.settings),
        env=command.environment(request.settings, home),
        cwd=home,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        process_group=0,
    )


def _not_started(error: Exception) -> StdioAnswer:
    if isinstance(error, SettingRefused):
        return StdioAnswer(failure=StdioFailure(kind="Refused", message=f"refuses a setting: {error}", begun=False))
    message = f"could not be started ({type(error).__name__}): its function's command is at fault"
    return StdioAnswer(failure=StdioFailure(kind="ServerError", message=message, begun=False))


def _without(text: str, secrets: Iterable[str]) -> str:
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "…")
    return text
