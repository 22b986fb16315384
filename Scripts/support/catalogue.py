"""Reads and writes gettext catalogues: the part of the format that Sources/TourWords/Catalogue.swift reads."""

from dataclasses import dataclass, field

# The number of forms that a noun has beside a number. Source: Unicode CLDR, plural rules for cardinals.
PLURALS = {
    "tr": "nplurals=1; plural=0;",
    "ja": "nplurals=1; plural=0;",
    "de": "nplurals=2; plural=(n != 1);",
    "es": "nplurals=2; plural=(n != 1);",
    "fr": "nplurals=2; plural=(n > 1);",
    "ar": "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
}


@dataclass
class Entry:
    id: str
    plural: str | None = None
    forms: list = field(default_factory=list)
    places: list = field(default_factory=list)

    @property
    def is_translated(self):
        return bool(self.forms) and all(self.forms)


def forms_of(language):
    return int(PLURALS[language].split("=")[1].split(";")[0])


def merged(phrase, old, language):
    """The entry of a phrase, with its existing translation."""
    count = 1 if phrase.plural is None else forms_of(language)
    forms = old.forms if old and old.plural == phrase.plural and len(old.forms) == count else [""] * count
    return Entry(phrase.id, phrase.plural, forms, sorted({place.rsplit(":", 1)[0] for place in phrase.places}))


def unquoted(text):
    text = text.strip()[1:-1]
    out, at = [], 0
    while at < len(text):
        if text[at] == "\\":
            out.append({"n": "\n", "t": "\t"}.get(text[at + 1], text[at + 1]))
            at += 2
        else:
            out.append(text[at])
            at += 1
    return "".join(out)


def quoted(text):
    def escape(part):
        return part.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t").replace("\n", "\\n")

    if "\n" not in text:
        return f'"{escape(text)}"'
    return '""\n' + "\n".join(f'"{escape(line)}"' for line in text.splitlines(keepends=True))


def read(path):
    entries, target = [], None
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if line.startswith("msgid_plural "):
            entries[-1].plural, target = unquoted(line[13:]), "plural"
        elif line.startswith("msgid "):
            entries.append(Entry(unquoted(line[6:])))
            target = "id"
        elif line.startswith("msgstr"):
            entries[-1].forms.append(unquoted(line.split(" ", 1)[1]))
            target = "form"
        elif target == "id":
            entries[-1].id += unquoted(line)
        elif target == "plural":
            entries[-1].plural += unquoted(line)
        else:
            entries[-1].forms[-1] += unquoted(line)
    return [entry for entry in entries if entry.id]


def write(path, language, entries):
    head = (
        'msgid ""\nmsgstr ""\n'
        f'"Language: {language}\\n"\n'
        '"Content-Type: text/plain; charset=UTF-8\\n"\n"Content-Transfer-Encoding: 8bit\\n"\n'
        f'"Plural-Forms: {PLURALS[language]}\\n"\n'
    )
    parts = [head]
    for entry in entries:
        lines = [f"#: {' '.join(entry.places)}", f"msgid {quoted(entry.id)}"]
        if entry.plural is None:
            lines.append(f"msgstr {quoted(entry.forms[0])}")
        else:
            lines.append(f"msgid_plural {quoted(entry.plural)}")
            lines += [f"msgstr[{number}] {quoted(form)}" for number, form in enumerate(entry.forms)]
        parts.append("\n".join(lines) + "\n")
    path.write_text("\n".join(parts), encoding="utf-8")
