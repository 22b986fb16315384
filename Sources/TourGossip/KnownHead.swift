import TourCrypto
import TourModel
import TourWire

/// A head, and which event it is.
package struct KnownHead: Hashable, Sendable {
    /// The author's first eight bytes.
    package let prefix: UInt64
    /// The head.
    package let sequence: UInt64
    /// The id of the event there.
    package let id: EventID

    package init(prefix: UInt64, sequence: UInt64, id: EventID) {
        self.prefix = prefix
        self.sequence = sequence
        self.id = id
    }

    /// The head as a message or row names it.
    package func tagged(_ salt: UInt64) -> TaggedHead {
        TaggedHead(prefix: prefix, sequence: sequence, tag: HeadTag.of(id, salt: salt))
    }
}

/// A head as somebody named it: once this node holds the place, the tag shows whether both hold the same event.
struct HeardHead: Hashable, Sendable {
    let sequence: UInt64
    let tag: UInt64
    let salt: UInt64

    init(_ head: TaggedHead, salt: UInt64) {
        sequence = head.sequence
        tag = head.tag
        self.salt = salt
    }

    func names(_ event: EventID) -> Bool { HeadTag.of(event, salt: salt) == tag }
}
