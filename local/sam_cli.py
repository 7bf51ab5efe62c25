# /// script
# requires-python = ">=3.11,<3.15"
# dependencies = ["aws-sam-cli==1.170.0"]
# ///
"""The SAM CLI: uv run --locked --script local/sam_cli.py build

It pins one version of boto3, so it cannot live in the project's environment; sam_cli.py.lock locks its own.
"""

import runpy
import sys

del sys.path[0]  # the modules beside this file are not SAM's
runpy.run_module("samcli", run_name="__main__", alter_sys=True)
