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
    """A fresh directory for its duration. In Lambda, where /tmp is the function's alone and outlives even a function
    that was killed, all of it is emptied before and after: what a server put there would meet the next tenant's."""
    place = Path(tempfile.gettempdir())
    is_alone = "AWS_EXECUTION_ENV" in os.environ
    if is_alone:
        _empty(place)
    home = Path(tempfile.mkdtemp(prefix="stdio-", dir=place))
    try:
        yield home
    finally:
        _remove(home)
        if is_alone:
            _empty(place)


def _empty(place: Path) -> None:
    for path in place.iterdir():
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
