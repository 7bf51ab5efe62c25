"""What moto's S3 holds of what stays, read and filled without going through its endpoint: documents, above all. What
expires by itself is not kept between runs.

Callers hold the server's lock, so that no request is half done meanwhile.
"""

from typing import Any

from moto.s3.models import s3_backends

from local.account import ACCOUNT_ID
from turnkey.store.objects import PASSING


def read_objects() -> dict[str, dict[str, bytes]]:
    """The content of each object by its key, by the bucket's name."""
    buckets: dict[str, Any] = _backend().buckets
    return {
        name: {str(key.name): bytes(key.value) for key in bucket.keys.values() if not str(key.name).startswith(PASSING)}
        for name, bucket in buckets.items()
    }


def put_objects(bucket: str, objects: dict[str, bytes]) -> None:
    """Those that `read_objects` returned. A bucket that the template no longer has is left out."""
    backend = _backend()
    if bucket in backend.buckets:
        for key, content in objects.items():
            backend.put_object(bucket, key, content)


def _backend() -> Any:
    return s3_backends[ACCOUNT_ID]["aws"]
