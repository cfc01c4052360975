"""Sentences to learn languages from: fetched as Debian packages, read, cleaned, and parted into those to train on and those that are
kept apart.

    python models/language_id/texts.py [--cache build/language_id]

What a text belongs to (a page of a manual, a message of a program) decides where it goes, the same for all its translations;
then training loses every sentence that is nearly one that is kept apart.
"""
import argparse
import ast
import gettext
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree
import zipfile
import zlib

HERE = pathlib.Path(__file__).resolve().parent
CACHE = HERE.parent.parent / "build" / "language_id"
HELD_OUT = 4  # of 100 pages or messages

# The label, its script, and the names of its translations: of Firefox's package, and of the other packages' folders.
LANGUAGES = {
    "Arabic": ("ARABIC", "ar", ["ar", "ar-MA"]),
    "Basque": ("LATIN", "eu", ["eu"]),
    "Bulgarian": ("CYRILLIC", "bg", ["bg"]),
    "Catalan": ("LATIN", "ca", ["ca", "ca-ES"]),
    "Chinese": ("CJK", "zh-cn", ["zh_CN", "zh_TW", "zh-CN", "zh-TW"]),
    "Croatian": ("LATIN", "hr", ["hr", "hr-HR"]),
    "Czech": ("LATIN", "cs", ["cs", "cs-CZ"]),
    "Danish": ("LATIN", "da", ["da", "da-DK"]),
    "Dutch": ("LATIN", "nl", ["nl", "nl-NL"]),
    "English": ("LATIN", "en-gb", ["C", "en-US", "en_GB"]),
    "Estonian": ("LATIN", "et", ["et"]),
    "Finnish": ("LATIN", "fi", ["fi"]),
    "French": ("LATIN", "fr", ["fr", "fr-FR"]),
    "German": ("LATIN", "de", ["de", "de-DE"]),
    "Greek": ("GREEK", "el", ["el", "el-GR"]),
    "Hebrew": ("HEBREW", "he", ["he"]),
    "Hindi": ("DEVANAGARI", "hi-in", ["hi"]),
    "Hungarian": ("LATIN", "hu", ["hu"]),
    "Indonesian": ("LATIN", "id", ["id", "id-ID"]),
    "Italian": ("LATIN", "it", ["it", "it-IT"]),
    "Japanese": ("CJK", "ja", ["ja", "ja-JP"]),
    "Korean": ("HANGUL", "ko", ["ko", "ko-KR"]),
    "Latvian": ("LATIN", "lv", ["lv"]),
    "Lithuanian": ("LATIN", "lt", ["lt"]),
    "Norwegian": ("LATIN", "nb-no", ["nb_NO", "nb-NO"]),
    "Persian": ("ARABIC", "fa", ["fa", "fa-IR"]),
    "Polish": ("LATIN", "pl", ["pl", "pl-PL"]),
    "Portuguese": ("LATIN", "pt-br pt-pt", ["pt", "pt_BR", "pt-BR"]),
    "Romanian": ("LATIN", "ro", ["ro", "ro-RO"]),
    "Russian": ("CYRILLIC", "ru", ["ru", "ru-RU"]),
    "Serbian": ("CYRILLIC", "sr", ["sr"]),
    "Slovak": ("LATIN", "sk", ["sk"]),
    "Slovenian": ("LATIN", "sl", ["sl"]),
    "Spanish": ("LATIN", "es-es", ["es", "es-ES"]),
    "Swedish": ("LATIN", "sv-se", ["sv", "sv-SE"]),
    "Turkish": ("LATIN", "tr", ["tr", "tr-TR"]),
    "Ukrainian": ("CYRILLIC", "uk", ["uk"]),
    "Vietnamese": ("LATIN", "vi", ["vi", "vi-VN"]),
}
MANUALS = ["gnome-user-docs", "debian-handbook"]
GAME = "wesnoth-1.16-data"
BROWSER = "firefox-esr-l10n-"
WITHOUT_SPACES = ("CJK",)


def fetch(cache):
    """The packages, unpacked into a folder each."""
    names = MANUALS + [GAME] + [BROWSER + part for _, parts, _ in LANGUAGES.values() for part in parts.split()]
    debs, folders = cache / "debs", {}
    for folder in (debs, cache / "unpacked"):
        folder.mkdir(parents=True, exist_ok=True)
    missing = [name for name in names if not list(debs.glob(name + "_*.deb"))]
    if missing:
        subprocess.run(["apt-get", "-o", "APT::Sandbox::User=root", "download", *missing], cwd=debs, check=True)
    for name in names:
        folders[name] = cache / "unpacked" / name
        if not folders[name].exists():
            subprocess.run(["dpkg-deb", "-x", next(debs.glob(name + "_*.deb")), folders[name]], check=True)
    return folders


