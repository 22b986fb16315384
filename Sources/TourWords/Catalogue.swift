import CWords

/// The translations into one language, read from the gettext file inside the program at the first use.
/// Source: GNU gettext manual, "The Format of PO Files"; of it the part that `Scripts/words` writes.
package struct Catalogue: Sendable {
    /// By `msgid`; a phrase with a number has several forms. Phrases without a translation are left out.
    private let forms: [String: [String]]

    /// - Returns: nil for English, which needs no translations.
    static func of(_ language: Language) -> Catalogue? {
        switch language {
        case .english: nil
        case .turkish: turkish
        case .german: german
        case .spanish: spanish
        case .french: french
        case .arabic: arabic
        case .japanese: japanese
        }
    }

    private static let turkish = Catalogue(words_tr())
    private static let german = Catalogue(words_de())
    private static let spanish = Catalogue(words_es())
    private static let french = Catalogue(words_fr())
    private static let arabic = Catalogue(words_ar())
    private static let japanese = Catalogue(words_ja())

    private init(_ file: words_catalogue) {
        self.init(parsing: UnsafeBufferPointer(start: file.bytes, count: file.size))
    }

    /// - Parameter bytes: unreadable entries in them are left out.
    package init(parsing bytes: some Collection<UInt8>) {
        var forms = [String: [String]]()
        var entry = Entry()
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first, first != UInt8(ascii: "#") else { continue }
            let text = Self.quoted(line)
            if line.starts(with: "msgid_plural ".utf8) {
                entry.field = .other
            } else if line.starts(with: "msgid ".utf8) {
                entry.finish(into: &forms)
                entry = Entry(id: text)
            } else if line.starts(with: "msgstr".utf8) {
                entry.field = .translation
                entry.forms.append(text)
            } else {
                entry.add(text)
            }
        }
        entry.finish(into: &forms)
        self.forms = forms
    }

    /// - Returns: nil where the catalogue has none.
    package func translation(of key: String) -> String? { forms[key]?.first }

    /// The form for this number.
    /// - Returns: nil where the catalogue has none.
    package func translation(of key: String, number: Int, _ language: Language) -> String? {
        guard let forms = forms[key] else { return nil }
        let form = language.pluralForm(of: number)
        return form < forms.count ? forms[form] : nil
    }

    private struct Entry {
        enum Field { case id, other, translation }

        var id = ""
        var forms: [String] = []
        var field = Field.id

        /// Continues a string in the next line.
        mutating func add(_ text: String) {
            switch field {
            case .id: id += text
            case .other: break
            case .translation: forms[forms.count - 1] += text
            }
        }

        func finish(into catalogue: inout [String: [String]]) {
            guard !id.isEmpty, !forms.isEmpty, !forms.contains("") else { return }
            catalogue[id] = forms
        }
    }

    /// The text between the quotes of a line, with its escapes resolved.
    private static func quoted(_ line: some Collection<UInt8>) -> String {
        guard let open = line.firstIndex(of: UInt8(ascii: "\"")) else { return "" }
        var text = [UInt8]()
        var isEscaped = false
        for byte in line[line.index(after: open)...] {
            switch (isEscaped, byte) {
            case (true, UInt8(ascii: "n")): text.append(UInt8(ascii: "\n"))
            case (true, UInt8(ascii: "t")): text.append(UInt8(ascii: "\t"))
            case (true, _): text.append(byte)
            case (false, UInt8(ascii: "\\")):
                isEscaped = true
                continue
            case (false, UInt8(ascii: "\"")): return String(decoding: text, as: UTF8.self)
            case (false, _): text.append(byte)
            }
            isEscaped = false
        }
        return String(decoding: text, as: UTF8.self)
    }
}
