import TourCrypto
import TourModel

// The roster as bytes, identical on all nodes that hold the same control events.
// Source: `Protocol/05-events.md`, "Roster as bytes".
extension Roster {
    /// Members and invites in ascending order, in fixed fields.
    package var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = [Self.bits(isClosed, fullHistory)]
        creator.raw.append(to: &bytes)
        bytes.append(bigEndian: UInt32(members.count))
        for member in members.values.sorted(by: { $0.id < $1.id }) { member.append(to: &bytes) }
        bytes.append(bigEndian: UInt32(invites.count))
        for invite in invites.values.sorted(by: { $0.key < $1.key }) { invite.append(to: &bytes) }
        return bytes
    }

    /// H("roster-state", the roster's bytes): two nodes agree on the roster if their hashes are equal.
    package var stateHash: Bytes32 { Hash.of(.rosterState, canonicalBytes) }

    /// The first flag is the lowest bit.
    fileprivate static func bits(_ flags: Bool...) -> UInt8 {
        flags.reversed().reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
    }
}

extension Member {
    fileprivate func append(to bytes: inout [UInt8]) {
        for key in [id.raw, identity.raw, linkKey.raw, wrappingKey.raw] { key.append(to: &bytes) }
        bytes.append(bigEndian: admittedAt.value)
        bytes.append(rank.rawValue)
        bytes.append(Roster.bits(hasLeft, isRemoved, isForked, end != nil))
        bytes.append(bigEndian: end?.sequence ?? 0)
        let named = (end?.named ?? []).sorted()
        bytes.append(bigEndian: UInt32(named.count))
        for id in named { id.raw.append(to: &bytes) }
        bytes.append(bigEndian: UInt32(steps.count))
        for step in steps {
            bytes.append(bigEndian: step.after)
            bytes.append(step.rank.rawValue)
        }
        bytes.append(bigEndian: UInt32(roles.count))
        for role in roles { role.raw.append(to: &bytes) }
    }
}

extension InviteState {
    fileprivate func append(to bytes: inout [UInt8]) {
        for id in [key.raw, event.raw, author.raw] { id.append(to: &bytes) }
        bytes.append(bigEndian: UInt32(uses))
        bytes.append(bigEndian: UInt32(used))
        bytes.append(Roster.bits(isRevoked, isOverused))
    }
}
