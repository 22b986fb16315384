import Foundation
import Testing
import TourAPI
import TourModel
import TourNode
import TourRuntime
import TourStore
import TourWire

/// Goal: receipts say who has and who has read a message and since when at most, never earlier than the truth, within
/// bounded memory. Method: claims of made-up members at made-up times; steps held against a list that forgets nothing.
@Suite struct ReceiptTests {
    private static let me = member("1")
    private static let anna = member("a")
    private static let start: Int64 = 1_777_629_600_000_000

    private static func member(_ digit: Character) -> MemberID {
        MemberID(hex: String(repeating: digit, count: 64)) ?? MemberID(raw: .zero)
    }

    private static func header(_ author: MemberID, _ sequence: UInt64) -> EventHeader {
        EventHeader(
            eventClass: .chat, tour: .none, author: author, sequence: sequence, previous: .none,
            clock: LogicalClock(value: sequence), epoch: .none)
    }

    private static func note(_ board: inout ReceiptState, through sequence: UInt64, read: UInt64?, at time: Int64) {
        board.record([PrefixedHead(prefix: me.prefix, sequence: sequence)], of: anna, at: time)
        if let read { board.recordRead(LogicalClock(value: read), by: anna, at: time) }
    }

    @Test func firstClaimThatCoversItIsTheTime() {
        var board = ReceiptState(own: Self.me, marks: [:])
        func receipt(_ sequence: UInt64) -> Receipt {
            board.receipt(of: Self.header(Self.me, sequence), for: Self.anna, storedAt: 0)
        }
        #expect(receipt(1) == Receipt(state: .missing))
        Self.note(&board, through: 2, read: nil, at: 10)
        Self.note(&board, through: 4, read: 3, at: 20)
        Self.note(&board, through: 4, read: 3, at: 30)
        Self.note(&board, through: 4, read: 9, at: 40)
        Self.note(&board, through: 5, read: 9, at: 50)
        #expect(receipt(2) == Receipt(state: .read, deliveredAtMost: 10, readAtMost: 20))
        #expect(receipt(4) == Receipt(state: .read, deliveredAtMost: 20, readAtMost: 40))
        // It had read so far before it had this one.
        #expect(receipt(5) == Receipt(state: .read, deliveredAtMost: 50, readAtMost: 50))
        #expect(receipt(6) == Receipt(state: .missing))
    }

    @Test func whatTheMarksSayStandsWithoutATime() {
        let mark = Watermark(author: Self.me, sentThrough: 3, deliveredThrough: 3, readThrough: 2)
        let board = ReceiptState(own: Self.me, marks: [Self.me: mark])
        let receipts = (1...4).map { board.receipt(of: Self.header(Self.me, $0), for: Self.anna, storedAt: 0) }
        #expect(receipts.map(\.state) == [.read, .read, .delivered, .missing])
        #expect(receipts.allSatisfy { $0.deliveredAtMost == nil && $0.readAtMost == nil })
    }

    @Test func weHaveWhatIsStored() {
        var board = ReceiptState(own: Self.me, marks: [:])
        let header = Self.header(Self.anna, 1)
        let stored = board.receipt(of: header, for: Self.me, storedAt: 7)
        #expect(stored == Receipt(state: .delivered, deliveredAtMost: 7))
        board.recordRead(LogicalClock(value: 1), by: Self.me, at: 9)
        let read = board.receipt(of: header, for: Self.me, storedAt: 7)
        #expect(read == Receipt(state: .read, deliveredAtMost: 7, readAtMost: 9))
    }

    @Test(arguments: [1, 4, 32]) func timesAreNeverEarlierThanTheTruth(stepsMax: Int) {
        var growth = Growth()
        var truth = [(value: UInt64, at: Int64)]()
        var (value, time) = (UInt64(0), Self.start)
        for step in 1...1_000 {
            value += UInt64(step % 7)
            // Sometimes nothing for an hour, sometimes a clock that is set back.
            time += step % 97 == 0 ? 3_600_000_000 : step % 31 == 0 ? -5_000_000 : 1_000_000
            growth.raise(to: value, at: time, stepsMax: stepsMax)
            if value > truth.last?.value ?? 0 { truth.append((value, time)) }
        }
        #expect(growth.value == value)
        #expect(growth.time(of: value + 1) == nil)
        var times = Set<Int64>()
        for wanted in 1...value {
            guard let known = growth.time(of: wanted), let first = truth.first(where: { $0.value >= wanted }) else {
                Issue.record("\(wanted) has no time")
                continue
            }
            times.insert(known)
            #expect(known >= first.at)
        }
        #expect(times.count <= stepsMax)
    }

    /// What is a minute old is known to the second, what is a day old to some hours.
    @Test func newTimesAreExactAndOldOnesNearlySo() {
        var growth = Growth()
        for second in 1...86_400 {
            growth.raise(to: UInt64(second), at: Self.start + Int64(second) * 1_000_000, stepsMax: 32)
        }
        for age in [1, 10, 60, 600, 3_600, 36_000] {
            let second = 86_400 - age
            let known = growth.time(of: UInt64(second)) ?? .max
            let late = (known - Self.start) / 1_000_000 - Int64(second)
            #expect(late >= 0 && late <= Int64(age) / 2 + 1, "\(age) s ago is \(late) s late")
        }
    }

    @Test func answersNameTheMissingFirst() throws {
        func entry(_ id: String, _ name: String, _ receipt: Receipt) -> Receipts.Entry {
            Receipts.Entry(memberID: id, name: name, receipt: receipt, hops: nil, near: false)
        }
        let receipts = MessageReceipts(
            id: "0a", status: .sent,
            members: [
                entry("1", "Zoe", Receipt(state: .read, deliveredAtMost: Self.start, readAtMost: Self.start + 1)),
                entry("2", "Ben", Receipt(state: .missing)), entry("3", "Carl", Receipt(state: .delivered)),
                entry("4", "Anna", Receipt(state: .missing)),
            ])
        #expect(receipts.members.map(\.name) == ["Anna", "Ben", "Carl", "Zoe"])
        #expect(receipts.missing == ["Anna", "Ben"])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let counts = try encoder.encode(receipts.counts)
        #expect(String(decoding: counts, as: UTF8.self) == #"{"delivered":2,"members":4,"read":1,"understood":null}"#)
        let lines = try receipts.members.suffix(3).map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        let expected = [
            #"{"by":null,"delivered":null,"hops":null,"memberID":"2","name":"Ben","near":false,"read":null,"#
                + #""state":"missing","understood":null}"#,
            #"{"by":null,"delivered":{"atMost":null},"hops":null,"memberID":"3","name":"Carl","near":false,"#
                + #""read":null,"state":"delivered","understood":null}"#,
            #"{"by":null,"delivered":{"atMost":"2026-05-01T10:00:00.000000Z"},"hops":null,"memberID":"1","#
                + #""name":"Zoe","near":false,"read":{"atMost":"2026-05-01T10:00:00.000001Z"},"state":"read","#
                + #""understood":null}"#,
        ]
        #expect(lines == expected)
    }
}
