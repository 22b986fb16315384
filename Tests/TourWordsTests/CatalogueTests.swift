import Testing
import TourWords

/// Goal: what a catalogue says is read as gettext's files mean it, and a broken file costs its broken entries only.
/// Method: small files in the text of the tests; every prefix of one.
@Suite struct CatalogueTests {
    private static func read(_ text: String) -> Catalogue { Catalogue(parsing: Array(text.utf8)) }

    private static let sample = """
        msgid ""
        msgstr ""
        "Language: de\\n"

        # for a person
        #: Sources/A.swift Sources/B.swift
        msgid "There is “{1}”."
        msgstr "„{1}“ gibt es."

        msgid ""
        "first line\\n"
        "second \\"line\\" \\\\ \\t."
        msgstr "eins\\n"
        "zwei \\"drei\\" \\\\ \\t."

        msgid "{1} link"
        msgid_plural "{1} links"
        msgstr[0] "{1} Verbindung"
        msgstr[1] "{1} Verbindungen"

        msgid "open"
        msgstr ""
        """

    @Test func entriesAreFound() {
        let catalogue = Self.read(Self.sample)
        #expect(catalogue.translation(of: "There is “{1}”.") == "„{1}“ gibt es.")
        #expect(catalogue.translation(of: "nothing of it") == nil)
        #expect(catalogue.translation(of: "") == nil)
    }

    @Test func escapesAndLongStringsAreUndone() {
        let key = "first line\nsecond \"line\" \\ \t."
        #expect(Self.read(Self.sample).translation(of: key) == "eins\nzwei \"drei\" \\ \t.")
    }

    @Test func numbersTakeTheirForm() {
        let catalogue = Self.read(Self.sample)
        #expect(catalogue.translation(of: "{1} link", number: 1, .german) == "{1} Verbindung")
        #expect(catalogue.translation(of: "{1} link", number: 0, .german) == "{1} Verbindungen")
        #expect(catalogue.translation(of: "{1} link", number: 0, .french) == "{1} Verbindung")
        // A form that the file has not.
        #expect(catalogue.translation(of: "{1} link", number: 3, .arabic) == nil)
        #expect(catalogue.translation(of: "{1} links", number: 3, .german) == nil)
    }

    /// English is better than half a translation.
    @Test func whatIsNotTranslatedIsLeftOut() {
        #expect(Self.read(Self.sample).translation(of: "open") == nil)
        let half = "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"x\"\nmsgstr[1] \"\"\n"
        #expect(Self.read(half).translation(of: "a", number: 1, .german) == nil)
        #expect(Self.read("msgid \"a\"\n").translation(of: "a") == nil)
    }

    @Test(arguments: [
        "", "\n\n", "msgstr \"x\"\n", "\"lost\"\nmsgid\nmsgstr\n", "msgid_plural \"b\"\nmsgstr[0] \"x\"\n",
        "msgid \"\\", "\u{FEFF}", "Keçi\n",
    ])
    func aBrokenFileHasNothing(text: String) { #expect(Self.read(text).translation(of: "a") == nil) }

    @Test func aBrokenEntrySinksNoOther() {
        let text = "msgid \"a\nmsgstr no quotes\nmsgid \"good\"\nmsgstr \"gut\" # behind it\r\n"
        #expect(Self.read(text).translation(of: "good") == "gut")
        let bytes = Array("msgid \"bad\"\nmsgstr \"".utf8) + [0xFF, 0xC3] + Array("\"\nmsgid \"a\"\nmsgstr \"b\"".utf8)
        #expect(Catalogue(parsing: bytes).translation(of: "a") == "b")
    }

    @Test func everyPrefixIsRead() {
        let bytes = Array(Self.sample.utf8)
        for end in bytes.indices {
            let catalogue = Catalogue(parsing: bytes[..<end])
            let found = catalogue.translation(of: "{1} link", number: 2, .german)
            #expect(found == nil || "{1} Verbindungen".hasPrefix(found ?? ""))
        }
    }
}
