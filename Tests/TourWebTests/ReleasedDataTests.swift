import Foundation
import Testing
import TourJSON
import TourNode
import TourWeb

/// Goal: who upgrades finds everything that the older version kept, and writes on.
/// Method: data that the real programs of each released version left behind, opened by a node without a network, and
/// held against what that version itself said of it.
@Suite struct ReleasedDataTests {
    /// What of each row stays the same; the rest depends on the time, or on who is in reach.
    private static let kept: [(name: String, path: String, fields: [String])] = [
        ("tours", "/tours", ["tourID", "name", "role", "state", "members", "unread", "successor"]),
        ("members", "/tours/-/members", ["id", "name", "role", "me", "left", "removed", "color", "words"]),
        (
            "messages", "/tours/-/messages",
            [
                "id", "authorID", "authorName", "authorRole", "seq", "type", "content", "sentAt", "receivedAt",
                "syncedAt", "mine", "unread", "replyTo", "hops",
            ]
        ),
        ("files", "/tours/-/files", ["id", "blobID", "name", "size", "media", "caption", "type", "complete", "have"]),
        ("alarms", "/tours/-/alarms", ["id", "memberID", "at", "open", "answered", "answers", "near"]),
        ("rolls", "/tours/-/rolls", ["calls", "memberID", "at", "open", "text", "endedBy", "here", "all"]),
        ("buddies", "/tours/-/buddies", ["members"]),
        ("shared", "/tours/-/shared", ["record", "type", "title", "version", "authorID", "messageID", "publishedAt"]),
        (
            "notes", "/notebook/notes",
            ["id", "title", "content", "created_at", "updated_at", "sync_version", "pending"]
        ),
        (
            "places", "/notebook/bookmarks",
            ["id", "title", "url", "note", "category_id", "tags", "is_favorite", "files", "sync_version", "pending"]
        ),
        ("itineraries", "/notebook/collections", ["id", "title", "description", "samples", "sync_version", "pending"]),
    ]
    /// The answers that are one object, and the name of the list in it.
    private static let lists = ["tours", "members", "files", "alarms", "rolls", "shared"]

    private static func rows(_ name: String, _ answer: LocalRequest) -> [JSON] {
        switch name {
        case "buddies": answer.body["groups"]?.list ?? []
        case "shared": answer.body["records"]?.list ?? []
        case _ where lists.contains(name): answer.body[name]?.list ?? []
        default: answer.lines
        }
    }

    /// What is different of two lists; empty when nothing is.
    private static func differences(_ name: String, _ fields: [String], _ found: [JSON], _ wanted: [JSON]) -> [String] {
        guard found.count == wanted.count else { return ["\(name): \(found.count) rows instead of \(wanted.count)"] }
        return zip(found, wanted).flatMap { found, wanted in
            fields.filter { sorted(found[$0]) != sorted(wanted[$0]) }
                .map { "\(name), \($0): \(String(describing: found[$0])), not \(String(describing: wanted[$0]))" }
        }
    }

    /// The order of an object's members says nothing.
    private static func sorted(_ value: JSON?) -> JSON? {
        switch value {
        case .list(let values)?: .list(values.compactMap { sorted($0) })
        case .object(let members)?:
            .object(
                members.sorted { $0.name < $1.name }
                    .map { JSONMember(name: $0.name, value: sorted($0.value) ?? .null) })
        default: value
        }
    }

    private static func check(_ node: OfflineNode, _ expected: JSON?) async throws {
        for (name, path, fields) in Self.kept {
            let wanted = try #require(expected?[name]?.list)
            #expect(!wanted.isEmpty, "\(name)")
            let found = rows(name, try await node.ask("GET", path))
            let wrong = Self.differences(name, fields, found, wanted)
            #expect(wrong == [])
        }
    }

