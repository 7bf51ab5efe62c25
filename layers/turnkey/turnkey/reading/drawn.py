"""A request for a chart without its words for drawing: what is left is what the chart is of."""

import re

NOUN = re.compile(
    r"\S*(?:chart|graph|gráfic|grafic|grafik|diagram|histogram|график|диаграмм|图|圖|グラフ|図|차트|그래프|رسم|مخطط|plot)\S*",
    re.I,
)
BY = re.compile(
    r"(?i)\b(?:by|per|for each|nach|pro|je|par|por|per|по|cada|each)\b(.*)$|(.*?)(?:别|別|별|に|göre|bazında|حسب)"
)
_TAIL = re.compile(r"(?i)\b(?:by|per|for each|nach|pro|je|par|por|cada|each|по)\s+[^,.;!?]*$")
_VERB = re.compile(
    r"(?i)\b(?:draw|plot|make|show|give|create|visuali[sz]e|zeichne\w*|erstell\w*|mach\w*|zeig\w*|dessine\w*|"
    r"trace\w*|fais|faites|dibuj\w*|haz\w*|muéstr\w*|desenh\w*|faça|faz\w*|mostr\w*|disegn\w*|fai|fammi|"
    r"построй\w*|нарисуй\w*|покаж\w*|сделай\w*|çiz\w*|göster\w*|yap\w*)\b"
)
_OF = re.compile(
    r"(?i)^\W*(?:(?:me|us|mir|uns|moi|nous|me|mi|ci|мне|нам|bana|bize|a|an|the|ein\w*|un[ae]?|of|von|der|de|du|"
    r"des|del|della|degli|dei|das|dos|los|las|your|eure\w*|ihre\w*|vos|tus|sus)\s+)+"
)


def undrawn(message: str) -> str:
    """Such as "chess books" of "Draw a chart of your chess books by level". The message where nothing is left."""
    bare = _TAIL.sub(" ", message.rstrip(" .!?。！？؟"))
    bare = NOUN.sub(" ", _VERB.sub(" ", bare))
    bare = _OF.sub("", " ".join(bare.split()))
    return bare.strip() or message
