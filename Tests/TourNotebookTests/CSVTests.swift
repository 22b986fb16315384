import Testing
import TourModel
import TourNotebook

/// Goal: a table reads back as it was written, and runs nothing in a spreadsheet; what other programs write is read,
/// what is damaged refused. Method: cells that are hard to quote, many drawn from a seed, and tables made by hand.
struct CSVTests {
    private static let pieces = [
        "a", ",", "\"", "\n", "\r", "\r\n", "'", "=", "+", "-", "@", " ", "\t", ";", "ş", "日本", "＝", "", "<script>",
    ]

    @Test func cellsReadBack() throws {
        var rng = SplitMix64(seed: 7)
        for _ in 0..<2_000 {
            let cells = (0..<3).map { _ in
                (0..<Int.random(in: 0...5, using: &rng)).compactMap { _ in Self.pieces.randomElement(using: &rng) }
                    .joined()
            }
            let table = CSV.record(["a", "b", "c"]) + CSV.record(cells)
            let records = try CSV.records(table.utf8)
            #expect(records.count == 2)
            // By scalars: strings that are equal may differ in them.
            #expect(records.last?.cells.map { Array($0.unicodeScalars) } == cells.map { Array($0.unicodeScalars) })
        }
    }

    @Test func noCellIsAFormula() {
        for text in ["=1", "'=1", "''+1", " @x", "-2"] { #expect(CSV.record([text]).hasPrefix("'")) }
        #expect(CSV.record(["-33.85", "-2"], numbers: [0]) == "-33.85,'-2\r\n")
    }

    @Test func othersTablesAreRead() throws {
        func cells(_ text: String) throws -> [[String]] { try CSV.records(text.utf8).map(\.cells) }
        #expect(try cells("a;b\n1,5;x\n") == [["a", "b"], ["1,5", "x"]])
        #expect(try cells("a\tb\r1\t\"x\ty\"") == [["a", "b"], ["1", "x\ty"]])
        #expect(try cells("\u{FEFF}a,b\r\n\r\n\n,\n") == [["a", "b"], ["", ""]])
        #expect(try cells("a\n\"\"\n") == [["a"], [""]])
        #expect(try cells("a\nx\"y\"\n\"x\"y\n") == [["a"], ["x\"y\""], ["xy"]])
        #expect(try cells("") == [])
        #expect(try CSV.records("a\n\"x\ny\"\nz".utf8).map(\.line) == [1, 2, 4])
    }

    @Test func aCutTableIsRefused() {
        #expect(throws: ImportFault.malformed(line: 2)) { try CSV.records("a\n\"x,y\n".utf8) }
        #expect(throws: ImportFault.unreadable) { try CSV.records([0x61, 0xFF]) }
    }

    @Test func partsOfACell() {
        for parts in [[], ["a"], ["a", "b,c", "d\"e"], ["sea view", "=1"]] {
            #expect(CSV.parts(of: CSV.list(parts)) == parts)
        }
        #expect(CSV.parts(of: " a , b,,") == ["a", "b"])
        #expect(CSV.parts(of: "\"a") == ["\"a"])
    }
}
