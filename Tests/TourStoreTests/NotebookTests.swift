import Glibc
import Testing
import TourModel
import TourNotebook
import TourStore

// Goal: the notebook is kept sealed, all or nothing, and in order; what waits for the server is known, and what an
// answer says is carried out once. Method: a real store, edits and answers by hand.
@Suite struct NotebookTests {
    private let scratch: Scratch
    private let store: TourStore

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
    }

    private static func id(_ number: UInt64) -> NotebookID { NotebookID(high: 0xABCD_EF00_0000_0000, low: number) }

    private static func note(_ title: String) -> NotebookContent { .note(Note(title: title, content: "")) }

    private static func item(_ number: UInt64, _ content: NotebookContent, _ version: Int64) -> NotebookItem {
        NotebookItem(id: id(number), content: content, version: version, createdAt: 5, updatedAt: 6)
    }

    private static let time = "2026-06-01T08:00:00.00000"

    private func put(_ number: UInt64, _ content: NotebookContent, at seconds: Int64 = 100) throws {
        try store.editNotebook([.put(Self.id(number), content)], now: seconds)
    }

    /// One exchange with a server that answers so.
    @discardableResult private func exchange(
        updated: [NotebookItem] = [], deleted: [NotebookID] = [], rejected: [DeltaRejection] = [],
        time: String = Self.time + "1Z"
    ) throws -> DeltaExchange {
        #expect(try store.claimNotebook(for: "account"))
        let exchange = try #require(try store.nextNotebookExchange(after: 0, limit: 100, withRefused: false)).exchange
        let answer = DeltaAnswer(updated: updated, deleted: deleted, serverTime: time, rejected: rejected)
        #expect(try store.apply(answer, to: exchange))
        return exchange
    }

    @Test func itemsAreListedByKindAndTime() throws {
        try put(2, Self.note("second"), at: 100)
        try put(1, Self.note("first"), at: 100)
        try put(3, Self.note("before"), at: 50)
        try put(4, .stop(Stop(title: "stop")), at: 10)
        #expect(try store.notebook(.note).map(\.item.content.title) == ["before", "first", "second"])
        #expect(try store.notebook(.stop).map(\.item.id) == [Self.id(4)])
        #expect(try store.notebook(.place).isEmpty)
        let entry = try #require(try store.notebookEntry(Self.id(2)))
        #expect(entry.isPending && entry.item.version == 1 && entry.item.createdAt == 100 && entry.files.isEmpty)
        try put(2, Self.note("changed"), at: 200)
        let changed = try #require(try store.notebookEntry(Self.id(2))?.item)
        #expect(changed.version == 2 && changed.createdAt == 100 && changed.updatedAt == 200)
        #expect(try store.notebookPending() == 4)
    }

    @Test func whatWasWrittenIsThereAfterAStart() throws {
        var open: TourStore? = try Sample.store(scratch, name: "again")
        try open?.editNotebook([.put(Self.id(1), Self.note("kept"))], now: 100)
        try open?.close()
        open = nil
        let entries = try Sample.store(scratch, name: "again").notebook(.note)
        #expect(entries.map(\.item.content) == [Self.note("kept")] && entries.map(\.isPending) == [true])
    }

    @Test func prefixesFindItems() throws {
        try put(1, Self.note("one"))
        try put(2, Self.note("two"))
        #expect(try store.notebookEntries(idPrefix: "abcdef").count == 2)
        #expect(try store.notebookEntries(idPrefix: "ABCDEF00-0000-0000-0000-000000000002").count == 1)
        for none in ["abcde", "abcdee", "xyzxyz", "", Self.id(1).digits + "0"] {
            #expect(try store.notebookEntries(idPrefix: none).isEmpty)
        }
    }

    @Test func aFailedEditChangesNothing() throws {
        try put(1, Self.note("one"))
        #expect(throws: StoreError.notThisKind) {
            try store.editNotebook(
                [.put(Self.id(2), Self.note("two")), .put(Self.id(1), .stop(Stop(title: "no note")))], now: 100)
        }
        #expect(try store.notebookEntry(Self.id(2)) == nil)
        #expect(try store.notebookEntry(Self.id(1))?.item.content == Self.note("one"))
    }

    @Test func aStopLeavesItsItineraries() throws {
        let stops = [1, 2, 3].map { Itinerary.Entry(id: Self.id($0), addedAt: 100) }
        for number in 1...3 as ClosedRange<UInt64> { try put(number, .stop(Stop(title: "stop \(number)"))) }
        try put(9, .itinerary(Itinerary(title: "day", stops: stops)))
        try store.editNotebook([.delete(Self.id(2)), .delete(Self.id(77))], now: 300)
        #expect(try store.notebook(.stop).count == 2)
        let day = try #require(try store.notebookEntry(Self.id(9))?.item)
        #expect(day.content == .itinerary(Itinerary(title: "day", stops: [stops[0], stops[2]])) && day.version == 2)
    }

    @Test func nothingReadableIsOnTheDisk() throws {
        try put(1, .note(Note(title: "Lanterns", content: "under the bridge")))
        let place = SavedPlace(title: "Observatory", url: "geo:48.8584,2.2945")
        let picture = NotebookAttachment(
            id: Self.id(50), role: .picture, name: "harbour.jpg", media: "image/x", bytes: 0)
        try put(2, .place(place))
        try store.editNotebook([.attach(Self.id(2), picture, Array("a picture's bytes".utf8))], now: 100)
        try exchange(rejected: [DeltaRejection(id: Self.id(1), message: "curfew")])
        #expect(try store.notebookEntry(Self.id(1))?.problem == "curfew")
        try store.checkpoint(.whole)
        try store.close()
        let bytes = Scratch.names(scratch.path + "/data").flatMap { Scratch.bytes(scratch.path + "/data/" + $0) }
        for word in ["Lanterns", "bridge", "Observatory", "geo:", "harbour", "image/x", "a picture", "curfew"] {
            #expect(!bytes.contains(word), "\(word) can be read")
        }
    }

    @Test func whatGoesOutIsBoundedAndGoesOn() throws {
        #expect(try store.nextNotebookExchange(after: 0, limit: 2, withRefused: false) == nil)
        #expect(try store.claimNotebook(for: "account"))
        for number in 1...5 as ClosedRange<UInt64> { try put(number, Self.note("note \(number)")) }
        var position: Int64 = 0
        var sent: [[NotebookID]] = []
        for _ in 0..<3 {
            let next = try #require(try store.nextNotebookExchange(after: position, limit: 2, withRefused: false))
            position = next.position
            sent.append(next.exchange.request.items.map(\.item.id))
            #expect(next.exchange.isFull == (sent.count < 3))
        }
        #expect(sent == [[Self.id(1), Self.id(2)], [Self.id(3), Self.id(4)], [Self.id(5)]])
        // No answer came: it all waits still, and a deletion is told, since the server may have it.
        try store.editNotebook([.delete(Self.id(1))], now: 100)
        let again = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        #expect(again.request.items.count == 4 && again.request.deletions.map(\.id) == [Self.id(1)])
        #expect(again.request.cursor == nil && again.request.device.utf8.count == 16)
    }

    @Test func anAnswerIsCarriedOut() throws {
        try put(1, Self.note("stored"))
        try put(2, Self.note("overruled"))
        try put(3, Self.note("deleted meanwhile"))
        try put(4, Self.note("refused"))
        try exchange(
            updated: [Self.item(2, Self.note("theirs"), 8), Self.item(6, Self.note("new"), 3)],
            deleted: [Self.id(3)], rejected: [DeltaRejection(id: Self.id(4), message: "no room")])
        let notes = try store.notebook(.note)
        #expect(notes.map(\.item.content.title) == ["theirs", "new", "stored", "refused"])
        #expect(notes.map(\.isPending) == [false, false, false, true])
        #expect(try store.deletedNotebookIDs(among: [Self.id(1), Self.id(3), Self.id(99)]) == [Self.id(3)])
        // What was refused goes out again when somebody asks, and with an edit.
        let next = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        #expect(next.request.items.isEmpty && next.request.cursor == Self.time + "1Z")
        let asked = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: true)).exchange
        #expect(asked.request.items.map(\.item.id) == [Self.id(4)])
        try exchange(updated: [Self.item(6, Self.note("newer"), 4)], deleted: [Self.id(2)], time: Self.time + "2Z")
        #expect(try store.notebook(.note).map(\.item.content.title) == ["newer", "stored", "refused"])
    }

    @Test func anAnswerCountsOnce() throws {
        try put(1, Self.note("one"))
        let first = try exchange()
        let answer = DeltaAnswer(
            updated: [Self.item(1, Self.note("late"), 9)], deleted: [], serverTime: Self.time + "9Z")
        #expect(try !store.apply(answer, to: first))
        let second = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        try store.unlinkNotebook()
        #expect(try !store.apply(answer, to: second))
        #expect(try store.notebook(.note).map(\.item.content.title) == ["one"])
    }

    @Test func aServerThatFellBackGetsEverythingAgain() throws {
        try put(1, Self.note("one"))
        try put(2, Self.note("two"))
        try exchange(time: Self.time + "7Z")
        try store.editNotebook([.delete(Self.id(2))], now: 100)
        try exchange(time: Self.time + "8Z")
        #expect(try store.notebookPending() == 0)
        try exchange(updated: [Self.item(2, Self.note("two"), 1)], time: Self.time + "3Z")
        let again = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        #expect(again.request.items.map(\.item.id) == [Self.id(1)])
        #expect(again.request.deletions.map(\.id) == [Self.id(2)])
        #expect(try store.notebook(.note).count == 1)
    }

    @Test func anotherAccountHasNothingOfIt() throws {
        try put(1, Self.note("one"))
        try put(2, Self.note("two"))
        try exchange()
        try store.editNotebook([.delete(Self.id(2))], now: 100)
        try exchange(time: Self.time + "2Z")
        #expect(try !store.claimNotebook(for: "another"))
        #expect(try store.notebookAccount() == "account")
        try store.unlinkNotebook()
        #expect(try store.notebookAccount() == nil && store.notebookPending() == 1)
        #expect(try store.claimNotebook(for: "another"))
        let all = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        #expect(all.request.cursor == nil && all.request.deletions.isEmpty)
        #expect(all.request.items.map(\.item.id) == [Self.id(1)] && all.request.items.map(\.base) == [0])
    }

    @Test func twoCopiesAreTwoWriters() throws {
        func device() throws -> String {
            try #require(try store.nextNotebookExchange(after: 0, limit: 1, withRefused: false)).exchange.request.device
        }
        #expect(try store.claimNotebook(for: "account"))
        let before = try device()
        #expect(try device() == before)
        try store.renewNotebookDevice()
        #expect(try device() != before)
    }
}

