"""Values in a reply that neither came back nor were said: prices, ids, dates, times, numbers, titles."""

import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cached_property

from turnkey.reply.checks.clock import bare_hours, moments
from turnkey.reply.checks.dates import When, agrees, dates
from turnkey.reply.checks.folding import fold, plain
from turnkey.reply.checks.marks import marks
from turnkey.reply.checks.names import digits_of, names, stands_in
from turnkey.reply.checks.numbers import numbers
from turnkey.reply.checks.reading import Reading
from turnkey.reply.checks.sentences import Sentence
from turnkey.reply.checks.titles import titles
from turnkey.reply.checks.vocabulary import Vocabulary, vocabulary
from turnkey.reply.finding import Finding, finding
from turnkey.reply.ledger import Ledger

_ENUMERATOR = re.compile(
    r"(?m)^[ \t]{0,20}(?:[-*•][ \t]{0,9})?#?\d{1,2} ?[.)、）](?!\d)|[(（]\d{1,2}[)）]|(?<![\w.,:])\d{1,2}\)|24 ?/ ?7"
)
_PERCENT = re.compile(r"^\s?%|^\s?٪")
_PAST = 2000
"""Dates of an earlier year are history, not appointments."""


class Grounds:
    """What a ledger holds, by the forms in which a reply could repeat it."""

    def __init__(self, ledger: Ledger, words: Vocabulary) -> None:
        self.ledger = ledger
        self.words = words
        self.text = ledger.folded_text

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        return self.ledger.numbers() | {Decimal(minutes // 60) for minutes in self.minutes}

    @cached_property
    def paid(self) -> frozenset[Decimal]:
        """What an amount may be: any number that came back; of what was said, those with a currency, if some have."""
        said = fold(self.ledger.said)
        priced = [next(numbers(match["a"] or match["b"])).readings for match in self.words.money.finditer(said)]
        if not priced:
            return self.numbers
        return self.ledger.returned_numbers.union(*priced)

    @cached_property
    def dates(self) -> tuple[When, ...]:
        return tuple(dates(self.text, self.words, slashed=True))

    @cached_property
    def minutes(self) -> frozenset[int]:
        spelled = {minutes for moment in moments(self.text, self.words) for minutes in moment.minutes}
        return frozenset(spelled | set(bare_hours(self.text, self.words)))

    @cached_property
    def digits(self) -> str:
        return digits_of(self.text)

    @cached_property
    def currencies(self) -> set[str]:
        found = {code for match in self.words.money.finditer(self.text) for code in _codes(match, self.words)}
        codes = re.findall(
            r"(?<![a-z])(eur|usd|gbp|chf|jpy|cny|rub|krw|try|inr|brl|mxn|aed|sar|egp)(?![a-z])", self.text
        )
        return found | {code.upper() for code in codes}


def ungrounded(reading: Reading) -> Iterator[Finding]:
    """Checkable values that stand nowhere in the ledger. Sums and differences are not excused.

    Where nothing was due and nothing came back, a reply may tell what everybody knows: then only what an answer about
    this business would hold is checked."""
    languages = tuple(dict.fromkeys([*(wording.language for wording in reading.wordings), "en"]))
    grounds = Grounds(reading.ledger, vocabulary(languages))
    # What only strangers say is no ground for a sentence about ourselves.
    own = Grounds(reading.ledger.own, grounds.words) if reading.ledger.has_public() else grounds
    strict = reading.due != "answer" or any(fact.status == "ok" for fact in reading.ledger.results)
    for sentence in reading.sentences:
        check = _Check(reading, sentence, grounds, strict)
        found = (_Check(reading, sentence, own, strict) if check.says_we_have() else check).first()
        if found:
            yield finding("ungrounded", found if found in sentence.text else sentence.text)


class _Check:
    """One sentence's values. Each kind is taken out of the text before the next is looked for."""

    def __init__(self, reading: Reading, sentence: Sentence, grounds: Grounds, strict: bool) -> None:
        self.reading = reading
        self.sentence = sentence
        self.grounds = grounds
        self.strict = strict
        self.left = _ENUMERATOR.sub(lambda found: " " * len(found.group()), sentence.folded)

    def first(self) -> str:
        """The first value without ground, as it stands in the folded text; empty if there is none."""
        steps: tuple[Callable[[], str], ...] = (
            self._titles,
            self._names,
            self._dates,
            self._moments,
            self._amounts,
            self._percents,
            self._counts,
            self._numbers,
        )
        return next((found for step in steps if (found := step())), "")

    def _names(self) -> str:
        missing = ""
        for name in names(self.left, self.grounds.words):
            self._take(name.start, name.end)
            if (
                not missing
                and not stands_in(name, self.grounds.text, self.grounds.digits)
                and self._is_ours(name.value)
            ):
                missing = name.value
        return missing

    def _is_ours(self, value: str) -> bool:
        """Without results, a name with hardly a figure in it (B12, GPT-4) may be anything in the world."""
        return self.strict or sum(map(str.isdigit, value)) > 2 or "." in value

    def _dates(self) -> str:
        missing = ""
        for when in dates(self.left, self.grounds.words):
            text = self._take(when.start, when.end)
            history = not self.strict and when.year is not None and when.year < _PAST
            if not missing and not history and not agrees(when, self.grounds.dates):
                missing = text
        return missing

    def _moments(self) -> str:
        missing = ""
        for moment in moments(self.left, self.grounds.words):
            text = self._take(moment.start, moment.end)
            if not missing and not moment.minutes & self.grounds.minutes:
                missing = text
        return missing

    def _amounts(self) -> str:
        missing = ""
        for match in self.grounds.words.money.finditer(self.left):
            text = self._take(*match.span())
            if not missing and not self._is_paid(match):
                missing = text
        return missing

    def _is_paid(self, match: re.Match[str]) -> bool:
        readings = next(numbers(match["a"] or match["b"])).readings
        codes, known = _codes(match, self.grounds.words), self.grounds.currencies
        return bool(readings & self.grounds.paid) and (not codes or not known or bool(codes & known))

    def _percents(self) -> str:
        word = re.compile(rf"\s?(?:{self.grounds.words.one_of('percent')})")
        for number in numbers(self.left):
            behind = self.left[number.end :]
            before = self.left[: number.start].rstrip(" %٪")
            is_share = _PERCENT.match(behind) or word.match(behind) or before.endswith(("百分之", "yüzde", "%"))
            if not is_share:
                continue
            text = self._take(number.start, number.end)
            shares = number.readings | {reading / 100 for reading in number.readings}
            if not shares & self.grounds.numbers and (self.strict or self._speaks_of_us()):
                return f"{text}%"
        return ""

    def _counts(self) -> str:
        """How many there are, said of what is on offer: as figures, or as words from four on."""
        if self.strict:
            return self._counted_in_words()
        for _, hit in self.reading.hits("counts", self.left):
            text = self.left[hit.start : hit.end]
            found = list(numbers(text))
            if found and not any(number.readings & self.grounds.numbers for number in found):
                return text
        return self._counted_in_words()

    def _counted_in_words(self) -> str:
        for word, number in self.grounds.words.counted.items():
            place = self.left.find(word)
            if place < 0 or Decimal(number) in self.grounds.numbers or word in self.grounds.text:
                continue
            spelled = f"{self.left[:place]} {number} {self.left[place + len(word) :]}"
            if _stands_alone(self.left, place, word) and self.reading.says("counts", " ".join(spelled.split())):
                return word
        return ""

    def _numbers(self) -> str:
        if not self.strict:
            return ""
        for number in numbers(self.left):
            if not number.readings & self.grounds.numbers:
                return self.left[number.start : number.end]
        return ""

    def _titles(self) -> str:
        framed = self._speaks_of_us()
        for title in titles(self.sentence.text):
            if self.grounds.ledger.grounds(title.text) or (not framed and not (self.strict and title.quoted)):
                continue
            if not _is_spread(plain(title.text), self.grounds.ledger.plain_text):
                return title.text
        return ""

    def _speaks_of_us(self) -> bool:
        """The sentence is about what this business has, offers or charges."""
        return self.says_we_have() or bool(marks(self.sentence.text) & {"price", "id", "author"})

    def says_we_have(self) -> bool:
        return self.reading.says("possess", self.sentence.folded)

    def _take(self, start: int, end: int) -> str:
        text = self.left[start:end]
        self.left = f"{self.left[:start]}{' ' * (end - start)}{self.left[end:]}"
        return text.strip()


def _codes(match: re.Match[str], words: Vocabulary) -> set[str]:
    return words.codes((match["before"] or match["behind"]).strip())


def _stands_alone(text: str, place: int, word: str) -> bool:
    before, behind = text[:place][-1:], text[place + len(word) :][:1]
    return not (before.isalpha() or (behind.isalpha() and word[-1:].isascii()))


def _is_spread(title: str, ledger_text: str) -> bool:
    """Whether all its longer words stand in the ledger, if not in a row: a title with its subtitle left out."""
    words = [word for word in re.findall(r"[^\W_]+", title) if len(word) > 3]
    return len(words) > 1 and all(word in ledger_text for word in words)
