"""Objects too large for a row. Keys begin with tenants/<id>/, as partition keys do, or with
passing/tenants/<id>/."""

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

    def delete(self, key: str) -> None:
        """Without complaint where there is none."""
        clients.s3().delete_object(Bucket=self._bucket, Key=key)


def passing(tenant: str, place: str) -> str:
    """Key of what goes after a month, with the rows that name it; template.yaml has the rule. Everything else of a
    tenant's, under tenants/<id>/, stays (docs/decisions)."""
    return f"{PASSING}tenants/{tenant}/{place}"


PASSING = "passing/"
"""What the keys of objects begin with that expire by themselves."""