// Goal: pictures and files of a place come and go with it, are sent once, and none that no server has is lost with a
// place that another device deleted. Method: a real store, answers by hand.
@Suite struct NotebookFileTests {
    private let scratch: Scratch
    private let store: TourStore
    private static let place = NotebookID(high: 1, low: 1)
    private static let picture = NotebookAttachment(
        id: NotebookID(high: 2, low: 2), role: .picture, name: "view.jpg", media: "image/jpeg", bytes: 0)
    private static let address = "https://tours.example" + PlaceFile(id: NotebookID(high: 3, low: 3)).path
    private static let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }

    init() throws {
        scratch = try Scratch()
        store = try Sample.store(scratch)
        try store.editNotebook(
            [
                .put(Self.place, .place(SavedPlace(title: "place"))),
                .attach(Self.place, Self.picture, Self.bytes),
            ], now: 100)
        _ = try store.claimNotebook(for: "account")
    }

    private func exchange(_ answer: DeltaAnswer? = nil) throws {
        let exchange = try #require(try store.nextNotebookExchange(after: 0, limit: 9, withRefused: false)).exchange
        let empty = DeltaAnswer(updated: [], deleted: [], serverTime: "2026-06-01T08:00:00.000001Z")
        #expect(try store.apply(answer ?? empty, to: exchange))
    }

    private static func served(_ saved: SavedPlace, _ version: Int64) -> NotebookItem {
        NotebookItem(id: place, content: .place(saved), version: version, createdAt: 100, updatedAt: 100)
    }

    private var entry: NotebookEntry {
        get throws { try #require(try store.notebookEntry(Self.place)) }
    }

    @Test func partsAreTheWhole() throws {
        #expect(try store.notebookFileBytes(Self.picture.id) == Self.bytes)
        #expect(try store.notebookFilePart(Self.picture.id, 0)?.count == TourStore.notebookPartBytes)
        #expect(try store.notebookFilePart(Self.picture.id, 3) == nil)
        #expect(try store.notebookFileBytes(NotebookID(high: 9, low: 9)) == nil)
        #expect(try entry.files.map(\.bytes) == [Self.bytes.count] && entry.isPending)
    }

    @Test func aFileFollowsItsPlaceAndIsThere() throws {
        // Before the place itself is at the server it waits.
        #expect(try store.nextNotebookUpload(after: 0, withRefused: false) == nil)
        try exchange()
        let upload = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        #expect(upload.length == Self.bytes.count && upload.parts == 3 && upload.isPicture && upload.item.version == 1)
        try store.settle(upload, as: Self.served(SavedPlace(title: "place", imageURLs: [Self.address]), 2))
        #expect(try store.nextNotebookUpload(after: 0, withRefused: false) == nil)
        #expect(try entry.files.map(\.url) == [Self.address] && !entry.isPending && entry.item.version == 2)
        #expect(try store.notebookPending() == 0)
        // Another device takes it away.
        try exchange(
            DeltaAnswer(
                updated: [Self.served(SavedPlace(title: "place"), 3)], deleted: [],
                serverTime: "2026-06-01T08:00:00.000002Z"))
        #expect(try entry.files.isEmpty)
        #expect(try store.notebookFileBytes(Self.picture.id) == nil)
    }

    @Test func bytesThatTheServerHadAreNotSentForEver() throws {
        try exchange()
        let upload = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        // The answer to an earlier one was lost: it is among the addresses already.
        try exchange(
            DeltaAnswer(
                updated: [Self.served(SavedPlace(title: "place", imageURLs: [Self.address]), 2)], deleted: [],
                serverTime: "2026-06-01T08:00:00.000002Z"))
        let again = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        #expect(again.id == upload.id)
        try store.settle(again, as: Self.served(SavedPlace(title: "place", imageURLs: [Self.address]), 2))
        #expect(try store.nextNotebookUpload(after: 0, withRefused: false) == nil)
        let file = try #require(try entry.files.first)
        #expect(try entry.files.count == 1 && file.url == Self.address && file.bytes == 0)
        // Fetched when somebody wants it.
        try store.keepNotebookFile(of: Self.place, file, [1, 2, 3])
        #expect(try store.notebookFileBytes(file.id) == [1, 2, 3])
        #expect(try entry.files.map(\.bytes) == [3])
    }

    @Test func whatIsRefusedWaitsForSomebodyToAsk() throws {
        try exchange()
        let upload = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        try store.refuse(upload, "415 unsupported")
        #expect(try store.nextNotebookUpload(after: 0, withRefused: false) == nil)
        #expect(try store.nextNotebookUpload(after: 0, withRefused: true)?.id == upload.id)
        #expect(try entry.problem == "415 unsupported" && entry.isPending)
        try store.editNotebook([.detach(Self.place, attachment: Self.picture.id)], now: 100)
        #expect(try entry.problem == nil && !entry.isPending && entry.files.isEmpty)
    }

    @Test func takenAwayWhileItWasSent() throws {
        try exchange()
        let upload = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        try store.editNotebook([.detach(Self.place, attachment: Self.picture.id)], now: 100)
        try store.settle(upload, as: Self.served(SavedPlace(title: "place", imageURLs: [Self.address]), 2))
        #expect(try entry.item.content == .place(SavedPlace(title: "place")))
        #expect(try entry.isPending && entry.item.version == 3 && entry.files.isEmpty)
    }

    @Test func picturesOfADeletedPlaceAreKeptWithWhatIsLost() throws {
        try exchange()
        try exchange(
            DeltaAnswer(updated: [], deleted: [Self.place], serverTime: "2026-06-01T08:00:00.000002Z"))
        #expect(try store.notebookEntry(Self.place) == nil)
        let lost = try #require(try store.notebook(.lost).first)
        #expect(lost.files.map(\.name) == ["view.jpg"] && lost.isPending)
        guard case .lost(let edit) = lost.item.content else { return #expect(Bool(false), "it is no lost edit") }
        // It is restored as something new, and its picture with it.
        let fresh = NotebookID(high: 8, low: 8)
        try store.editNotebook([.put(fresh, edit.item.content), .delete(lost.item.id)], now: 200)
        let restored = try #require(try store.notebookEntry(fresh))
        #expect(restored.item.content.title == "place" && restored.files.map(\.name) == ["view.jpg"])
        #expect(try store.notebook(.lost).isEmpty)
        #expect(try store.notebookFileBytes(Self.picture.id) == Self.bytes)
    }

    @Test func unlinkedFilesGoToTheNextServer() throws {
        try exchange()
        let upload = try #require(try store.nextNotebookUpload(after: 0, withRefused: false))
        try store.settle(upload, as: Self.served(SavedPlace(title: "place", imageURLs: [Self.address]), 2))
        try store.unlinkNotebook()
        #expect(try entry.item.content == .place(SavedPlace(title: "place")))
        #expect(try entry.files.map(\.url) == [nil] && entry.isPending)
        _ = try store.claimNotebook(for: "another")
        try exchange()
        #expect(try store.nextNotebookUpload(after: 0, withRefused: false)?.id == Self.picture.id)
    }

    @Test func picturesAreCounted() throws {
        let more = (1..<Limits.notebookPicturesMax).map { number in
            NotebookEdit.attach(
                Self.place,
                NotebookAttachment(
                    id: NotebookID(high: 5, low: UInt64(number)), role: .picture, name: "", media: "", bytes: 0), [1])
        }
        try store.editNotebook(more, now: 100)
        let one = NotebookAttachment(id: NotebookID(high: 6, low: 6), role: .picture, name: "", media: "", bytes: 0)
        #expect(throws: StoreError.noRoom(.notebook)) {
            try store.editNotebook([.attach(Self.place, one, [1])], now: 100)
        }
        // A file takes the place of the one before it.
        for number in 1...2 as ClosedRange<UInt64> {
            let file = NotebookAttachment(
                id: NotebookID(high: 7, low: number), role: .file, name: "file \(number)", media: "", bytes: 0)
            try store.editNotebook([.attach(Self.place, file, [1])], now: 100)
        }
        #expect(try entry.files.filter { $0.role == .file }.map(\.name) == ["file 2"])
        #expect(throws: StoreError.notThisKind) {
            try store.editNotebook([.attach(NotebookID(high: 9, low: 9), one, [1])], now: 100)
        }
    }
}
