import Testing
import TourAPI
import TourClient
import TourJSON
import TourWords

/// Goal: the line about an announcement names as many of the missing as fit, never more than the terminal is wide.
/// Method: answers made by hand, at every width.
@Suite struct ReceiptSummaryTests {
    private static func summary(_ missing: [String], members: Int = 46, read: Int = 12) -> Receipts? {
        let counts: JSON = [
            "members": .number(String(members)), "delivered": .number(String(members - missing.count)),
            "read": .number(String(read)),
        ]
        let names = JSON.list(missing.map { JSON.text($0) })
        return try? answered(["id": "0a", "counts": counts, "missing": names, "members": .list([])])
    }

    @Test func namesTheMissing() throws {
        let names = ["Anna", "Ben", "Carl", "Dora", "Emil"]
        let summary = try #require(Self.summary(names))
        #expect(summary.counts.delivered == 41 && summary.counts.read == 12)
        #expect(summary.line(columns: 80, in: .english) == "41 of 46 have it, missing: Anna, Ben, Carl, Dora, Emil")
        #expect(summary.line(columns: 54, in: .english) == "41 of 46 have it, missing: Anna, Ben, Carl, Dora, Emil")
        #expect(summary.line(columns: 53, in: .english) == "41 of 46 have it, missing: Anna, Ben, Carl, Dora, …")
        #expect(summary.line(columns: 39, in: .english) == "41 of 46 have it, missing: Anna, Ben, …")
        #expect(summary.line(columns: 28, in: .english) == "41 of 46 have it, missing: …")
    }

    @Test func nobodyMissing() throws {
        let summary = try #require(Self.summary([]))
        #expect(summary.line(columns: 80, in: .english) == "Everybody (46 of 46) has it.")
        #expect(summary.lastLine(id: "1217baf9", columns: 80, in: .english) == "Everybody (46 of 46) has it.")
    }

    @Test func whenTimeIsUpItSaysHowToSeeMore() throws {
        let summary = try #require(Self.summary(["Cem"], members: 2))
        #expect(
            summary.lastLine(id: "1217baf9", columns: 80, in: .english)
                == "1 of 2 have it, missing: Cem. Later: tour-chat receipts 1217baf9")
        #expect(summary.lastLine(id: "1217baf9", columns: 40, in: .english) == "1 of 2 have it, missing: Cem")
    }

    @Test func neverWiderThanTheTerminal() throws {
        let summary = try #require(Self.summary(["日本語日本語", "👩‍👩‍👧👍", "e\u{301}", String(repeating: "x", count: 100)]))
        for columns in 1...150 {
            #expect(DisplayWidth.of(summary.line(columns: columns, in: .english)) <= columns)
            #expect(DisplayWidth.of(summary.lastLine(id: "1217baf9", columns: columns, in: .english)) <= columns)
        }
    }

    @Test func namesDoNotDriveTheTerminal() throws {
        let summary = try #require(Self.summary(["\u{1B}[2J\nEve"]))
        #expect(!summary.line(columns: 80, in: .english).unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test func otherAnswersAreNone() {
        #expect(throws: ContractError("id", .missing)) { try Receipts.read(["error": ["code": "x"]]) }
        let counts: JSON = ["members": 1, "delivered": 1]
        #expect(throws: ContractError("counts.read", .missing)) {
            try Receipts.read(["id": "0a", "status": "sent", "counts": counts, "missing": []])
        }
    }
}
