"""The demo bookshop on a running stack, and its customer at this terminal."""

import queue
import sys
import threading

from local.demo_tenant import DemoTenant
from local.stack import Stack
from local.target import Target


def chat(stack: Stack, ended: threading.Event) -> None:
    """Onboards the bookshop and passes lines of standard input on to it until `ended`; prints every reply.

    Raises TenantFailed when the bookshop cannot be set up.
    """
    with DemoTenant("bookshop", stack.api_url) as shop:
        shop.onboard(Target(stack.client("lambda"), stack.function_name("Provision"), "on this machine"))
        print(f"The bookshop is open: its messages go to {shop.hook}\nits secret is {shop.secret}", flush=True)
        if sys.stdin.isatty():
            print("Write to it here, a line a message.", flush=True)
            threading.Thread(target=_pass_on, args=(shop, ended), daemon=True).start()
        while not ended.is_set():
            try:
                print(f"bookshop > {shop.replies.get(timeout=0.2).text}", flush=True)
            except queue.Empty:
                continue


def _pass_on(shop: DemoTenant, ended: threading.Event) -> None:
    for line in sys.stdin:
        if line.strip():
            shop.say(line.strip())
    ended.set()
