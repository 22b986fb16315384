import NIOHTTP1
import Testing
import TourMailbox
import TourModel
import TourNotebook
import TourStore

/// Goal: pictures and files get to other devices whole and once, whatever breaks on the way; one account's notebook
/// never gets into another's; a large one goes in batches, and nothing new costs next to nothing. Method: real stores,
/// the node's own client, the real server; connections are cut behind the server.
struct NotebookSyncTests {
    private static let place = NotebookID(high: 1, low: 1)
    private static let picture = attachment(2, .picture, "view.jpg", "image/jpeg")
    private static let file = attachment(3, .file, "tickets \"2\".pdf", "application/pdf")
    /// Of several parts.
    private static let pictureBytes = [0xFF, 0xD8, 0xFF] + (0..<700_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    private static let fileBytes = Array("%PDF-1.7 tickets".utf8)

    private static func attachment(
        _ number: UInt64, _ role: NotebookAttachment.Role, _ name: String, _ media: String
    ) -> NotebookAttachment {
        NotebookAttachment(
            id: NotebookID(high: 2, low: number), role: role, name: name, media: media, bytes: 0)
    }

    /// Devices of one account.
    private static func withDevices(
        _ count: Int, _ body: @escaping @Sendable (RunningServer, [NotebookDevice]) async throws -> Void
    ) async throws {
        try await RunningServer.run { server in
            _ = try await server.newAccount("a@example.org")
            let limits = Array(repeating: NotebookRun.itemsMax, count: count)
            try await NotebookDevice.run(server, limits: limits) { devices in
                for device in devices { try await device.logIn() }
                try await body(server, devices)
            }
        }
    }

    private static func entry(on device: NotebookDevice) throws -> NotebookEntry {
        try #require(try device.store.notebookEntry(place))
    }

    private static func savePlace(on device: NotebookDevice) throws {
        try device.store.editNotebook(
            [
                .put(place, .place(SavedPlace(title: "Observatory"))), .attach(place, picture, pictureBytes),
                .attach(place, file, fileBytes),
            ], now: 1_780_272_000)
    }

    @Test func filesGoUpAndComeDown() async throws {
        try await Self.withDevices(2) { _, devices in
            try Self.savePlace(on: devices[0])
            try await devices[0].sync()
            #expect(try devices[0].store.notebookPending() == 0)
            try await devices[1].sync()
            let files = try Self.entry(on: devices[1]).files
            #expect(files.map(\.role) == [.picture, .file] && files.map(\.bytes) == [0, 0])
            for (file, bytes) in zip(files, [Self.pictureBytes, Self.fileBytes]) {
                let address = try #require(file.url.flatMap { PlaceFile(address: $0) })
                let fetched = try await NotebookRun.fetch(address, from: devices[1].client)
                #expect(fetched.bytes == bytes)
                try devices[1].store.keepNotebookFile(of: Self.place, file, fetched.bytes)
                #expect(try devices[1].store.notebookFileBytes(file.id) == bytes)
            }
            // Taken away there, it goes here.
            try devices[1].store.editNotebook([.detach(Self.place, attachment: files[0].id)], now: 1_780_272_100)
            try await devices[1].sync()
            try await devices[0].sync()
            #expect(try Self.entry(on: devices[0]).files.map(\.role) == [.file])
            #expect(try devices[0].items == devices[1].items)
        }
    }

    /// The first exchange carries the place, the second one the picture.
    @Test(arguments: [1, 2]) func aLostAnswerMakesNoSecondPicture(exchange: Int) async throws {
        try await Self.withDevices(2) { _, devices in
            try Self.savePlace(on: devices[0])
            devices[0].transport.begin(cut: (.after, exchange))
            await #expect(throws: NotebookRunError.api(.network(.cancelled))) { try await devices[0].sync() }
            devices[0].transport.begin()
            try await devices[0].sync()
            #expect(try devices[0].store.notebookPending() == 0)
            for device in devices {
                try await device.sync()
                #expect(try Self.entry(on: device).files.map(\.role) == [.picture, .file])
            }
            #expect(try devices[0].items == devices[1].items)
        }
    }

    @Test func whatIsNoPictureIsRefusedByItself() async throws {
        try await Self.withDevices(2) { _, devices in
            try Self.savePlace(on: devices[0])
            let fake = Self.attachment(4, .picture, "page.jpg", "image/jpeg")
            try devices[0].store.editNotebook(
                [.attach(Self.place, fake, Array("<script>alert(1)</script>".utf8))], now: 1_780_272_000)
            try await devices[0].sync()
            let entry = try Self.entry(on: devices[0])
            #expect(entry.problem != nil && entry.isPending && entry.files.count == 3)
            try await devices[1].sync()
            #expect(try Self.entry(on: devices[1]).files.count == 2)
        }
    }

    @Test func aPictureOfADeletedPlaceIsKept() async throws {
        try await Self.withDevices(2) { _, devices in
            try Self.savePlace(on: devices[0])
            try await devices[0].sync()
            try await devices[1].sync()
            let late = Self.attachment(5, .picture, "late.jpg", "image/jpeg")
            try devices[0].store.editNotebook([.attach(Self.place, late, Self.pictureBytes)], now: 1_780_272_000)
            try devices[1].store.editNotebook([.delete(Self.place)], now: 1_780_272_000)
            try await devices[1].sync()
            try await devices[0].sync()
            #expect(try devices[0].store.notebook(.place).isEmpty)
            let lost = try #require(try devices[0].store.notebook(.lost).first)
            #expect(lost.item.content.title == "Observatory" && lost.files.map(\.name).contains("late.jpg"))
        }
    }

    @Test func anotherAccountGetsNothingOfIt() async throws {
        try await Self.withDevices(2) { server, devices in
            _ = try await server.newAccount("b@example.org")
            try devices[0].put(Self.place, .place(SavedPlace(title: "Observatory")))
            try await devices[0].sync()
            try await devices[0].logIn("b@example.org")
            try await devices[1].logIn("b@example.org")
            await #expect(throws: NotebookRunError.otherAccount) { try await devices[0].sync() }
            try await devices[1].sync()
            #expect(try devices[1].items.isEmpty)
            try devices[0].store.unlinkNotebook()
            try await devices[0].sync()
            try await devices[1].sync()
            #expect(try devices[1].items.map(\.content.title) == ["Observatory"])
            #expect(try devices[0].items == devices[1].items)
        }
    }

    @Test func aLargeNotebookGoesInBatchesAndAnEmptyDeltaIsSmall() async throws {
        try await Self.withDevices(2) { _, devices in
            let edits = (1...2_500 as ClosedRange<UInt64>).map { number in
                NotebookEdit.put(
                    NotebookID(high: 3, low: number), .place(SavedPlace(title: "place \(number)", url: "geo:1,2")))
            }
            try devices[0].store.editNotebook(edits, now: 1_780_272_000)
            devices[0].transport.begin()
            try await devices[0].sync()
            #expect(devices[0].transport.exchanges == 3)
            devices[1].transport.begin()
            try await devices[1].sync()
            #expect(devices[1].transport.exchanges == 3)
            #expect(try devices[1].items == devices[0].items && devices[1].items.count == 2_500)
            for device in devices {
                device.transport.begin()
                try await device.sync()
                #expect(device.transport.exchanges == 1 && device.transport.answerBytes < 1_000)
            }
        }
    }

    @Test func nobodyLoggedInIsNoFailureOfTheNotebook() async throws {
        try await RunningServer.run { server in
            try await NotebookDevice.run(server, limits: [10]) { devices in
                try devices[0].put(Self.place, .place(SavedPlace(title: "Observatory")))
                await #expect(throws: NotebookRunError.api(.unauthenticated)) { try await devices[0].sync() }
                #expect(try devices[0].items.count == 1)
            }
        }
    }
}