def sentences(paragraph, script):
    """Cut behind full stops, which in some scripts no space follows."""
    ends = "(?<=[。！？])" if script in WITHOUT_SPACES else r"(?<=[.!?…।؟])\s+"
    return re.split(ends, paragraph)


def mallard(folder, language):
    """GNOME's manuals: (page, text of an element that has sentences)."""
    for name in LANGUAGES[language][2]:
        for page in sorted(folder.glob(f"usr/share/help/{name}/gnome-help/*.page")):
            for element in xml.etree.ElementTree.parse(page).iter():
                if element.tag.rsplit("}")[-1] in ("p", "title", "desc"):
                    yield page.stem, "".join(element.itertext())


class Paragraphs(html.parser.HTMLParser):
    """The text of <div class="para">, without what is nested as blocks."""

    def __init__(self):
        super().__init__()
        self.open, self.found = [], []

    def handle_starttag(self, tag, attributes):
        if tag in ("div", "pre", "table"):
            inside = tag == "div" and ("class", "para") in attributes
            self.open.append([] if inside else None)

    def handle_endtag(self, tag):
        if tag in ("div", "pre", "table") and self.open:
            text = self.open.pop()
            if text:
                self.found.append("".join(text))

    def handle_data(self, data):
        if self.open and self.open[-1] is not None:
            self.open[-1].append(data)


def handbook(folder, language):
    for name in LANGUAGES[language][2]:
        for page in sorted(folder.glob(f"usr/share/doc/debian-handbook/html/{name}/*.html")):
            parser = Paragraphs()
            parser.feed(page.read_text(encoding="utf-8"))
            for text in parser.found:
                yield page.stem, text


def fluent(folder, _):
    """Firefox's messages: (file and name, text)."""
    for archive in sorted(folder.glob("**/*.xpi")):
        with zipfile.ZipFile(archive) as files:
            for name in sorted(files.namelist()):
                if name.endswith(".ftl"):
                    yield from fluent_messages(pathlib.Path(name).stem, files.read(name).decode())


def fluent_messages(file, text):
    key, parts = "", []
    for line in text.splitlines() + ["end ="]:
        begin = re.match(r"(-?[\w-]+|\s+\.[\w-]+)\s*=\s*(.*)", line)
        if begin:
            if parts and "->" not in " ".join(parts):
                message = re.sub(r"\{\s*-brand[\w-]*\s*\}", "Firefox", " ".join(parts))
                yield f"{file}/{key}", re.sub(r"\{[^}]*\}", "", message)
            key, parts = begin[1].strip(), [begin[2]]
        elif line.startswith(" "):
            parts.append(line.strip())
        else:
            parts = []


def catalogues(folder, language):
    """The game's messages: (message in English, text)."""
    for name in LANGUAGES[language][2]:
        for file in sorted(folder.glob(f"usr/share/games/wesnoth/*/locale/{name}/LC_MESSAGES/*.mo")):
            with open(file, "rb") as opened:
                catalogue = gettext.GNUTranslations(opened)._catalog
            for message, text in catalogue.items():
                message = message[0] if isinstance(message, tuple) else message
                message = re.sub(r"^[^\n^]*\^", "", message.split("\x04")[-1])
                if message:
                    yield message, message if language == "English" else text


SPACY = "spacy==3.8.18"
# Where spaCy calls a language otherwise than Firefox.
CODES = {"Norwegian": "nb", "Spanish": "es", "Swedish": "sv", "Portuguese": "pt", "Chinese": "zh", "English": "en", "Hindi": "hi"}


def spacy(cache, language, file):
    """What a module of spaCy's for a language assigns: its expressions."""
    cache = pathlib.Path(cache)
    if not list(cache.glob("spacy-*.whl")):
        subprocess.run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", cache, SPACY], check=True)
    with zipfile.ZipFile(next(cache.glob("spacy-*.whl"))) as wheel:
        name = f"spacy/lang/{CODES.get(language, LANGUAGES[language][1])}/{file}.py"
        if name not in wheel.namelist():
            return []
        return [node.value for node in ast.parse(wheel.read(name)).body if isinstance(node, ast.Assign)]


def function_words(cache, language):
    """Its most frequent words, such as articles: spaCy's stop words."""
    words = set()
    for value in spacy(cache, language, "stop_words"):
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                words.update(unicodedata.normalize("NFC", node.value).split())
    return sorted(word.replace("_", " ") for word in words if letters(word))


