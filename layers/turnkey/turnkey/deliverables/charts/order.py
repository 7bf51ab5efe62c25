"""Orders that labels have of their own: sizes, weekdays, months, levels with numbers."""

import re
from collections.abc import Callable, Sequence

from turnkey.deliverables.charts.vocabulary import LANGUAGES, phrase
from turnkey.deliverables.charts.words import fold, words

_SCALES = (
    ("xxxs", "xxs", "xs", "s", "m", "l", "xl", "xxl", "xxxl"),
    ("extra small", "small", "medium", "large", "extra large"),
    ("very low", "low", "medium", "high", "very high", "critical"),
    ("beginner", "easy", "elementary", "medium", "intermediate", "hard", "difficult", "advanced", "expert"),
    ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
    ("mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag"),
    ("lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi", "dimanche"),
    ("lunes", "martes", "miercoles", "jueves", "viernes", "sabado", "domingo"),
    ("segunda-feira", "terca-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sabado", "domingo"),
    ("lunedi", "martedi", "mercoledi", "giovedi", "venerdi", "sabato", "domenica"),
    ("понедельник", "вторник", "среда", "четверг", "пятница", "суббота", "воскресенье"),
    ("星期一", "星期二", "星期三", "星期四", "星期五", "星期六", "星期日"),
    ("周一", "周二", "周三", "周四", "周五", "周六", "周日"),
    ("月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日", "日曜日"),
    ("월요일", "화요일", "수요일", "목요일", "금요일", "토요일", "일요일"),
    ("الاثنين", "الثلاثاء", "الاربعاء", "الخميس", "الجمعة", "السبت", "الاحد"),
    ("pazartesi", "sali", "carsamba", "persembe", "cuma", "cumartesi", "pazar"),
)
_NUMBERED = re.compile(r"(\D{0,12}?)(\d{1,4})(\D{0,12})")

Rank = Callable[[str], tuple[str, float]]


def scale_of(labels: Sequence[str]) -> Rank | None:
    """The rank of each label where they all are of one scale, such as S, M, XL or A1, A2, B1; None for other labels."""
    folded = {fold(label) for label in labels}
    if len(folded) < 2:
        return None
    for scale in (*(_folded(scale) for scale in _SCALES), *_months()):
        if folded <= scale.keys():
            return lambda label, scale=scale: ("", scale[fold(label)])
    if all(_NUMBERED.fullmatch(label) for label in folded):
        return _numbered
    return None


def _folded(scale: Sequence[str]) -> dict[str, int]:
    return {fold(name): place for place, name in enumerate(scale)}


def _months() -> list[dict[str, int]]:
    english = words("january february march april may june july august september october november december")
    short = [phrase("months", language).replace(".", "").split() for language in LANGUAGES]
    return [_folded(english), *(_folded(names) for names in short)]


def _numbered(label: str) -> tuple[str, float]:
    found = _NUMBERED.fullmatch(fold(label))
    return (found[1], float(found[2])) if found else (label, 0.0)
