import Foundation
import ServerBase
import ServerRequests
import TourModel
import TourNotebook

/// A device's request: the items and deletions that it sends, and the cursor behind which it wants changes.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct DeltaRequest: Sendable {
    /// The stamp of the last change that the device has; nil: it has none.
    let cursor: Int64?
    /// The name that the device gives itself; nil for the guides' apps, which know none of this program's extensions.
    let device: String?
    /// The maximum of changes in the answer.
    let limit: Int
    let kinds: Set<NotebookKind>
    let items: [Result<ItemRequest, ItemRejection>]
    let deletions: [DeletionRequest]
}

extension DeltaRequest: Decodable {
    private enum CodingKeys: String, CodingKey {
        case cursor = "last_sync_timestamp"
        case device, limit, kinds, deletions
        case deletedIDs = "deleted_ids"
    }

    /// - Throws: `DecodingError`, or a `Failure` for a value out of bounds. A malformed item does not throw: the reader
    ///   of `items` decides what to do with it.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        if let text = try fields.decodeIfPresent(String.self, forKey: .cursor) {
            guard let stamp = DeltaCursor.stamp(text) else { throw Failure.invalid(CodingKeys.cursor.rawValue) }
            cursor = stamp
        } else {
            cursor = nil
        }
        device = try Self.device(fields.decodeIfPresent(String.self, forKey: .device))
        limit =
            try fields.decodeIfPresent(WholeNumber.self, forKey: .limit).map { Int($0.value) }
            ?? ServerLimits.deltaItemsMax
        guard (1...ServerLimits.deltaItemsMax).contains(limit) else {
            throw Failure.invalid(CodingKeys.limit.rawValue)
        }
        let wanted = try fields.decodeIfPresent([NotebookKind].self, forKey: .kinds)
        kinds = wanted.map { Set($0) } ?? [.place, .category]
        items = try ItemRequest.all(in: decoder, kinds: Self.order)
        let named = try DeletionRequest.named(in: fields.decodeIfPresent([String: [String]].self, forKey: .deletedIDs))
        deletions = named + (try fields.decodeIfPresent([DeletionRequest].self, forKey: .deletions) ?? [])
        guard items.count <= ServerLimits.deltaItemsMax, deletions.count <= ServerLimits.deltaItemsMax else {
            throw Failure(.tooLarge)
        }
    }

    /// The order in which kinds are applied: items that others refer to come first.
    private static let order: [NotebookKind] = [.category, .place, .stop, .itinerary, .note, .lost]

    /// - Throws: `invalidField` for a name that is empty, too long or has control characters.
    static func device(_ name: String?) throws(Failure) -> String? {
        guard let name else { return nil }
        guard (1...ServerLimits.deviceBytesMax).contains(name.utf8.count), name.utf8.allSatisfy({ $0 >= 0x20 }) else {
            throw .invalid(CodingKeys.device.rawValue)
        }
        return name
    }

    /// - Throws: `badJSON`, `tooLarge`; `invalidField` naming the field.
    init(_ body: Data) throws(Failure) {
        do {
            self = try JSONForm.decoder.decode(DeltaRequest.self, from: body)
        } catch {
            throw Failure(reading: error)
        }
    }
}

extension Failure {
    /// - Parameter error: the error that a decoder threw.
    init(reading error: any Error) {
        if let failure = error as? Failure {
            self = failure
        } else {
            self = (error as? DecodingError).map(Failure.init(decoding:)) ?? Failure(.badJSON)
        }
    }
}

/// An item that a device deleted, as a request says it.
struct DeletionRequest: Decodable, Sendable {
    let kind: NotebookKind
    let id: NotebookID
    /// The server's version that the device had; nil for apps that do not send it.
    let base: Int64?

    private enum CodingKeys: String, CodingKey {
        case kind, id
        case base = "base_version"
    }

    private init(kind: NotebookKind, id: NotebookID, base: Int64?) {
        self.kind = kind
        self.id = id
        self.base = base
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            kind: try fields.decode(NotebookKind.self, forKey: .kind),
            id: try fields.decode(NotebookID.self, forKey: .id),
            base: try fields.decodeIfPresent(WholeNumber.self, forKey: .base)?.value)
        guard base.map({ (0...ServerLimits.itemVersionMax).contains($0) }) ?? true else {
            throw DecodingError.dataCorruptedError(forKey: .base, in: fields, debugDescription: "no version")
        }
    }

    /// The deletions in the guide's `deleted_ids`; kinds that are unknown here are skipped.
    static func named(in lists: [String: [String]]?) throws(Failure) -> [DeletionRequest] {
        var deletions = [DeletionRequest]()
        for kind in NotebookKind.allCases {
            for (index, text) in (lists?[kind.rawValue] ?? []).enumerated() {
                guard let id = NotebookID(text) else { throw .invalid("deleted_ids.\(kind.rawValue)[\(index)]") }
                deletions.append(DeletionRequest(kind: kind, id: id, base: nil))
            }
        }
        return deletions
    }
}

/// A stamp in the form that clients keep: RFC 3339 with microseconds.
enum DeltaCursor {
    static func text(_ stamp: Int64) -> String { Timestamp.text(microseconds: stamp) }

    /// - Parameter text: any RFC 3339 time; digits beyond microseconds are dropped.
    static func stamp(_ text: String) -> Int64? {
        guard let date = JSONForm.date(text) else { return nil }
        let fraction = text.drop { $0 != "." }.dropFirst().prefix { $0.isNumber }.prefix(6)
        let digits = fraction + String(repeating: "0", count: 6 - fraction.count)
        // The date has no fraction.
        guard let micros = Int64(digits) else { return nil }
        return Int64(date.timeIntervalSince1970.rounded(.down)) * 1_000_000 + micros
    }
}
