import Testing
import TourModel
import TourStore

// Goal: what events say outlives their keys, for whoever has the storage key and nobody else, and goes with the tour.
// Method: a real database.
@Suite struct ArchiveTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private func archived() throws -> [[UInt8]?] { try store.messages(Sample.tour, MessageQuery()).map(\.archived) }

    @Test func itComesWithItsEvent() throws {
        let rows = try store.append(Sample.log(Sample.anna, 1...3), tour: Sample.tour, durable: false).map(\.row)
        #expect(try archived() == [nil, nil, nil])
        try store.archive([(rows[0], Array("the first".utf8)), (rows[2], [])])
        #expect(try archived() == [Array("the first".utf8), nil, []])
        #expect(try store.rows(Sample.tour, afterRow: 0, limit: 9).map(\.stored.archived) == archived())
        // What is there stays.
        try store.archive([(rows[0], [1]), (rows[1], [2])])
        #expect(try archived() == [Array("the first".utf8), [2], []])
    }

    @Test func itIsSealedAndGoesWithTheTour() throws {
        let rows = try store.append(Sample.log(Sample.anna, 1...1), tour: Sample.tour, durable: false).map(\.row)
        try store.archive([(rows[0], Array("behind the aqueduct".utf8))])
        try store.checkpoint(.whole)
        #expect(!Scratch.bytes(scratch.path + "/data/tour.sqlite").contains("aqueduct"))
        try store.removeTour(Sample.tour)
        // The row is used again: nothing of before is shown with it.
        _ = try store.append(Sample.log(Sample.anna, 1...1), tour: Sample.tour, durable: false)
        #expect(try archived() == [nil])
    }

    @Test func profilesHaveTheirs() throws {
        let name = Sample.event(Sample.anna, 1, clock: 5, class: .profile)
        let rows = try store.append([(name, 0)], tour: Sample.tour, durable: false).map(\.row)
        try store.archive([(rows[0], [9])])
        #expect(try store.profileEvents(Sample.tour).map(\.archived) == [[9]])
    }
}
