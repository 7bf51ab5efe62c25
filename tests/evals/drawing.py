"""What drawing a chart costs: python -m tests.evals.drawing"""

import resource
import sys
import time
from collections.abc import Callable
from statistics import median
from typing import Any

from turnkey.deliverables.charts import aggregate, spec
from turnkey.deliverables.rendering import render
from turnkey.deliverables.rows import Rows

LANGUAGES = ("English", "中文", "日本語", "한국어", "Русский", "العربية", "Türkçe")


def main() -> int:
    imported, _ = timed(lambda: __import__("vl_convert"))
    rows = tuple({"language": language} for place, language in enumerate(LANGUAGES) for _ in range(9 + place))
    picture = spec(aggregate(Rows(rows, 299), "language"), language="ja")
    first, (png, svg) = timed(lambda: render(picture))
    later = median(timed(lambda: render(picture))[0] for _ in range(20))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"import {imported * 1000:.0f} ms, first {first:.2f} s, later {later:.2f} s, {memory:.0f} MB at most")
    print(f"PNG {len(png):,} bytes, SVG {len(svg.encode()):,} bytes")
    return 0


def timed(run: Callable[[], Any]) -> tuple[float, Any]:
    begun = time.perf_counter()
    result = run()
    return time.perf_counter() - begun, result


if __name__ == "__main__":
    sys.exit(main())
