"""Goal: the page is whole in every language, and small.
Method: its own word files, read in the browser that judges them by its own plural rules; its files, counted."""
from __future__ import annotations

import re
from pathlib import Path

from cases import Context, case, expect
from screen import LOCALES
from stage import stage

PAGE = Path(__file__).resolve().parents[2] / "Sources" / "CPage" / "page"
# What the whole page takes on its way, in all seven languages: more than half of it are words, of which a reader takes
# one seventh. It was 160,000 before guests: their panel, their words and what the handbook says of them take 4,000.
# With the handbook, whose chapter on the server grew; with what a removal ends, when things are, how a tour ends, urgent
# things one at a time, a sign with digits, and words to the guide alone.
SENT_MAX = 196_000
# And laid out as it is written, for a reader of one language, in Arabic, whose letters have two bytes each: it was
# 240,000 before guests.
WRITTEN_MAX = 280_000

# For each language and part: what differs from English in keys, values to fill in, and plural forms.
COMPARE = """async (languages) => {
    const wrong = [], owner = {};
    for (const part of ['', '-tour', '-notebook']) {
        for (const key of Object.keys((await import(`/words/en${part}.js`)).default)) {
            if (key in owner) wrong.push(`${key} is in en${owner[key]} and in en${part}: one hides the other`);
            owner[key] = part;
        }
    }
    const holes = (text) => [...new Set(text.match(/\\{\\w+\\}/g) ?? [])].sort().join();
    const forms = (word) => typeof word === 'object' ? Object.values(word) : [word];
    for (const part of ['', '-tour', '-notebook']) {
        const english = (await import(`/words/en${part}.js`)).default;
        for (const language of languages) {
            const words = (await import(`/words/${language}${part}.js`)).default;
            const where = `${language}${part}`;
            const plural = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
            for (const key of new Set([...Object.keys(english), ...Object.keys(words)])) {
                if (!(key in words)) { wrong.push(`${where} lacks ${key}`); continue; }
                if (!(key in english)) { wrong.push(`${where} has ${key}, English has not`); continue; }
                const word = words[key];
                if (forms(word).some((form) => typeof form !== 'string' || !form.trim())) wrong.push(`${where}: ${key} is empty`);
                if (typeof word === 'object') {
                    if (!('other' in word)) wrong.push(`${where}: ${key} has no form for 'other'`);
                    const strange = Object.keys(word).filter((form) => !plural.includes(form));
                    if (strange.length) wrong.push(`${where}: ${key} has forms that are never chosen: ${strange}`);
                }
                const wanted = forms(english[key]).map(holes), all = wanted.flatMap((one) => one.split(','));
                for (const form of forms(word)) {
                    const extra = holes(form).split(',').filter((hole) => hole && !all.includes(hole));
                    if (extra.length) wrong.push(`${where}: ${key} fills ${extra}, which English does not`);
                }
                const fullest = (word) => [...new Set(forms(word).flatMap((one) => holes(one).split(',')).filter(Boolean))].sort().join();
                if (fullest(word) !== fullest(english[key])) {
                    wrong.push(`${where}: ${key} fills ${fullest(word)}, not ${fullest(english[key])}`);
                }
            }
        }
    }
    return wrong;
}"""


@case
def words(context: Context) -> None:
    """All seven languages have the same words, with the same values in them and the plural forms that the language has."""
    with stage(context, "Words") as at:
        screen = at.screen(0)
        screen.enter()
        wrong = screen.page.evaluate(COMPARE, list(LOCALES))
        expect(not wrong, f"{len(wrong)} words are wrong: {'; '.join(wrong[:8])}")
        unknown = sorted(key for key in asked_for() if key not in screen.words())
        expect(not unknown, f"the page asks for {len(unknown)} words that there are not: {', '.join(unknown[:12])}")


@case
def written(context: Context) -> None:
    """Hours are written as in the reader's region, names turn nothing around them, what is cut short says so."""
    with stage(context, "Written") as at:
        screen = at.screen(0)
        screen.enter()
        made = screen.page.evaluate("""async () => {
            const [words, dom, parts, chat] = await Promise.all(
                ['words', 'dom', 'parts', 'chat/message'].map((name) => import(`/${name}.js`)));
            const gist = (content) => chat.gist({ type: 'text', content, metadata: {} });
            return {
                time: words.time('2026-05-01T14:05:00'),
                names: [dom.name('\u202eanna').textContent, parts.apart('a\u2069b'), parts.full({ name: '\u202eanna' }),
                    words.t('isRemoved', { name: '\u2069\u202eanna' }).replace(/[^\u2066-\u2069\u202a-\u202e]/g, '')],
                gists: [gist('b'.repeat(200)).length, gist('b'.repeat(201)).slice(-2)],
            };
        }""")
        expect(made["time"] == "14:05", f"two in the afternoon is written {made['time']} in Britain")
        expect(made["names"] == ["anna", "\u2068ab\u2069", "anna", "\u2068\u2069"], f"names turn: {made['names']!r}")
        expect(made["gists"] == [200, "b…"], f"a long message is told as {made['gists']}")


def asked_for() -> set[str]:
    """The keys that the page's code names outright, as `t('key')`."""
    code = "\n".join(path.read_text() for path in PAGE.rglob("*.js") if path.parent.name != "words")
    return set(re.findall(r"(?<![\w.])t\(\s*'([\w-]+)'", code))


@case
def sizes(context: Context) -> None:
    """The page is small, and the node serves each file of it as it is, compressed on its way."""
    files = sorted(path for path in PAGE.rglob("*") if path.is_file())
    expect(files, "there are no files of the page")
    for language in LOCALES:
        # One language, and not the handbook, which opens beside the page when it is asked for.
        fetched = [path for path in files if path.stem != "handbook"
                   and (path.parent.name != "words" or path.name.startswith(language))]
        total = sum(path.stat().st_size for path in fetched)
        expect(total < WRITTEN_MAX, f"the page takes {total:,} bytes in {language}, not under {WRITTEN_MAX:,}")
    with stage(context, "Sizes") as at:
        screen = at.screen(0)
        screen.enter()
        sent = 0
        for path in files:
            name = path.relative_to(PAGE).as_posix()
            served, size = screen.page.evaluate("""async (name) => {
                performance.clearResourceTimings();
                const answer = await fetch(`/${name}`, { cache: 'no-store' });
                const text = answer.ok ? await answer.text() : `status ${answer.status}`;
                return [text, performance.getEntriesByType('resource').at(-1)?.encodedBodySize];
            }""", name)
            expect(served == path.read_text(), f"{name} is served as something else: {served[:80]!r}")
            expect(0 < size < path.stat().st_size, f"{name} takes {size} bytes on its way, of {path.stat().st_size}")
            sent += size
        context.note(f"{sent:,} bytes in all languages")
        expect(sent < SENT_MAX, f"the page takes {sent:,} bytes on its way, not under {SENT_MAX:,}")
