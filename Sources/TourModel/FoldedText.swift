/// Text without the differences that people ignore or confuse when they type a search: case, accents, the dot of an
/// i.
///
/// Without Foundation, which nothing else here needs: combining accents are dropped, and letters with a built-in
/// accent are looked up in a table (Latin, Greek, Cyrillic). Other scripts stay as they are.
package enum FoldedText {
    /// Folds a text; both the search and the searched text need that.
    package static func of(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars where !(0x300...0x36F).contains(scalar.value) {
            if scalar.isASCII {
                folded.append(scalar)
            } else {
                folded.append(contentsOf: replacements[scalar] ?? [scalar])
            }
        }
        return String(folded)
    }

    private static let replacements: [Unicode.Scalar: [Unicode.Scalar]] = {
        var table: [Unicode.Scalar: [Unicode.Scalar]] = [:]
        for row in rows {
            let letters = Array(row.unicodeScalars)
            for letter in letters.dropFirst() { table[letter] = [letters[0]] }
        }
        for (letters, replacement) in [("ß", "ss"), ("æǣǽ", "ae"), ("œ", "oe")] {
            for letter in letters.unicodeScalars { table[letter] = Array(replacement.unicodeScalars) }
        }
        return table
    }()

    /// A base letter, followed by the letters that fold to it. Source: UnicodeData.txt of Unicode 15, lower-case
    /// letters with a canonical decomposition; ı, ł, đ, ð, ħ, ø, ς and ſ by hand.
    private static let rows = [
        "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "bḃḅḇ", "cçćĉċčḉ", "dďḋḍḏḑḓđð", "eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "fḟ",
        "gĝğġģǧǵḡ", "hĥȟḣḥḧḩḫẖħ", "iìíîïĩīĭįǐȉȋḭḯỉịı", "jĵǰ", "kķǩḱḳḵ", "lĺļľḷḹḻḽł", "mḿṁṃ", "nñńņňǹṅṇṉṋ",
        "oòóôõöōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợø", "pṕṗ", "rŕŗřȑȓṙṛṝṟ", "sśŝşšșṡṣṥṧṩẛſ", "tţťțṫṭṯṱẗ",
        "uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "vṽṿ", "wŵẁẃẅẇẉẘ", "xẋẍ", "yýÿŷȳẏẙỳỵỷỹ", "zźżžẑẓẕ", "ʒǯ", "αά", "εέ",
        "ηή", "ιΐίϊ", "οό", "σς", "υΰϋύ", "ωώ", "аӑӓ", "гѓ", "еѐёӗ", "жӂӝ", "зӟ", "ийѝӣӥ", "кќ", "оӧ", "уўӯӱӳ",
        "чӵ", "ыӹ", "эӭ", "ії", "ѵѷ", "әӛ", "өӫ",
    ]
}
