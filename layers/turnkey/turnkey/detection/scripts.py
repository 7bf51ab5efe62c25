"""What a text's script tells of its language."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache
from typing import NamedTuple

ONE_LANGUAGE = {
    "HANGUL": "ko",
    "GREEK": "el",
    "HEBREW": "he",
    "THAI": "th",
    "BENGALI": "bn",
    "TAMIL": "ta",
    "TELUGU": "te",
    "GUJARATI": "gu",
    "GURMUKHI": "pa",
    "KANNADA": "kn",
    "MALAYALAM": "ml",
    "SINHALA": "si",
    "GEORGIAN": "ka",
    "ARMENIAN": "hy",
    "KHMER": "km",
    "LAO": "lo",
    "MYANMAR": "my",
    "ETHIOPIC": "am",
}
"""Scripts that have, for our purpose, one language."""
_EAST = {"CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "BOPOMOFO"}
EAST = "EAST"
"""Han and kana: Chinese or Japanese."""

# Words and endings of talk, rare in titles.
_CHINESE = re.compile(
    r"[吗嗎呢吧啊呀你您们們请請谢謝麼没沒哪给給这這谁誰嘅唔冇咗喺佢买買订訂忘找画畫]|怎[么麼样樣]|什[么麼]|多少|可以|[想需]要|"
    r"我[要想的]|有[无無货貨]|好的|不[是要用好]|早上好|晚上好|推荐|推薦|帮|幫|几[点個个號号]|幾[點個号號]|取消|退款|看看|告[诉訴]|比[较較]|提醒|"
    r"今[天晚]|明[天早晚]|昨天|太[贵貴]|明白|知道|了[。！!？?\s]*$"
)
_JAPANESE = re.compile(
    r"こんにち|こんばん|おはよ|ありがと|お願い|おねがい|すみません|在庫|予約|料金|値段|送料|営業|返品|領収書|承知|注文|大丈夫|至急|"
    r"何[時円冊]|到着|子供|[円様頃込]|です|ます|ませ|した[。？！\s]|して|ください|下さい|ある|あり|ない|なに|なん|たい|ほしい|欲しい|"
    r"いる|いくら|いつ|どこ|どれ|どの|どう|だれ|誰|これ|それ|あれ|この|その|じゃ|だけ|から|まで|もっと|もう|[はをが](?=[^の])|か[？?。]|"
    r"はい|いいえ|くれ|もら|見せ|教え|って|[ただるいよねてなう][。！!？?\s]*$"
)
_KOREAN = re.compile(
    r"[요까죠]\b|[니습합입][다까]|주세|세요|나요|[있없]|해\s?[줘주]|싶|얼마|언제|어디|무엇|뭐|어떻게|왜|누[가구]|안녕|감사|고마|네\b|아니|"
    r"이거|그거|저거|좀\b|말고|[는은을를]\s|[어아지네해래줘게][.!?~\s]*$"
)


class HanForms(NamedTuple):
    """How many characters of a text only simplified Chinese has, only traditional (with Japanese), only Japanese."""

    simplified: int
    traditional: int
    japanese: int


@lru_cache(maxsize=4096)
def script(character: str) -> str:
    """The script of a letter as Unicode names it; EAST for Han and kana; empty for what is no letter."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "").split(" ")[0]
    return EAST if name in _EAST else name


def letters(text: str) -> Counter[str]:
    """How many letters of each script."""
    return Counter(found for found in map(script, text) if found)


def kana(text: str) -> int:
    return sum("\u3041" <= character <= "\u30fa" for character in text)


def han(text: str) -> int:
    return sum(script(character) == EAST for character in text) - kana(text)


def talk(text: str, language: str) -> int:
    """How many words of talk in a text of one of the scripts without lists of words: zh, ja, ko."""
    pattern = {"zh": _CHINESE, "ja": _JAPANESE, "ko": _KOREAN}.get(language)
    return sum(1 for _ in pattern.finditer(text)) if pattern else 0


def han_forms(text: str) -> HanForms:
    """Counts by what the national character sets hold."""
    forms = [_form(character) for character in text]
    return HanForms(*(sum(form[place] for form in forms) for place in range(3)))


@lru_cache(maxsize=4096)
def _form(character: str) -> HanForms:
    if not "\u4e00" <= character <= "\u9fff":
        return HanForms(0, 0, 0)
    simplified, traditional, japanese = (_has(character, name) for name in ("gb2312", "big5", "shift_jis"))
    return HanForms(
        int(simplified and not traditional and not japanese),
        int(traditional and not simplified),
        int(japanese and not simplified and not traditional),
    )


def _has(character: str, encoding: str) -> bool:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True
