"""Documents outlive the one-machine stack's runs; what expires by itself does not."""

from collections.abc import Iterator
from typing import Any

import boto3
import pytest
from moto.s3.models import s3_backends

from local.account import ACCOUNT_ID
from local.objects import put_objects, read_objects
from turnkey.store.objects import passing


@pytest.fixture
def s3(_aws: None) -> Iterator[Any]:
    client: Any = boto3.client("s3")
    client.create_bucket(Bucket="kept", CreateBucketConfiguration={"LocationConstraint": "eu-central-1"})
    yield client
    s3_backends[ACCOUNT_ID]["aws"].buckets.pop("kept")


def test_documents_are_kept_between_runs(s3: Any) -> None:
    s3.put_object(Bucket="kept", Key="tenants/shop/documents/x", Body="契約\r\n".encode())
    s3.put_object(Bucket="kept", Key=passing("shop", "charts/x"), Body=b"png")
    snapshot = {"kept": read_objects()["kept"]}
    assert snapshot == {"kept": {"tenants/shop/documents/x": "契約\r\n".encode()}}
    s3.delete_object(Bucket="kept", Key="tenants/shop/documents/x")
    put_objects("kept", snapshot["kept"])
    put_objects("gone", {"x": b""})
    assert s3.get_object(Bucket="kept", Key="tenants/shop/documents/x")["Body"].read() == "契約\r\n".encode()
