import ServerBase
import ServerStorage
import Testing
import TourModel

/// Goal: what was deleted is remembered, and nobody fills the server with deletions.
/// Method: deltas that delete what never was, and a notebook with as many deletions as it may have.
struct DeletionTests {
    private static func device(
        _ body: @escaping @Sendable (DeltaDevice) async throws -> Void
    ) async throws {
        try await RunningServer.run { server async throws in
            let token = try await server.newAccount("a@example.org").access_token
            try await body(DeltaDevice(server: server, token: token, name: "one"))
        }
    }

    @Test func deletionsOfWhatNeverWasAreFew() async throws {
        try await Self.device { device async throws in
            var one = device
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(9_999, "A", version: 1, base: 0)))
            _ = try await one.sync(DeltaDevice.deletion("bookmarks", 9_999))
            for round in 0..<3 {
                let ids = (1...2_000).map { "\"\(DeltaDevice.id(round * 2_000 + $0))\"" }
                _ = try await one.sync(#""deleted_ids":{"bookmarks":[\#(ids.joined(separator: ","))]},"#)
            }
            let left = try await device.server.rowCounts(["notebook"])
            #expect(left == ["notebook": ServerLimits.deletedUnknownMax + 1])
            // The last of them stay deleted, and so does what was there.
            let places = [9_999, 6_000, 1].map { DeltaDevice.place($0, "B", version: 2, base: 0) }
            _ = try await one.sync(DeltaDevice.bookmarks(places))
            var two = device
            two.name = "two"
            #expect(try await two.sync().updated_bookmarks.map(\.id) == [DeltaDevice.id(1)])
        }
    }

    @Test func ofVeryManyTheLastAreRemembered() async throws {
        try await Self.device { device async throws in
            var one = device
            _ = try await one.sync(DeltaDevice.bookmarks(DeltaDevice.place(9_999, "A", version: 1, base: 0)))
            let storage = try TestDatabase.storage(of: device.server.directory)
            let id =
                TestDatabase.isPostgres
                ? "decode(lpad(CAST(i AS TEXT), 32, '0'), 'hex')" : "CAST(printf('%016d', i) AS BLOB)"
            // A slice at a time: a slow disk must not make one statement longer than the database allows.
            let slice: Int64 = 10_000
            for first in stride(from: Int64(1), through: ServerLimits.deletedItemsMax, by: Int(slice)) {
                let last = min(first + slice - 1, ServerLimits.deletedItemsMax)
                try await storage.write { sql throws(Failure) in
                    _ = try sql.run(
                        """
                        WITH RECURSIVE n(i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(last))
                        INSERT INTO notebook
                            (account, id, kind, body, version, writer, stamp, created, updated, deleted, number)
                        SELECT 1, \(id), 'bookmarks', '', 1, NULL, i, 0, 0, 1, NULL FROM n
                        """, [])
                }
            }
            _ = try await one.sync(DeltaDevice.deletion("bookmarks", 9_999))
            let oldest = try await storage.read { sql throws(Failure) in
                try sql.row("SELECT MIN(stamp) FROM notebook", [])?.integer(0)
            }
            try await storage.close()
            #expect(oldest == 2)
            let left = try await device.server.rowCounts(["notebook"])
            #expect(left == ["notebook": ServerLimits.deletedItemsMax])
        }
    }
}
