import SwiftProtobuf
import TourModel

/// A server's answer with events of a tour: runs, one author after the other.
/// Source: `Protocol/09-mailbox.md`.
package struct MailboxEvents: Hashable, Sendable {
    /// The runs.
    package var runs: [Run]
    /// Whether more follow.
    package var more: Bool

    package init(runs: [Run], more: Bool) {
        self.runs = runs
        self.more = more
    }

    /// The answer's protobuf bytes.
    package func encode() -> [UInt8] {
        encoded(
            WireMailboxEvents.with {
                $0.runs = runs.map(\.wire)
                $0.more = more
            })
    }

    /// - Throws: `WireError.messageMalformed` for bytes that do not decode, or a malformed run.
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> MailboxEvents {
        guard let wire = decoded(WireMailboxEvents.self, bytes), let runs = wire.runs.all(Run.init) else {
            throw .messageMalformed
        }
        return MailboxEvents(runs: runs, more: wire.more)
    }
}

/// A server's answer with control events: exact bytes, in the order in which the server stored them.
/// Source: `Protocol/09-mailbox.md`.
package struct MailboxControls: Hashable, Sendable {
    /// The events' exact bytes.
    package var events: [[UInt8]]
    /// The server's number of the last one, from which the next question continues.
    package var next: UInt64
    /// Whether more follow.
    package var more: Bool

    package init(events: [[UInt8]], next: UInt64, more: Bool) {
        self.events = events
        self.next = next
        self.more = more
    }

    /// The answer's protobuf bytes.
    package func encode() -> [UInt8] {
        encoded(
            WireMailboxControls.with {
                $0.events = events.map { wireData($0) }
                $0.next = next
                $0.more = more
            })
    }

    /// - Throws: `WireError.messageMalformed` for bytes that do not decode, or more events than
    ///   `Limits.mailboxControlsMax`.
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> MailboxControls {
        guard let wire = decoded(WireMailboxControls.self, bytes), wire.events.count <= Limits.mailboxControlsMax else {
            throw .messageMalformed
        }
        return MailboxControls(events: wire.events.map { Array($0) }, next: wire.next, more: wire.more)
    }
}
