"""Lines of mixed scripts to try tokenizers on: the same for the same seed.

Characters that Python's unicodedata does not know are left out, but for two that never will be characters: tables of other
versions of Unicode say more of them.
"""
import random
import unicodedata

# What words are made of: a range of letters, and what makes its script hard.
SCRIPTS = {
    "latin": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "accents": "àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿßœšžÀÉÎÕÜČŘŐŵǅǆḀẞạ",
    "greek": "αβγδεζηθικλμνξοπρσςτυφχψωΑΒΓΔΣΣΣΩάέήίόύώϊΐᾳᾼἈ",
    "turkish": "iıİIşŞğĞçÇöÖüÜabcİİ",
    "cyrillic": "абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЁЙЎ",
    "cjk": "的一是不了人我在有他这中大来上国豈更㐀㐁𠀀𠀁𪜀鿿",
    "kana": "あいうえおかがきぎアイウエオガパーｱｲﾞ",
    "hangul": "가나다라마바사아자차한국말각힣각",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإ\u064b\u064e\u0651\u0640",
    "hebrew": "אבגדהוזחטיכלמנסעפצקרשת\u05b0\u05b7\u05bcשּׁ",
    "devanagari": "अआइईकखगघचजटडतथदनपबमयरलवशसह\u093e\u093f\u0940\u0941\u094d\u0902क़",
    "thai": "กขคงจชซณดตถทนบปผพมยรลวสหอฮะาำเแโ\u0e31\u0e34\u0e35\u0e48\u0e49",
    "emoji": "😀🎉👍🏽❤\ufe0f🇩🇪👩\u200d💻✓☃",
    "roman": "ⅠⅡⅣⅷⓐⒷªº🄰ʰʼ",
    "digits": "0123456789٠١٢३४५๑½²Ⅻ",
}
MARKS = "\u0300\u0301\u0302\u0308\u0323\u0327\u0345\u0328\u20d0\u1dc0\u302a\u0f71\u0f74\u0903\U0001d165"
PUNCTUATION = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~¡¿«»–—…‘’“”、。「」،؟।·՟\u037e\u0387\u2024€©±"
SPACES = ["\t", "\n", "\r", "\x0b", "\x0c", "\x1c", "\x1f", "\x85", "\xa0", "\u1680", "\u2003", "\u200a", "\u2028", "\u2029",
          "\u202f", "\u205f", "\u3000", "  "]
CONTROLS = ["\x00", "\x01", "\x07", "\x1b", "\x7f", "\x80", "\xad", "\u200b", "\u200e", "\u2060", "\ufeff", "\ufffd", "\ufffe",
            "\ue000", "\U000e0001", "\U0010ffff"]


def random_word(dice):
    letters = SCRIPTS[dice.choice(sorted(SCRIPTS))]
    if dice.random() < 0.05:
        letters += SCRIPTS[dice.choice(sorted(SCRIPTS))]
    length = dice.choice((1, 2, 3, 4, 5, 6, 8, 12)) if dice.random() > 0.004 else dice.randint(195, 260)
    word = "".join(dice.choice(letters) for _ in range(length))
    if dice.random() < 0.1:
        at = dice.randint(0, len(word))
        word = word[:at] + "".join(dice.choice(MARKS) for _ in range(dice.randint(1, 4))) + word[at:]
    if dice.random() < 0.05:
        at = dice.randint(0, len(word))
        word = word[:at] + dice.choice(CONTROLS) + word[at:]
    return word


def random_line(dice, words):
    """Words of before come again, as in a language."""
    line = dice.choice(SPACES) if dice.random() < 0.1 else ""
    for _ in range(dice.randint(0, 14)):
        if words and dice.random() < 0.6:
            word = words[int(len(words) * dice.random() ** 3)]
        else:
            word = random_word(dice)
            words.append(word)
        line += word
        if dice.random() < 0.2:
            line += dice.choice(PUNCTUATION)
        line += " " if dice.random() < 0.85 else dice.choice(SPACES + ["", ""])
    return line


def random_lines(count, seed):
    dice, words = random.Random(seed), []
    return [random_line(dice, words) for _ in range(count)]


def every_character(each=40):
    """Lines with every character that unicodedata knows, between letters that show what it does to a sigma beside it."""
    known = [chr(c) for c in range(0x110000) if unicodedata.category(chr(c)) not in ("Cn", "Cs", "Co")]
    return [" ".join(f"a{c}Σ{c} {c}Σb" for c in known[at : at + each]) for at in range(0, len(known), each)]
