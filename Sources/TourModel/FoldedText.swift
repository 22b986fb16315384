/// Text without the differences that people ignore or confuse when they type a search: case, accents and vowel points,
/// the dot of an i, the width of letters, the digits of a script, and letters that look otherwise at the end of a word.
///
/// Without Foundation, which nothing else here needs: combining marks are dropped, and letters with a built-in mark
/// are looked up in a table. Vowel signs that are letters of their scripts (of India, Thailand) stay.
package enum FoldedText {
    /// Folds a text; both the search and the searched text need that.
    package static func of(_ text: String) -> String {
        var folded = String.UnicodeScalarView()
        for scalar in text.lowercased().unicodeScalars {
            if scalar.isASCII {
                folded.append(scalar)
            } else if !isPassedOver(scalar) {
                folded.append(contentsOf: replacements[scalar] ?? [narrowed(scalar)])
            }
        }
        return String(folded)
    }

    /// Accents, vowel points and what nobody sees, and the line that stretches Arabic words.
    private static func isPassedOver(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\u{640}" || scalar.isInvisibleMark { return true }
        // Strokes through a letter, the points of Hebrew, Arabic and Syriac, and accents. Other classes belong to their
        // letters: the dot below those of India, the voicing of kana, vowels of Thailand.
        switch scalar.properties.canonicalCombiningClass.rawValue {
        case 1, 10...36, 200...: return true
        default: return false
        }
    }

    /// Letters of East Asian width as ASCII, and digits of all scripts as those of ASCII.
    private static func narrowed(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar == "\u{3000}" ? " " : scalar.narrow.digit ?? scalar.narrow
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
        for (offset, letter) in halfwidth.unicodeScalars.enumerated() {
            Unicode.Scalar(UInt32(0xFF66 + offset)).map { table[$0] = [letter] }
        }
        return table
    }()

    /// The full letters for which the katakana of half width from U+FF66 on stand.
    private static let halfwidth =
        "ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u{3099}\u{309A}"

    /// A base letter, followed by the letters that fold to it. Source: UnicodeData.txt of Unicode 15, lower-case
    /// letters with a canonical decomposition; ı, ł, đ, ð, ħ, ø, ς and ſ by hand, and what people type for each other
    /// or have at the ends of words in Arabic and Hebrew.
    private static let rows = [
        "aàáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ", "bḃḅḇ", "cçćĉċčḉ", "dďḋḍḏḑḓđð", "eèéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ", "fḟ",
        "gĝğġģǧǵḡ", "hĥȟḣḥḧḩḫẖħ", "iìíîïĩīĭįǐȉȋḭḯỉịı", "jĵǰ", "kķǩḱḳḵ", "lĺļľḷḹḻḽł", "mḿṁṃ", "nñńņňǹṅṇṉṋ",
        "oòóôõöōŏőơǒǫǭǿȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợø", "pṕṗ", "rŕŗřȑȓṙṛṝṟ", "sśŝşšșṡṣṥṧṩẛſ", "tţťțṫṭṯṱẗ",
        "uùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự", "vṽṿ", "wŵẁẃẅẇẉẘ", "xẋẍ", "yýÿŷȳẏẙỳỵỷỹ", "zźżžẑẓẕ", "ʒǯ", "αά", "εέ",
        "ηή", "ιΐίϊ", "οό", "σς", "υΰϋύ", "ωώ", "аӑӓ", "гѓ", "еѐёӗ", "жӂӝ", "зӟ", "ийѝӣӥ", "кќ", "оӧ", "уўӯӱӳ",
        "чӵ", "ыӹ", "эӭ", "ії", "ѵѷ", "әӛ", "өӫ",
        // Greek with the accents of old, Arabic and Hebrew.
        "αἀἁἂἃἄἅἆἇὰάᾀᾁᾂᾃᾄᾅᾆᾇᾰᾱᾲᾳᾴᾶᾷ", "εἐἑἒἓἔἕὲέ", "ηἠἡἢἣἤἥἦἧὴήᾐᾑᾒᾓᾔᾕᾖᾗῂῃῄῆῇ", "ιἰἱἲἳἴἵἶἷὶίῐῑῒΐῖῗ", "οὀὁὂὃὄὅὸό",
        "ρῤῥ", "υὐὑὒὓὔὕὖὗὺύῠῡῢΰῦῧ", "ωὠὡὢὣὤὥὦὧὼώᾠᾡᾢᾣᾤᾥᾦᾧῲῳῴῶῷ", "ϒϓϔ", "\u{627}\u{622}\u{623}\u{625}\u{671}",
        "\u{648}\u{624}", "\u{64A}\u{626}\u{649}\u{6CC}", "\u{643}\u{6A9}",
        "\u{647}\u{629}\u{6C1}\u{6D5}\u{6C0}\u{6C2}", "\u{6D2}\u{6D3}", "\u{5D0}\u{FB2E}\u{FB2F}\u{FB30}",
        "\u{5D1}\u{FB31}\u{FB4C}", "\u{5D2}\u{FB32}", "\u{5D3}\u{FB33}", "\u{5D4}\u{FB34}", "\u{5D5}\u{FB35}\u{FB4B}",
        "\u{5D6}\u{FB36}", "\u{5D8}\u{FB38}", "\u{5D9}\u{FB1D}\u{FB39}", "\u{5DB}\u{5DA}\u{FB3A}\u{FB3B}\u{FB4D}",
        "\u{5DC}\u{FB3C}", "\u{5DE}\u{5DD}\u{FB3E}", "\u{5E0}\u{5DF}\u{FB40}", "\u{5E1}\u{FB41}",
        "\u{5E4}\u{5E3}\u{FB43}\u{FB44}\u{FB4E}", "\u{5E6}\u{5E5}\u{FB46}", "\u{5E7}\u{FB47}", "\u{5E8}\u{FB48}",
        "\u{5E9}\u{FB2A}\u{FB2B}\u{FB2C}\u{FB2D}\u{FB49}", "\u{5EA}\u{FB4A}", "\u{5F2}\u{FB1F}",
    ]
}
