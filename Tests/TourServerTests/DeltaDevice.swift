import Foundation
import NIOHTTP1

/// A device that syncs a notebook: it remembers its place.
struct DeltaDevice {
    let server: RunningServer
    let token: String
    /// nil for an app of the guides.
    var name: String?
    /// As the last answer gave it.
    var cursor: String?

    struct Failed: Error { let reply: Reply }

    /// - Parameter fields: JSON members that it sends, with a comma at the end of each.
    /// - Returns: what it is told; every kind, if it has a name.
    mutating func sync(_ fields: String = "", limit: Int? = nil) async throws -> Told {
        let reply = try await send(fields, limit: limit)
        guard reply.status == 200 else { throw Failed(reply: reply) }
        let told: Told = try reply.decoded()
        cursor = told.current_server_time
        return told
    }

    /// Leaves its place as it is.
    func send(_ fields: String = "", limit: Int? = nil) async throws -> Reply {
        var body = "{" + fields
        if let name { body += #""device":"\#(name)","kinds":\#(Self.kinds),"# }
        if let limit { body += #""limit":\#(limit),"# }
        if let cursor { body += #""last_sync_timestamp":"\#(cursor)","# }
        return try await server.send(.POST, "/api/v1/sync/delta", token: token, body + #""x":0}"#)
    }

    private static let kinds = #"["notes","bookmarks","categories","collections","samples","lost"]"#

    struct Told: Decodable {
        struct Item: Decodable, Hashable {
            struct Stop: Decodable, Hashable { var id: String }
            var id: String
            var title: String?
            var name: String?
            var content: String?
            var image_urls: [String]?
            var samples: [Stop]?
            var sync_version: Int64
        }
        struct Lost: Decodable {
            var id: String
            var kind: String
            var reason: String
            var item: Item
        }
        struct Rejected: Decodable {
            var kind: String
            var id: String?
            var code: String
            var field: String?
        }
        var updated_bookmarks: [Item]
        var updated_categories: [Item]
        var updated_notes: [Item]?
        var updated_collections: [Item]?
        var updated_samples: [Item]?
        var updated_lost: [Lost]?
        var deleted_ids: [String: [String]]
        var current_server_time: String
        var has_more: Bool?
        var rejected: [Rejected]?

        var isEmpty: Bool {
            updated_bookmarks.isEmpty && updated_categories.isEmpty && updated_notes?.isEmpty ?? true
                && updated_collections?.isEmpty ?? true && updated_samples?.isEmpty ?? true
                && updated_lost?.isEmpty ?? true && deleted_ids.values.allSatisfy(\.isEmpty)
                && rejected?.isEmpty ?? true
        }
    }

    /// The same UUID for the same number.
    static func id(_ number: Int) -> String {
        let digits = String(number)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    /// A place as a member of `bookmarks`.
    static func place(_ number: Int, _ title: String, version: Int, base: Int? = nil) -> String {
        let base = base.map { #","base_version":\#($0)"# } ?? ""
        return #"{"id":"\#(id(number))","title":"\#(title)","sync_version":\#(version)\#(base)}"#
    }

    static func bookmarks(_ places: String...) -> String { bookmarks(places) }
    static func bookmarks(_ places: [String]) -> String { #""bookmarks":[\#(places.joined(separator: ","))],"# }

    static func deletion(_ kind: String, _ number: Int, base: Int? = nil) -> String {
        let base = base.map { #","base_version":\#($0)"# } ?? ""
        return #""deletions":[{"kind":"\#(kind)","id":"\#(id(number))"\#(base)}],"#
    }
}
