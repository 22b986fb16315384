import SwiftProtobuf
import TourModel

/// Asks everybody to confirm that they are there. Source: `Protocol/05-events.md`, "Roll calls".
package struct RollCall: Hashable, Sendable {
    /// Place or purpose, up to `Limits.rollTextBytesMax` bytes; empty: not stated.
    package var text: String
    /// How long the call waits for answers, within `Limits.rollSeconds`.
    package var seconds: Int

    package init(text: String, seconds: Int) {
        self.text = text
        self.seconds = seconds
    }
}

/// The answer that some members are there, or are not after all.
package struct RollAnswer: Hashable, Sendable {
    /// The answer.
    package enum State: UInt32, Sendable {
        /// They are there.
        case here = 1
        /// They are not there after all.
        case notHere
    }

    /// The roll call's event.
    package var call: EventID
    /// The answer.
    package var state: State
    /// The first eight bytes of the ids of the members that it is about, at most `Limits.rollAnswerMembersMax`; empty:
    /// its author.
    package var members: [UInt64]

    package init(call: EventID, state: State, members: [UInt64] = []) {
        self.call = call
        self.state = state
        self.members = members
    }
}

/// The end of a roll call.
package struct RollEnd: Hashable, Sendable {
    /// The roll call's event.
    package var call: EventID
    /// The first eight bytes of the ids of members that were missing then, at most `Limits.rollMissingMax`.
    package var missing: [UInt64]

    package init(call: EventID, missing: [UInt64]) {
        self.call = call
        self.missing = missing
    }
}

/// The groups whose members answer for each other in roll calls.
package struct Buddies: Hashable, Sendable {
    /// For each group the first eight bytes of its members' ids, `Limits.buddyGroupMembers` of them; nobody is in two
    /// groups. At most `Limits.buddyGroupsMax` groups.
    package var groups: [[UInt64]]

    package init(groups: [[UInt64]]) { self.groups = groups }
}

extension RollCall {
    /// - Returns: nil for a value out of range.
    init?(_ wire: WireRollCall) {
        guard wire.text.utf8.count <= Limits.rollTextBytesMax, Limits.rollSeconds.contains(Int(wire.seconds)) else {
            return nil
        }
        self.init(text: wire.text, seconds: Int(wire.seconds))
    }

    var wire: WireRollCall {
        .with {
            $0.text = text
            $0.seconds = UInt32(clamping: seconds)
        }
    }
}

extension RollAnswer {
    init?(_ wire: WireRollAnswer) {
        guard let call = EventID(wire.call), let state = State(rawValue: wire.state),
            wire.members.count <= Limits.rollAnswerMembersMax
        else { return nil }
        self.init(call: call, state: state, members: wire.members)
    }

    var wire: WireRollAnswer {
        .with {
            $0.call = call.data
            $0.state = state.rawValue
            $0.members = members
        }
    }
}

extension RollEnd {
    init?(_ wire: WireRollEnd) {
        guard let call = EventID(wire.call), wire.missing.count <= Limits.rollMissingMax else { return nil }
        self.init(call: call, missing: wire.missing)
    }

    var wire: WireRollEnd {
        .with {
            $0.call = call.data
            $0.missing = missing
        }
    }
}

extension Buddies {
    init?(_ wire: WireBuddies) {
        guard wire.groups.count <= Limits.buddyGroupsMax else { return nil }
        var known: Set<UInt64> = []
        for group in wire.groups {
            guard Limits.buddyGroupMembers.contains(group.members.count) else { return nil }
            for member in group.members {
                guard known.insert(member).inserted else { return nil }
            }
        }
        self.init(groups: wire.groups.map(\.members))
    }

    var wire: WireBuddies {
        .with { $0.groups = groups.map { members in .with { $0.members = members } } }
    }
}
