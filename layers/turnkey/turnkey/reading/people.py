"""A person's name, an e-mail address and a phone number in a customer's words, in the twelve languages."""

import re
from collections.abc import Iterable

_WORD = r"[A-ZÀ-ÖØ-ÞĀ-ŽА-ЯЁ][\w'’-]+"
_BETWEEN = r"(?:de|da|do|dos|del|della|di|la|le|van|von|der|den|bin|al|el|ibn)"
_NAME = rf"{_WORD}(?:\s+(?:{_BETWEEN}\s+)*(?:{_WORD}|[A-ZА-Я]\b\.?)){{0,3}}"
_SHY = r"(?:Dr|Doctor|Prof|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Tomorrow|Today|The|A|An|My|Me|It)\b"
_SAYS = (
    r"(?:my )?name(?:['’]s| is)|i am|i'm|this is|name(?: is)?:?|under(?: the name(?: of)?)?|on behalf of|"
    r"in the name of|"
    r"ich hei(?:ß|ss)e|mein name ist|ich bin|auf den namen|auf|unter(?: dem namen)?|name:?|"
    r"je m['’]appelle|mon nom est|je suis|au nom de|nom:?|"
    r"me llamo|mi nombre es|soy|a nombre de|nombre:?|"
    r"(?:o )?meu nome é|chamo-me|me chamo|sou(?: a| o)?|em nome d[eao]|nome:?|"
    r"mi chiamo|il mio nome è|sono|a nome(?: di)?|"
    r"меня зовут|моё имя|мое имя|я|на имя|имя:?|на"
)
_FOR = r"for|für|pour|para|per|для"
_SAID = re.compile(rf"(?<!\w)(?i:{_SAYS})\s+(?!{_SHY})({_NAME})")
_MY = r"my|our|his|her|mein\w*|unser\w*|mon|ma|mes|notre|mi|mis|nuestr\w|meu|minha|(?:il |la )?mi[oa]|мо\w+"
_KIN = rf"(?i:(?:{_MY})\s+\w+\s+)"
_MEANT = re.compile(rf"(?<!\w)(?i:{_FOR})\s+{_KIN}?(?!{_SHY})({_NAME})")
_LOWER = re.compile(
    r"(?i)(?<!\w)(?:(?:my )?name(?:['’]s| is)|name:?|mein name ist|ich hei(?:ß|ss)e|je m['’]appelle|me llamo|"
    r"meu nome é|mi chiamo|меня зовут|adım)\s+([^\W\d_][\w'’-]+(?:\s+[^\W\d_][\w'’-]+)?)\s*(?:[.,!;]|$)"
)
_HERE = re.compile(rf"(?<!\w)({_WORD}(?:\s+{_WORD})?) here\b")
_TURKISH = re.compile(
    rf"(?i:adım|ismim|ben)\s+({_NAME})|({_NAME})\s+(?i:adına|için)|(?i:adım|ismim|ad[ıi]):\s*({_NAME})"
)
_HAN = r"[\u4e00-\u9fff]"
_CHINESE = re.compile(
    rf"(?:我叫|我的名字[是叫]|名字[是叫]?[::]?|姓名[::]?|我是|以)\s*({_HAN}{{2,4}}?)(?=[,,。.!!、\s]|的名义|的名字|$)|"
    rf"(?:给|为|帮)({_HAN}{{2,3}})(?=预|订|留|约|保)"
)
_JAPANESE = re.compile(
    r"(?:名前は|氏名は?[::]?|私は)\s*([\u4e00-\u9fff\u3040-\u30ff々ー\s]{2,12}?)(?=です|と申|と言|といい|[。、,.\s]|$)|"
    r"(?:^|[。、,.!!\s])(?!名前|氏名|私|予約)([\u4e00-\u9fff]{1,4}[\u3040-\u30ff\u4e00-\u9fff]{1,5})です(?=[。、,.!!\s]|$)|"
    r"([\u4e00-\u9fff\u30a0-\u30ff々ー]{2,10})(?:と申します|といいます|と言います|の名前で|名義で)"
)
_KOREAN = re.compile(
    r"(?:이름은|성함은|저는|제 이름은|이름[::])\s*([가-힣]{2,5}?)(?=이고|입니다|이에요|예요|이요|라고|이라고|[,.\s]|$)|"
    r"([가-힣]{2,4})\s*(?:이름으로|앞으로|명의로)"
)
_ARABIC = re.compile(
    r"(?:اسمي|أنا|انا|باسم|الاسم:?|بإسم)\s+((?!أريد|اريد|أبحث|ابحث)[\u0621-\u064a]{2,}(?:\s+[\u0621-\u064a]{2,})?)"
)
_OTHERS = (_HERE, _LOWER, _TURKISH, _CHINESE, _JAPANESE, _KOREAN, _ARABIC)
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"(?<![\w-])\+?\d[\d ()/.-]{6,18}\d(?![\w-])")


def person(texts: Iterable[str]) -> str:
    """The name a customer gives, from the newest text back; who something is "for" counts where nobody is introduced.
    Empty where no name is given."""
    texts = tuple(texts)
    for patterns in ((_SAID, *_OTHERS), (_MEANT,)):
        for text in texts:
            for pattern in patterns:
                match = pattern.search(text)
                if match:
                    return next(group for group in match.groups() if group).strip()
    return ""


def email(texts: Iterable[str]) -> str:
    return _first(_EMAIL, texts)


def phone(texts: Iterable[str]) -> str:
    return _first(_PHONE, texts)


def _first(pattern: re.Pattern[str], texts: Iterable[str]) -> str:
    return next((match.group() for text in texts if (match := pattern.search(text))), "")
