"""What mail programs write around a quote, as each language has it. `{name}` and `{address}` are the sender's."""

from typing import NamedTuple


class Tongue(NamedTuple):
    """One language. `labels` are those of From, Sent, To, Subject above an original, `sent` the date beside them.

    `short` is the form without an address that Thunderbird and others use.
    """

    code: str
    gmail: str
    apple: str
    short: str
    labels: tuple[str, str, str, str]
    sent: str
    phone: str


TONGUES = (
    Tongue(
        "en",
        "On Tue, Dec 1, 2026 at 10:03 AM {name} <{address}> wrote:",
        "On Dec 1, 2026, at 10:03 AM, {name} <{address}> wrote:",
        "On 12/1/26 10:03, {name} wrote:",
        ("From:", "Sent:", "To:", "Subject:"),
        "Tuesday, December 1, 2026 10:03 AM",
        "Sent from my iPhone",
    ),
    Tongue(
        "fr",
        "Le mar. 1 déc. 2026 à 10:03, {name} <{address}> a écrit :",
        "Le 1 déc. 2026 à 10:03, {name} <{address}> a écrit :",
        "Le 01/12/2026 à 10:03, {name} a écrit :",
        ("De :", "Envoyé :", "À :", "Objet :"),
        "mardi 1 décembre 2026 10:03",
        "Envoyé de mon iPhone",
    ),
    Tongue(
        "de",
        "Am Di., 1. Dez. 2026 um 10:03 Uhr schrieb {name} <{address}>:",
        "Am 01.12.2026 um 10:03 schrieb {name} <{address}>:",
        "Am 01.12.26 um 10:03 schrieb {name}:",
        ("Von:", "Gesendet:", "An:", "Betreff:"),
        "Dienstag, 1. Dezember 2026 10:03",
        "Von meinem iPhone gesendet",
    ),
    Tongue(
        "es",
        "El mar, 1 dic 2026 a las 10:03, {name} (<{address}>) escribió:",
        "El 1 dic 2026, a las 10:03, {name} <{address}> escribió:",
        "El 1/12/26 a las 10:03, {name} escribió:",
        ("De:", "Enviado:", "Para:", "Asunto:"),
        "martes, 1 de diciembre de 2026 10:03",
        "Enviado desde mi iPhone",
    ),
    Tongue(
        "it",
        "Il giorno mar 1 dic 2026 alle ore 10:03 {name} <{address}> ha scritto:",
        "Il giorno 1 dic 2026, alle ore 10:03, {name} <{address}> ha scritto:",
        "Il 01/12/26 10:03, {name} ha scritto:",
        ("Da:", "Inviato:", "A:", "Oggetto:"),
        "martedì 1 dicembre 2026 10:03",
        "Inviato da iPhone",
    ),
    Tongue(
        "nl",
        "Op di 1 dec 2026 om 10:03 schreef {name} <{address}>:",
        "Op 1 dec 2026, om 10:03 heeft {name} <{address}> het volgende geschreven:",
        "Op 01-12-2026 om 10:03 schreef {name}:",
        ("Van:", "Verzonden:", "Aan:", "Onderwerp:"),
        "dinsdag 1 december 2026 10:03",
        "Verstuurd vanaf mijn iPhone",
    ),
    Tongue(
        "pl",
        "wt., 1 gru 2026 o 10:03 {name} <{address}> napisał(a):",
        "Wiadomość napisana przez {name} <{address}> w dniu 1 gru 2026, o godz. 10:03:",
        "W dniu 1.12.2026 o 10:03, {name} pisze:",
        ("Od:", "Wysłane:", "Do:", "Temat:"),
        "wtorek, 1 grudnia 2026 10:03",
        "Wysłane z iPhone'a",
    ),
    Tongue(
        "sv",
        "Den tis 1 dec. 2026 kl 10:03 skrev {name} <{address}>:",
        "1 dec. 2026 kl. 10:03 skrev {name} <{address}>:",
        "Den 2026-12-01 kl. 10:03, skrev {name}:",
        ("Från:", "Skickat:", "Till:", "Ämne:"),
        "den 1 december 2026 10:03",
        "Skickat från min iPhone",
    ),
    Tongue(
        "pt",
        "Em ter., 1 de dez. de 2026 às 10:03, {name} <{address}> escreveu:",
        "No dia 01/12/2026, às 10:03, {name} <{address}> escreveu:",
        "Em 01/12/2026 10:03, {name} escreveu:",
        ("De:", "Enviada em:", "Para:", "Assunto:"),
        "terça-feira, 1 de dezembro de 2026 10:03",
        "Enviado do meu iPhone",
    ),
    Tongue(
        "ru",
        "вт, 1 дек. 2026 г. в 10:03, {name} <{address}>:",
        "1 дек. 2026 г., в 10:03, {name} <{address}> написал(а):",
        "01.12.2026 10:03, {name} пишет:",
        ("От:", "Отправлено:", "Кому:", "Тема:"),
        "1 декабря 2026 г. 10:03",
        "Отправлено с iPhone",
    ),
    Tongue(
        "ja",
        "2026年12月1日(火) 10:03 {name} <{address}>:",
        "2026/12/01 10:03、{name} <{address}>のメール:",
        "On 2026/12/01 10:03, {name} wrote:",
        ("差出人:", "送信日時:", "宛先:", "件名:"),
        "2026年12月1日 10:03",
        "iPhoneから送信",
    ),
    Tongue(
        "zh",
        "{name} <{address}> 于2026年12月1日周二 10:03写道：",
        "在 2026年12月1日，10:03，{name} <{address}> 写道：",
        "在 2026/12/1 10:03, {name} 写道:",
        ("发件人:", "发送时间:", "收件人:", "主题:"),
        "2026年12月1日 10:03",
        "发自我的iPhone",
    ),
    Tongue(
        "fi",
        "ti 1. jouluk. 2026 klo 10.03 {name} ({address}) kirjoitti:",
        "{name} <{address}> kirjoitti 1.12.2026 kello 10.03:",
        "{name} kirjoitti 1.12.2026 klo 10.03:",
        ("Lähettäjä:", "Lähetetty:", "Vastaanottaja:", "Aihe:"),
        "tiistai 1. joulukuuta 2026 10.03",
        "Lähetetty iPhonesta",
    ),
    Tongue(
        "ar",
        "\u202bفي الثلاثاء، 1 ديسمبر 2026 في 10:03 ص تمت كتابة ما يلي بواسطة \u202a{name}\u202c <\u202a{address}\u202c>:\u202c",
        "في ١ ديسمبر ٢٠٢٦، الساعة 10:03 ص، كتب {name} <{address}>:",
        "في 1/12/2026 10:03، كتب {name}:",
        ("من:", "تاريخ الإرسال:", "إلى:", "الموضوع:"),
        "الثلاثاء، 1 ديسمبر 2026 10:03",
        "أرسلت من الـ iPhone",
    ),
)
EN, FR, DE = TONGUES[:3]
