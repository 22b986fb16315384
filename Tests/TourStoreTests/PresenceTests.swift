import Testing
import TourModel
import TourStore

/// Goal: when members were there, and what was known of receipts, is found again, bounded by the members, and goes with
/// the tour. Method: values of every size, a store that is closed and opened anew.
@Suite struct PresenceTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func isThereAfterAReopening() throws {
        let signs = [
            SignRecord(member: Sample.anna, seenAt: 1_000, counter: .max),
            SignRecord(member: Sample.bert, seenAt: .max, counter: 0),
        ]
        // It gives the directory free when it is gone.
        try {
            let first = try Sample.store(scratch)
            #expect(try first.signs(Sample.tour).isEmpty)
            #expect(try first.receiptSteps(Sample.tour).isEmpty)
            try first.keepPresence(Sample.tour, signs: signs, receipts: [Sample.anna: [1, 2, 3]])
            try first.close()
        }()
        let second = try Sample.store(scratch)
        #expect(try second.signs(Sample.tour) == signs)
        #expect(try second.receiptSteps(Sample.tour) == [Sample.anna: [1, 2, 3]])
        #expect(try second.signs(Sample.otherTour).isEmpty)
        try second.close()
    }

    /// A clock that was set back is right now: the later write stands, whatever it says.
    @Test func oneRowAMember() throws {
        let store = try Sample.store(scratch)
        for time in [5, 9, 2] as [Int64] {
            try store.keepPresence(
                Sample.tour, signs: [SignRecord(member: Sample.anna, seenAt: time, counter: UInt64(time))],
                receipts: [Sample.bert: [UInt8(time)]])
        }
        #expect(try store.signs(Sample.tour) == [SignRecord(member: Sample.anna, seenAt: 2, counter: 2)])
        #expect(try store.receiptSteps(Sample.tour) == [Sample.bert: [2]])
        try store.close()
    }

    @Test func goesWithItsTour() throws {
        let store = try Sample.store(scratch)
        let signs = [SignRecord(member: Sample.anna, seenAt: 5, counter: 5)]
        for tour in [Sample.tour, Sample.otherTour] {
            try store.keepPresence(tour, signs: signs, receipts: [Sample.anna: [7]])
        }
        try store.removeTour(Sample.tour)
        #expect(try store.signs(Sample.tour).isEmpty)
        #expect(try store.receiptSteps(Sample.tour).isEmpty)
        #expect(try store.signs(Sample.otherTour) == signs)
        #expect(try store.receiptSteps(Sample.otherTour) == [Sample.anna: [7]])
        try store.close()
    }
}
