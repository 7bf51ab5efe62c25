"""Where a server may write: a directory of its own, gone when it is gone."""

import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any


@contextmanager
def private_home() -> Generator[Path]:
    """A fresh directory for its duration. In Lambda all of /tmp is emptied after it: whatever a server put there would
    meet the next tenant's. On a machine that is not the function's alone the rest of /tmp is left."""
    place = Path(tempfile.gettempdir())
    home = Path(tempfile.mkdtemp(prefix="stdio-", dir=place))
    try:
        yield home
    finally:
        for path in list(place.iterdir()) if "AWS_EXECUTION_ENV" in os.environ else [home]:
            _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path, onerror=_openly)
    else:
        with suppress(OSError):
            path.unlink()


def _openly(remove: Callable[..., Any], path: str, _: Any) -> None:
    """Once more, with the rights that were taken away."""
    with suppress(OSError):
        os.chmod(Path(path).parent, stat.S_IRWXU)
        os.chmod(path, stat.S_IRWXU)
        if remove is os.scandir or remove is os.open or remove is os.lstat:
            shutil.rmtree(path, ignore_errors=True)
        else:
            remove(path)