def clean(text):
    text = re.sub(r"<[^<>]*>", " ", text)
    text = re.sub(r"https?://\S+|\S*[/\\]\S*|\S*[$%{}@|=_]\S*", " ", text)
    text = unicodedata.normalize("NFC", text).replace("\u00ad", "").replace("\u200b", "")
    return re.sub(r"\s+", " ", text).strip(" \t*•–-—~→▸:,;")


def letters(text):
    return "".join(c for c in text.lower() if unicodedata.category(c)[0] in "LM")


def scripts_of(name):
    return ("CJK", "HIRAGANA", "KATAKANA") if name == "CJK" else (name,)


# None of them is a frequent word of another language here.
ENGLISH_WORDS = set("the and this that your you from were they but which have also would there when its used using only such these "
                    "into between been with".split())
SCRIPT_OF = {}


def script_of(character):
    if character not in SCRIPT_OF:
        SCRIPT_OF[character] = unicodedata.name(character, "").split(" ")[0].split("-")[0]
    return SCRIPT_OF[character]


def usable(text, language):
    """Whether it is long enough, mostly words, in the language's own script, and not left in English."""
    script = LANGUAGES[language][0]
    if len(text) < (6 if script in ("CJK", "HANGUL") else 14) or len(text) > 400:
        return False
    found = letters(text)
    if len(found) < 0.7 * len(text.replace(" ", "")):
        return False
    own = sum(script_of(c) in scripts_of(script) for c in found)
    if own < (0.9 if script == "LATIN" else 0.7) * len(found):
        return False
    if language == "English":
        return True
    words = re.findall(r"[^\W\d_]+", text.lower())
    return sum(word in ENGLISH_WORDS for word in words) < max(2, 0.15 * len(words))


def read(folders):
    """Lists of (language, source, group, sentence), each sentence once."""
    english, pieces, rows = set(), set(), []
    for language in ["English"] + [name for name in LANGUAGES if name != "English"]:
        script, browser, _ = LANGUAGES[language]
        sources = [(MANUALS[0], mallard, folders[MANUALS[0]]), (MANUALS[1], handbook, folders[MANUALS[1]]),
                   (GAME, catalogues, folders[GAME])]
        sources += [("firefox-esr-l10n", fluent, folders[BROWSER + part]) for part in browser.split()]
        seen = set()
        for source, reader, folder in sources:
            for group, paragraph in reader(folder, language):
                for sentence in map(clean, sentences(re.sub(r"\s+", " ", paragraph), script)):
                    key = letters(sentence)
                    if key in seen or key in english or not usable(sentence, language):
                        continue
                    if language == "English":
                        pieces.update(shingles(sentence))
                    elif in_common(sentence, pieces) > 0.4:
                        continue
                    seen.add(key)
                    rows.append((language, source, group, sentence))
        if language == "English":
            english = seen
        print(f"{language}: {len(seen)} sentences", flush=True)
    return rows


def apart(source, group):
    return zlib.crc32(f"{source}/{group}".encode()) % 100 < HELD_OUT


def in_common(sentence, pieces):
    """How much of what it is made of is among them."""
    own = shingles(sentence)
    return sum(piece in pieces for piece in own) / len(own)


def shingles(sentence):
    text = letters(sentence)
    width = min(12, max(4, len(text) // 3)) if script_of(text[0]) != "LATIN" else 12
    return {text[i:i + width] for i in range(max(1, len(text) - width + 1))}


def part(rows):
    """Those to train on and those kept apart. Of the former, those go that have a third of what they are made of in common with
    one that is kept apart of their language."""
    train, held_out, known = [], [], {}
    for row in rows:
        (held_out if apart(row[1], row[2]) else train).append(row)
    for language, _, _, sentence in held_out:
        known.setdefault(language, set()).update(shingles(sentence))
    return [row for row in train if in_common(row[3], known.get(row[0], ())) < 1 / 3], held_out


def prepare(cache=CACHE):
    """(rows to train on, rows kept apart), read from the cache if they are there."""
    cache = pathlib.Path(cache)
    file = cache / "sentences.json"
    if not file.exists():
        train, held_out = part(read(fetch(cache)))
        file.write_text(json.dumps({"train": train, "held_out": held_out}, ensure_ascii=False), encoding="utf-8")
    rows = json.loads(file.read_text(encoding="utf-8"))
    return rows["train"], rows["held_out"]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", default=CACHE, help="folder that keeps packages and sentences (default: build/language_id)")
    print("%d to train on, %d kept apart" % tuple(map(len, prepare(parser.parse_args().cache))))
