import SwiftProtobuf
import TourModel

/// One part of a version of a shared record, or the record's withdrawal. Source: `Protocol/12-notebook.md`, "Shared
/// records".
package struct SharedPart: Hashable, Sendable {
    /// The last part's description of the whole record.
    package struct Head: Hashable, Sendable {
        /// The kind of record.
        package var kind: SharedKind
        /// 1…`Limits.notebookTitleBytesMax` bytes of UTF-8.
        package var title: String

        package init(kind: SharedKind, title: String) {
            self.kind = kind
            self.title = title
        }
    }

    /// The record.
    package var record: NotebookID
    /// 1…`Limits.sharedVersionMax`.
    package var version: UInt64
    /// Counts from 0, below `parts`; 0 also for a withdrawal.
    package var part: Int
    /// The number of parts; 0: the record is withdrawn.
    package var parts: Int
    /// `Limits.sharedPartBytesMax` bytes; in the last part the remainder.
    package var data: [UInt8]
    /// Present in the last part and in a withdrawal; nil in others.
    package var head: Head?

    package init(record: NotebookID, version: UInt64, part: Int, parts: Int, data: [UInt8], head: Head?) {
        self.record = record
        self.version = version
        self.part = part
        self.parts = parts
        self.data = data
        self.head = head
    }

    /// Withdraws a record.
    package static func takingBack(_ record: NotebookID, version: UInt64, _ head: Head) -> SharedPart {
        SharedPart(record: record, version: version, part: 0, parts: 0, data: [], head: head)
    }

    /// Whether this withdraws the record.
    package var isTakingBack: Bool { parts == 0 }
}

extension Content {
    /// - Returns: nil for a value out of range; a kind of record from a later version is an unsupported content.
    init?(_ wire: WireSharedPart) {
        guard let record = NotebookID(wire.record.array), (1...Limits.sharedVersionMax).contains(wire.version),
            wire.parts <= Limits.sharedPartsMax, wire.part < max(wire.parts, 1)
        else { return nil }
        let (part, parts) = (Int(wire.part), Int(wire.parts))
        var head: SharedPart.Head?
        if part + 1 < parts {
            guard wire.kind == 0, wire.title.isEmpty, wire.data.count == Limits.sharedPartBytesMax else { return nil }
        } else {
            let least = parts > 1 ? 1 : 0
            let most = parts == 0 ? 0 : Limits.sharedPartBytesMax
            guard wire.kind > 0, wire.title.fits(Limits.notebookTitleBytesMax),
                least <= wire.data.count, wire.data.count <= most
            else { return nil }
            guard let kind = SharedKind(rawValue: wire.kind) else {
                self = .unsupported
                return
            }
            head = SharedPart.Head(kind: kind, title: wire.title)
        }
        self = .shared(
            SharedPart(
                record: record, version: wire.version, part: part, parts: parts, data: wire.data.array, head: head))
    }
}

extension SharedPart {
    var wire: WireSharedPart {
        .with {
            $0.record = wireData(record.bytes)
            $0.version = version
            $0.part = UInt32(clamping: part)
            $0.parts = UInt32(clamping: parts)
            $0.data = wireData(data)
            $0.kind = head?.kind.rawValue ?? 0
            $0.title = head?.title ?? ""
        }
    }
}
