import TourCrypto
import TourModel
import TourWire

/// A control event whose signature is verified, and that of the join request inside.
package struct ControlRecord: Hashable, Sendable {
    /// The event.
    package let event: Event
    /// The decoded body.
    package let body: ControlBody
    /// The device that an admission introduces; nil for another kind.
    let admitted: MemberID?

    /// The member that signed the event.
    package var author: MemberID { event.header.author }

    var name: EventName { EventName(event.id) }

    private init(event: Event, body: ControlBody) {
        self.event = event
        self.body = body
        admitted = if case .admit(let request) = body { MemberID(identity: request.identity) } else { nil }
    }

    /// The tour's order; event ids decide between two events that one author wrote for one place in its log, so that
    /// the order never depends on which arrived first.
    static func precedes(_ left: ControlRecord, _ right: ControlRecord) -> Bool {
        if Event.precedes(left.event, right.event) { return true }
        if Event.precedes(right.event, left.event) { return false }
        return left.event.id < right.event.id
    }

    /// Verifies a genesis on its own: it carries the key that signed it.
    /// - Throws: `GroupFault.badGenesis` (scope record).
    package init(genesis bytes: [UInt8]) throws(GroupFault) {
        guard let raw = try? RawEvent(decoding: bytes), raw.header.tour == .none, raw.header.sequence == 1,
            raw.header.previous == .none, raw.header.eventClass == .control, raw.header.epoch == .none,
            case .genesis(let body)? = try? ControlBody(decoding: raw.body),
            let run = try? VerifiedRun(header: raw.header, bytes: bytes, identity: body.identity)
        else { throw .badGenesis }
        self.init(event: run.events[0], body: .genesis(body))
    }

    /// An event that is already verified, as part of a run.
    /// - Throws: `GroupFault.badControl` for a body that does not decode or a request whose signatures do not verify
    ///   (scope record).
    package init(verified event: Event) throws(GroupFault) {
        guard event.header.eventClass == .control, event.header.epoch == .none,
            let body = try? ControlBody(decoding: event.body)
        else { throw .badControl }
        switch body {
        case .genesis: throw .badControl
        case .admit(let request):
            guard request.isSigned(tour: event.header.tour) else { throw .badControl }
        case .fork(let proof):
            guard proof.place(in: event.header.tour) != nil else { throw .badControl }
        case .invite, .revoke, .leave, .close, .role, .remove, .rekey, .wrappingKey, .unknown: break
        }
        self.init(event: event, body: body)
    }
}

/// A control event or sealed event that is not sound. Scope: the record.
package enum GroupFault: String, Fault {
    /// A genesis that does not decode or verify.
    case badGenesis = "bad-genesis"
    /// A control event that does not decode, or an unsigned request or proof inside.
    case badControl = "bad-control-event"
    /// The author is not in the roster.
    case unknownAuthor = "unknown-author"
    /// Sealed under an epoch whose key this node does not hold.
    case unknownEpoch = "unknown-epoch"
    /// The seal does not open: the key, author or header does not match.
    case badSeal = "bad-seal"
    /// The content has another class than the header states, or does not decode.
    case badContent = "bad-content"
    /// Written after the last event of its author that counts.
    case beyondCut = "beyond-cut"
    /// An announcement whose author was not allowed to announce at that place of its log.
    case notAllowed = "not-allowed"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
