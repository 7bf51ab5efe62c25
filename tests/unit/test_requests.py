"""A plain request for a reminder is known by its words, and the time is told apart from what it is about."""

import pytest

from turnkey.schedules import requests, wording
from turnkey.schedules.schedule import alarm_name, key, message_id

PLAIN = [
    ("remind me tomorrow at nine to call the dentist", "tomorrow at nine", "call the dentist"),
    ("Could you please remind me to water the plants tomorrow at nine?", "tomorrow at nine", "water the plants"),
    ("Set a reminder for tomorrow at nine: pay the rent. Thanks!", "tomorrow at nine", "pay the rent"),
    ("Remind me of it tomorrow", "tomorrow", ""),
    ("remind me in 2 hours.", "in 2 hours", ""),
    ("Erinnere mich morgen um neun daran, den Zahnarzt anzurufen", "morgen um neun", "den Zahnarzt anzurufen"),
    ("Kannst du mich morgen um 9 Uhr an den Zahnarzt erinnern?", "morgen um 9 Uhr", "den Zahnarzt"),
    ("Rappelle-moi demain à 9h d’appeler le dentiste", "demain à 9h", "appeler le dentiste"),
    ("Recuérdame mañana a las nueve llamar al dentista", "mañana a las nueve", "llamar al dentista"),
    ("Lembra-me amanhã às nove de ligar ao dentista", "amanhã às nove", "ligar ao dentista"),
    ("Ricordami domani alle nove di chiamare il dentista", "domani alle nove", "chiamare il dentista"),
    ("Напомни мне завтра в девять позвонить врачу, пожалуйста", "завтра в девять", "позвонить врачу"),
    ("Don't forget to remind me tonight to take my pills", "tonight", "take my pills"),
    ("Не забудь напомнить мне вечером про таблетки", "вечером", "таблетки"),
    ("今晚别忘了提醒我吃药", "今晚", "吃药"),
    ("明天下午三点提醒我给牙医打电话", "明天下午三点", "给牙医打电话"),
    ("请提醒我明天下午三点开会", "明天下午三点", "开会"),
    ("明日の午後3時に歯医者に電話するようリマインドしてください", "明日の午後3時", "歯医者に電話する"),
    ("내일 오후 3시에 치과에 전화하라고 알려줘", "내일 오후 3시에", "치과에 전화"),
    ("내일 오후 3시에 회의 알림 설정해 줘", "내일 오후 3시에", "회의"),
    ("ذكرني غدا الساعة التاسعة أن أتصل بطبيب الأسنان", "غدا الساعة التاسعة", "أتصل بطبيب الأسنان"),
    ("Yarın saat dokuzda dişçiyi aramamı hatırlat", "Yarın saat dokuzda", "dişçiyi aramamı"),
]
OTHER = [
    "What is the price of Moby-Dick?",
    "明日の天気を教えて",
    "내일 날씨 알려줘",
    "Pouvez-vous me rappeler demain à 9h ?",
    "Don't remind me of that tomorrow",
    "Remind me tomorrow at nine. And what does Emma cost?",
    "This reminds me of tomorrow",
    "Can you remind me what the price is?",
    "Ich erinnere mich morgen",
    "不要提醒我明天的会议",
    "Remind me tomorrow at nine to call the dentist and tell me what Emma costs",
    "明天下午三点提醒我开会，还有爱玛多少钱？什么时候开门？",
    "Mum has her birthday on Saturday, remind me the day before",
    "Am Samstag hat Mama Geburtstag, erinnere mich am Tag davor",
    "周六是妈妈生日，前一天提醒我一下",
    "土曜日は母の誕生日なので、前日にリマインドしてください",
    "В субботу у мамы день рождения, напомни накануне",
    "You really remind me of my old teacher, who comes tomorrow",
    "It reminded me of yesterday",
    "Ich kann mich nicht mehr an morgen erinnern",
    "Isso me lembra a minha infância",
    "Esse cheiro me lembra a casa da minha avó",
    "هذا يذكرني بطفولتي",
    "リマインドありがとうございます",
    "Cancel the reminder for tomorrow",
    "",
]
CANCELLING = [
    "cancel that reminder",
    "Please cancel the reminder.",
    "lösch die Erinnerung bitte",
    "annule le rappel",
    "cancela el recordatorio",
    "cancela o lembrete",
    "annulla il promemoria",
    "отмени напоминание",
    "取消那个提醒",
    "リマインダーをキャンセルして",
    "알림 취소해 줘",
    "ألغ التذكير",
    "hatırlatıcıyı iptal et",
]


@pytest.mark.parametrize(("message", "when", "about"), PLAIN)
def test_a_plain_request_is_parted_into_time_and_text(message: str, when: str, about: str) -> None:
    asked = requests.request(message)
    assert asked is not None
    named = when.removesuffix("에")
    assert requests.part(asked, lambda words: named in words) == (when, about)


@pytest.mark.parametrize("message", OTHER)
def test_what_is_no_plain_request_is_none(message: str) -> None:
    assert requests.request(message) is None


@pytest.mark.parametrize("message", CANCELLING)
def test_taking_a_reminder_back_is_known_in_twelve_languages(message: str) -> None:
    assert requests.cancels(message)
    assert requests.request(message) is None


@pytest.mark.parametrize(
    "message",
    [
        "cancel my order",
        "Cancel the reminder and set one for 5pm",
        "remind me tomorrow to cancel the reminder",
        "Cancel the reminder for my appointment, and then " + "tell me more " * 20,
    ],
)
def test_anything_beside_taking_it_back_is_left_to_the_model(message: str) -> None:
    assert not requests.cancels(message)


def test_words_that_do_not_name_the_moment_alone_are_not_parted() -> None:
    asked = requests.request("remind me tomorrow to call")
    assert asked
    assert requests.part(asked, lambda _: False) is None


def test_every_language_says_everything_with_the_same_values() -> None:
    for language in wording.LANGUAGES:
        said = wording.say(language, "set", when="{at}", text="a {b} c")
        assert "{at}" in said, language
        assert "a {b} c" in said, language
        for name in ("ask_time", "ask_once", "ask_sooner"):
            assert wording.say(language, name)
    assert wording.reminder("xx", "tea") == wording.reminder("en", "tea")


def test_names_are_the_same_for_the_same_call_and_fit() -> None:
    first, again = key("web", "c-1", "turn/call_0_0"), key("web", "c-1", "turn/call_0_0")
    assert first == again
    assert key("web", "c-1", "turn/call_0_0", 1) != first
    assert key("web", "c-2", "turn/call_0_0") != first
    name = alarm_name("a" * 40, first)
    assert len(name) == 64
    assert name.startswith("a" * 40 + ".")
    assert len(message_id(first)) < 256
