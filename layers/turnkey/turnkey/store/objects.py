"""Objects too large for a row. Keys begin with the tenant, as partition keys do."""

from botocore.exceptions import ClientError

from turnkey.store import clients


class ObjectStore:
    def __init__(self, bucket: str) -> None:
        self._bucket = bucket

    def put(self, key: str, content: bytes) -> None:
        clients.s3().put_object(Bucket=self._bucket, Key=key, Body=content)

    def find(self, key: str) -> bytes | None:
        """The content, or None when there is no such object, or it has expired."""
        try:
            return clients.s3().get_object(Bucket=self._bucket, Key=key)["Body"].read()
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") not in ("NoSuchKey", "404"):
                raise
            return None