    /// These data were copied, as far as the node can know: the user says that nothing was written since.
    private static func writeOn(_ node: OfflineNode) async throws {
        let recovered = try await node.ask("POST", "/tours/-/recovery", ["way": "nothing-since"])
        #expect(recovered.status == 200, "\(recovered.text)")
        let before = try await node.ask("GET", "/tours/-/messages").lines
        let last = before.filter { $0["mine"] == true }.compactMap { $0["seq"]?.integer }.max() ?? 0
        let sent = try await node.ask("POST", "/tours/-/messages", ["content": "Written by a later version"])
        #expect(sent.status == 200, "\(sent.text)")
        let after = try await node.ask("GET", "/tours/-/messages").lines
        #expect(after.count == before.count + 1 && after.last?["content"] == "Written by a later version")
        #expect((after.last?["seq"]?.integer ?? 0) > last)
    }

    @Test func thereIsAReleaseToOpen() {
        #expect(!ReleasedData.all.isEmpty)
    }

    @Test(arguments: ReleasedData.all)
    func allIsThereAndTheNodeWritesOn(_ release: ReleasedData) async throws {
        let node = try OfflineNode()
        try release.unpack("guide", into: node.path("data"))
        let expected = try release.expected["guide"]
        let unnamed = { (settings: inout NodeSettings) in settings.name = nil }
        try await node.run(change: unnamed) {
            try await Self.check(node, expected)
            try FileManager.default.createDirectory(atPath: node.path("out"), withIntermediateDirectories: false)
            for file in expected?["files"]?.list ?? [] {
                let saved = try await node.ask(
                    "POST", "/tours/-/files/\(file.shown("id"))/save", ["directory": .text(node.path("out"))])
                #expect(saved.status == 200, "\(saved.text)")
                let path = try #require(saved.body["path"]?.text)
                let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
                #expect(size == file["size"]?.integer)
            }
            try await Self.writeOn(node)
            let noted = try await node.ask("POST", "/notebook/notes", ["title": "New", "content": ""])
            #expect(noted.status == 200, "\(noted.text)")
        }
        // What was there and what is new outlive another start.
        try await node.run(change: unnamed) {
            let count = try await node.ask("GET", "/tours/-/messages").lines.count
            #expect(count == (expected?["messages"]?.list?.count ?? 0) + 1)
            #expect(try await node.ask("GET", "/notebook/notes").lines.count == 2)
        }
    }

    @Test(arguments: ReleasedData.all)
    func aSealedDirectoryOpensByItsPassphrase(_ release: ReleasedData) async throws {
        let node = try OfflineNode()
        try release.unpack("ben", into: node.path("data"))
        let expected = try release.expected
        let passphrase = Array(expected.shown("passphrase").utf8)
        var locked = NodeSettings()
        locked.dataDirectory = node.path("data")
        #expect(locked.needsPassphrase)
        let opened = { (settings: inout NodeSettings) in
            settings.name = nil
            settings.setPassphrase(passphrase)
        }
        try await node.run(change: opened) {
            for (name, path, fields) in Self.kept where ["tours", "members", "messages", "shared"].contains(name) {
                let wanted = try #require(expected["ben"]?[name]?.list)
                let found = Self.rows(name, try await node.ask("GET", path))
                let wrong = Self.differences(name, fields, found, wanted)
                #expect(wrong == [])
            }
            #expect(try await node.ask("GET", "/status").body["storageKey"] == "passphrase")
            try await Self.writeOn(node)
        }
    }

    /// Files are no part of a backup, nor is the moment at which a message of the last seconds was committed.
    @Test(arguments: ReleasedData.all)
    func aBackupIsRestored(_ release: ReleasedData) async throws {
        let node = try OfflineNode()
        let expected = try release.expected
        var settings = NodeSettings()
        settings.dataDirectory = node.path("data")
        let restored = try TourNode.restore(
            from: release.path("guide.backup"), passphrase: Array(expected.shown("passphrase").utf8),
            isRetiring: false, settings: settings
        ) { _, _ in }
        #expect(restored.tours == expected["guide"]?["tours"]?.list?.map { $0.shown("name") })
        try await node.run(change: { $0.name = nil }) {
            for (name, path, fields) in Self.kept where name != "files" {
                let wanted = try #require(expected["guide"]?[name]?.list)
                let found = Self.rows(name, try await node.ask("GET", path))
                let wrong = Self.differences(name, fields.filter { $0 != "receivedAt" }, found, wanted)
                #expect(wrong == [])
            }
            try await Self.writeOn(node)
        }
    }
}
