import Foundation
import NIOHTTP1
import ServerBase
import ServerStorage
import Testing
import TourModel

/// Goal: an account whose notebook is full, by items, by bytes or by files, is refused with the contract's error, and
/// nothing of what was refused is kept. Method: a whole server, whose database says that an account has used up all
/// but a little; upserts, deltas and the apps' own routes beyond that.
struct NotebookQuotaTests {
    private static let tables = ["notebook", "notebook_files", "notebook_uses"]

    /// What is left of an account's room: the database counts the rest as used.
    enum Room {
        case noItem, oneItem, noByte

        fileprivate var change: String {
            let used =
                switch self {
                case .noItem: "live = \(Limits.notebookItemsMax)"
                case .oneItem: "live = \(Limits.notebookItemsMax - 1)"
                case .noByte: "bytes = \(ServerLimits.notebookBytesMax)"
                }
            return "UPDATE notebook_accounts SET \(used)"
        }
    }

    private struct Scene {
        let server: RunningServer
        let token: String

        /// - Parameter change: of the database, once the account has a notebook with place 1 in it.
        init(_ server: RunningServer, _ change: String) async throws {
            self.server = server
            token = try await server.newAccount("a@example.org").access_token
            var device = DeltaDevice(server: server, token: token, name: "one")
            _ = try await device.sync(DeltaDevice.bookmarks(DeltaDevice.place(1, "A", version: 1, base: 0)))
            let storage = try TestDatabase.storage(of: server.directory)
            try await storage.write { sql throws(Failure) in _ = try sql.run(change, []) }
            try await storage.close()
        }

        func upsert(_ places: String..., picture: Data? = nil) async throws -> Reply {
            var form = SampleForm()
            form.add("payload", Data(#"{"bookmarks":[\#(places.joined(separator: ","))]}"#.utf8))
            if let picture { form.add("images[]", fileName: "a.png", type: "image/png", picture) }
            return try await server.send(
                .POST, "/api/v1/bookmarks/upsert", token: token, bytes: form.bytes, headers: [SampleForm.type])
        }

        /// The titles of all places, as a new device gets them.
        func titles() async throws -> [String?] {
            var device = DeltaDevice(server: server, token: token, name: "other")
            return try await device.sync().updated_bookmarks.map(\.title)
        }

        func files() -> [String] {
            let files = FileManager.default.enumerator(atPath: server.directory + "/files")
            return (files?.compactMap { $0 as? String } ?? []).filter { $0.contains("/") }
        }
    }

    private static func isQuota(_ reply: Reply) -> Bool { reply.status == 507 && reply.code == "quota" }

    @Test(arguments: [Room.noItem, .noByte])
    func aRefusedUpsertLeavesNothing(room: Room) async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server, room.change)
            let before = try await server.rowCounts(Self.tables)
            #expect(Self.isQuota(try await scene.upsert(DeltaDevice.place(2, "B", version: 1))))
            let withPicture = try await scene.upsert(DeltaDevice.place(3, "C", version: 1), picture: SampleFile.png)
            #expect(Self.isQuota(withPicture), "\(withPicture.text)")
            #expect(try await server.rowCounts(Self.tables) == before && scene.files() == [])
            #expect(try await scene.titles() == ["A"])
        }
    }

    /// One more has room, two have not: the first of them is not kept either.
    @Test func anUpsertIsKeptWholeOrNotAtAll() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server, Room.oneItem.change)
            let (two, three) = (DeltaDevice.place(2, "B", version: 1), DeltaDevice.place(3, "C", version: 1))
            #expect(Self.isQuota(try await scene.upsert(two, three)))
            #expect(try await scene.titles() == ["A"])
            #expect(try await scene.upsert(two).status == 200)
            #expect(Self.isQuota(try await scene.upsert(three)))
            // What is there already may still be changed.
            #expect(try await scene.upsert(DeltaDevice.place(1, "Z", version: 2)).status == 200)
            #expect(Set(try await scene.titles()) == ["Z", "B"])
        }
    }

    @Test func aPlaceMayShrinkInAFullNotebook() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server, Room.noByte.change)
            #expect(Self.isQuota(try await scene.upsert(DeltaDevice.place(1, "Longer", version: 2))))
            #expect(try await scene.upsert(DeltaDevice.place(1, "B", version: 2)).status == 200)
            #expect(try await scene.titles() == ["B"])
        }
    }

    /// The account's files are counted by themselves: the place has room, its picture has not.
    @Test func aPictureBeyondTheRoomForFilesIsRefusedWithItsPlace() async throws {
        try await RunningServer.run { server async throws in
            let full = """
                INSERT INTO notebook_files (id, account, name, media, bytes, state, unused)
                SELECT (SELECT id FROM profiles LIMIT 1), account, 'a', 'image/png',
                    \(ServerLimits.accountRoom - 10), 1, NULL FROM notebook_accounts
                """
            let scene = try await Scene(server, full)
            let before = try await server.rowCounts(Self.tables)
            let refused = try await scene.upsert(DeltaDevice.place(2, "B", version: 1), picture: SampleFile.png)
            #expect(Self.isQuota(refused), "\(refused.text)")
            #expect(try await server.rowCounts(Self.tables) == before && scene.files() == [])
            #expect(try await scene.titles() == ["A"])
            #expect(try await scene.upsert(DeltaDevice.place(2, "B", version: 1)).status == 200)
        }
    }

    /// A device that names itself learns which items have no room, and the others are kept; an app of the guides is
    /// refused as a whole.
    @Test func aDeltaSaysWhichItemsHaveNoRoom() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server, Room.oneItem.change)
            let places = DeltaDevice.bookmarks(
                DeltaDevice.place(2, "B", version: 1, base: 0), DeltaDevice.place(3, "C", version: 1, base: 0))
            let app = DeltaDevice(server: server, token: scene.token, name: nil)
            #expect(Self.isQuota(try await app.send(places)))
            #expect(try await scene.titles() == ["A"])
            var device = DeltaDevice(server: server, token: scene.token, name: "two")
            let rejected = try await device.sync(places).rejected ?? []
            #expect(rejected.map(\.code) == ["quota"] && rejected.first?.id == DeltaDevice.id(3))
            #expect(try await scene.titles() == ["A", "B"])
        }
    }

    @Test(arguments: [Room.noItem, .noByte])
    func aNoteOfAnAppIsRefused(room: Room) async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server, room.change)
            let before = try await server.rowCounts(Self.tables)
            let note = #"{"title":"Ürgüp","content":"x"}"#
            #expect(Self.isQuota(try await server.send(.POST, "/notes", token: scene.token, note)))
            #expect(try await server.rowCounts(Self.tables) == before)
        }
    }
}
