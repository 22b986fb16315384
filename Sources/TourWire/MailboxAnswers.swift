import SwiftProtobuf
import TourModel

/// Events of a tour as a server gives them: runs, of one author after the other.
/// Source: `Protocol/09-mailbox.md`.
package struct MailboxEvents: Hashable, Sendable {
    package var runs: [Run]
    /// There is more behind these.
    package var more: Bool

    package init(runs: [Run], more: Bool) {
        self.runs = runs
        self.more = more
    }

    package func encode() -> [UInt8] {
        encoded(
            WireMailboxEvents.with {
                $0.runs = runs.map(\.wire)
                $0.more = more
            })
    }

    /// - Throws: `WireError.messageMalformed`: no such message, or a run that is malformed.
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> MailboxEvents {
        guard let wire = decoded(WireMailboxEvents.self, bytes), let runs = wire.runs.all(Run.init) else {
            throw .messageMalformed
        }
        return MailboxEvents(runs: runs, more: wire.more)
    }
}

/// Control events as a server gives them: exact bytes, in the order in which it took them.
/// Source: `Protocol/09-mailbox.md`.
package struct MailboxControls: Hashable, Sendable {
    package var events: [[UInt8]]
    /// The server's place of the last one; from here it is asked on.
    package var next: UInt64
    package var more: Bool

    package init(events: [[UInt8]], next: UInt64, more: Bool) {
        self.events = events
        self.next = next
        self.more = more
    }

    package func encode() -> [UInt8] {
        encoded(
            WireMailboxControls.with {
                $0.events = events.map { wireData($0) }
                $0.next = next
                $0.more = more
            })
    }

    /// - Throws: `WireError.messageMalformed`: no such message, or more events than `Limits.mailboxControlsMax`.
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> MailboxControls {
        guard let wire = decoded(WireMailboxControls.self, bytes), wire.events.count <= Limits.mailboxControlsMax else {
            throw .messageMalformed
        }
        return MailboxControls(events: wire.events.map { Array($0) }, next: wire.next, more: wire.more)
    }
}
