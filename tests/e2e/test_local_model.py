"""The embedded model answers like any OpenAI-compatible endpoint, and never outlives the stack."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

from local.model import MODEL_NAME, LocalModel
from tests.workflow.test_local_workers import running, wait_for

ROOT = Path(__file__).parents[2]


def test_the_embedded_model_answers_a_chat() -> None:
    with LocalModel() as model:
        model.wait_until_ready()
        content = {"model": MODEL_NAME, "max_tokens": 8, "messages": [{"role": "user", "content": "Say hello."}]}
        request = urllib.request.Request(
            f"{model.base_url}/chat/completions", json.dumps(content).encode(), {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=60) as response:
            answer: Any = json.load(response)
    assert answer["choices"][0]["message"]["content"]
    assert answer["model"] == MODEL_NAME


def test_the_embedded_model_ends_with_a_parent_that_is_killed() -> None:
    code = "from local.model import LocalModel\nmodel = LocalModel()\nprint(model.pid, flush=True)\ninput()"
    parent = subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout
    pid = parent.stdout.readline().strip()
    assert running(pid)
    parent.kill()
    parent.wait()
    wait_for(lambda: not running(pid))
