"""What the platform itself writes about public pages, in twelve languages; English for any other."""

from collections.abc import Sequence

from turnkey.deliverables import Source
from turnkey.public.wording import line
from turnkey.reply.links import safe

_LISTED = {
    "en": "From public web pages, not from us:",
    "de": "Von öffentlichen Webseiten, nicht von uns:",
    "fr": "D’après des pages web publiques, et non de notre part :",
    "es": "De páginas web públicas, no nuestras:",
    "pt": "De páginas públicas da web, não nossas:",
    "it": "Da pagine web pubbliche, non nostre:",
    "ru": "С общедоступных веб-страниц, не от нас:",
    "zh": "来自公开网页，并非本店信息：",
    "ja": "公開ウェブページの情報です（当店の情報ではありません）：",
    "ko": "공개 웹페이지의 정보이며, 저희가 제공한 정보가 아닙니다:",
    "ar": "من صفحات عامة على الإنترنت، وليست منّا:",
    "tr": "Bize ait olmayan, herkese açık web sayfalarından:",
}
_FOUND = {
    "en": "I could not put together an answer that holds. These public pages may help:",
    "de": "Eine verlässliche Antwort konnte ich nicht geben. Diese öffentlichen Seiten helfen vielleicht weiter:",
    "fr": "Je n’ai pas pu formuler de réponse fiable. Ces pages publiques peuvent vous aider :",
    "es": "No he podido dar una respuesta fiable. Estas páginas públicas pueden ayudarle:",
    "pt": "Não consegui dar uma resposta fiável. Estas páginas públicas podem ajudar:",
    "it": "Non sono riuscito a dare una risposta affidabile. Queste pagine pubbliche possono aiutare:",
    "ru": "Надёжного ответа дать не удалось. Возможно, помогут эти общедоступные страницы:",
    "zh": "我无法给出可靠的答案。以下公开网页或许有帮助：",
    "ja": "確かな回答をまとめられませんでした。以下の公開ページが参考になるかもしれません：",
    "ko": "믿을 만한 답을 드리지 못했습니다. 다음 공개 페이지가 도움이 될 수 있습니다:",
    "ar": "لم أتمكن من تقديم إجابة موثوقة. قد تفيد هذه الصفحات العامة:",
    "tr": "Güvenilir bir yanıt veremedim. Şu herkese açık sayfalar yardımcı olabilir:",
}
TITLE_CHARACTERS = 80


def found_pages(language: str) -> str:
    """In place of an answer, where there are only pages to name."""
    return _say(_FOUND, language)


def with_sources(text: str, language: str, sources: Sequence[Source]) -> str:
    """The text with a line for each source behind it: [1] The title – site, and its address."""
    if not sources:
        return text
    head = () if text.rstrip().endswith(found_pages(language)) else (_say(_LISTED, language),)
    lines = (f"[{number}] {_named(source)}\n{source.url}" for number, source in enumerate(sources, start=1))
    return "\n".join((f"{text.rstrip()}\n", *head, *lines) if head else (text.rstrip(), *lines))


def _named(source: Source) -> str:
    """A title is a stranger's text too: short, and without addresses of its own."""
    title = safe(line(source.title, TITLE_CHARACTERS), "")
    return f"{title} – {source.site}" if title and title != source.site else source.site


def _say(words: dict[str, str], language: str) -> str:
    return words.get(language.split("-")[0].lower(), words["en"])
