import Foundation
import GRDB
import Testing
import TourAPI
import TourNode
import TourStore

/// Goal: data of a later version are refused, stay as they are, and open with that version again.
/// Method: real nodes without a network; a database that names a step which this program does not know.
@Suite struct LaterVersionTests {
    private let nodes: ScratchNodes

    init() throws { nodes = try ScratchNodes() }

    private func change(_ name: String, _ statement: String) throws {
        let database = try DatabaseQueue(path: nodes.folder.appendingPathComponent("\(name)/tour.sqlite").path)
        try database.write { db in try db.execute(sql: statement) }
        try database.close()
    }

    /// A backup by a later version. The node holds its directory until nothing holds the node.
    private func backUpLater(to backup: String, _ passphrase: [UInt8]) async throws {
        let later = try await nodes.node("later")
        _ = try await later.createTour(name: "Walk", fullHistory: true)
        // Beside the running node, which knows its database's form since its start.
        try change("later", "INSERT INTO grdb_migrations VALUES ('99-later')")
        for try await _ in try later.backUp(to: backup, passphrase: passphrase) {}
        await later.stop()
    }

    @Test func aLaterBackupLeavesTheDirectoryEmpty() async throws {
        let passphrase = Array("lantern".utf8)
        let backup = nodes.folder.appendingPathComponent("trip.backup").path
        try await backUpLater(to: backup, passphrase)
        await #expect(throws: StoreError.newer) { _ = try await nodes.node("later") }
        let target = nodes.settings("restored")
        #expect(throws: StoreError.newer) {
            _ = try TourNode.restore(from: backup, passphrase: passphrase, isRetiring: false, settings: target) {
                _, _ in
            }
        }
        #expect(!target.holdsNode)
        #expect(throws: Never.self) { try target.checkEmpty() }
        try change("later", "DELETE FROM grdb_migrations WHERE identifier = '99-later'")
        let again = try await nodes.node("later")
        #expect(try await again.tour(nil).name == "Walk")
        await again.stop()
    }
}
