import Testing
import TourModel
import TourNode

/// Goal: names that people read as the same are found, and a name that is set has no blanks to hide behind.
/// Method: examples.
@Suite struct DisplayNameTests {
    private static func id(_ byte: UInt8) throws -> MemberID {
        try #require(MemberID([UInt8](repeating: byte, count: 32)))
    }

    @Test func blanksGo() {
        #expect(DisplayName.tidy("  Anna \t  B. ") == "Anna B.")
        #expect(DisplayName.tidy("\u{A0}Anna\u{3000}") == "Anna")
        #expect(DisplayName.tidy(" \u{2003} ").isEmpty)
    }

    @Test(arguments: [
        ("Guide", "guide"), ("Guide", " Guide "), ("Anna B.", "Anna   B."), ("IŞIL", "ışıl"), ("İpek", "ipek"),
        ("Zoé", "Zoe"), ("Guide", "Gui\u{200B}de"), ("Guide", "Guide\u{2060}"), ("Guide", "Gu\u{AD}ide"),
    ])
    func theseReadTheSame(one: String, other: String) {
        #expect(DisplayName.folded(one) == DisplayName.folded(other))
    }

    @Test func theseDoNot() {
        #expect(DisplayName.folded("Guide") != DisplayName.folded("Guido"))
        #expect(DisplayName.folded("Anna B") != DisplayName.folded("AnnaB"))
    }

    @Test func aBookKnowsNamesakes() throws {
        let (anna, ben, carl) = (try Self.id(1), try Self.id(2), try Self.id(3))
        var book = NameState()
        #expect(book[anna] == nil && book.namesakes(of: anna).isEmpty)
        book.set("Guide", of: anna)
        book.set("Ben", of: ben)
        #expect(book.namesakes(of: anna).isEmpty)
        book.set("guide ", of: ben)
        book.set("GUIDE", of: carl)
        #expect(book[ben] == "guide ")
        #expect(book.namesakes(of: anna) == [ben, carl])
        #expect(book.namesakes(of: ben) == [anna, carl])
        book.set("Ben", of: ben)
        #expect(book.namesakes(of: anna) == [carl])
        #expect(book.namesakes(of: ben).isEmpty)
        // The same name once more changes nothing.
        book.set("Guide", of: anna)
        #expect(book.namesakes(of: carl) == [anna])
    }
}
