"""The account that the emulated services are in, and how to be a client of them."""

from typing import Any

ACCOUNT_ID = "123456789012"  # moto's
REGION = "us-east-1"
# Any client is let in.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "local", "AWS_SECRET_ACCESS_KEY": "local"}


def client(endpoint: str, service: str) -> Any:
    """A boto3 client of a service emulated at `endpoint`. It waits as long as the longest function may run."""
    import boto3
    from botocore.config import Config

    session: Any = boto3.Session()
    return session.client(
        service,
        endpoint_url=endpoint,
        region_name=REGION,
        aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
        aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        config=Config(read_timeout=900, retries={"max_attempts": 0}, proxies={}),
    )
