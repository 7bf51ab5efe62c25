"""`turnkey up`: runs the stack until it is told to end."""

import argparse
import signal
import threading

from local.chat import chat
from local.cli import OK, REFUSED, CommandError
from local.data import UnusableData
from local.demo_tenant import TenantFailed
from local.model import ModelUnavailable
from local.resume import resume
from local.stack import Stack, StackRunning
from local.transform import InvalidTemplate


def run(options: argparse.Namespace) -> int:
    """Returns once the process gets SIGINT or SIGTERM."""
    ended = threading.Event()

    def end(*_: object) -> None:
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    try:
        with _stack(options) as stack:
            print(_welcome(stack), flush=True)
            if options.demo:
                chat(stack, ended)
            else:
                ended.wait()
    except (InvalidTemplate, ModelUnavailable, TenantFailed, StackRunning, UnusableData) as error:
        raise CommandError(str(error), REFUSED) from error
    except OSError as error:
        raise CommandError(f"{error}. Is port {options.port} taken? Give another --port.", REFUSED) from error
    return OK


def _stack(options: argparse.Namespace) -> Stack:
    on_line = _print_line if options.logs else None
    return Stack(port=options.port, data=options.data, on_line=on_line, resume=resume)


def _welcome(stack: Stack) -> str:
    return (
        f"Turnkey is up; Ctrl-C ends it.\n"
        f"  HTTP API       {stack.api_url}/hooks/{{tenant}}/{{connection}}\n"
        f"  AWS services   {stack.aws_endpoint}\n"
        f"  model          {stack.model}\n"
        f"Set a tenant up with: turnkey apply FILE"
    )


def _print_line(function_name: str, line: str) -> None:
    print(f"{function_name}: {line}", flush=True)
