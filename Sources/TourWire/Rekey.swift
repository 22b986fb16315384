import SwiftProtobuf
import TourModel

extension ControlBody {
    /// The event body that creates a new epoch, with the devices that get its key and those excluded from it.
    /// Source: `Protocol/05-events.md`, "Rekey".
    package struct Rekey: Hashable, Sendable {
        /// A device for which the key is wrapped.
        package struct Recipient: Hashable, Sendable {
            /// The first eight bytes of the member's id.
            package var member: UInt64
            /// The sequence of the `wrapping_key` event whose key is used; 0: the key of the admission.
            package var generation: UInt64

            package init(member: UInt64, generation: UInt64) {
                self.member = member
                self.generation = generation
            }
        }

        /// The epochs that it replaces: one to `Limits.rekeyParentsMax`, ascending.
        package var parents: [EpochID]
        /// H("roster-keys", …) of the recipients.
        package var roster: Bytes32
        /// The commitment to the new key.
        package var commitment: Bytes32
        /// One to `Limits.rekeyRecipientsMax`, ascending by member.
        package var recipients: [Recipient]
        /// `Limits.wrappedKeyBytes` bytes for each recipient, in their order.
        package var wraps: [UInt8]
        /// The first eight bytes of the ids of devices that must not get the key, ascending.
        package var excluded: [UInt64]

        package init(
            parents: [EpochID], roster: Bytes32, commitment: Bytes32, recipients: [Recipient], wraps: [UInt8],
            excluded: [UInt64]
        ) {
            self.parents = parents
            self.roster = roster
            self.commitment = commitment
            self.recipients = recipients
            self.wraps = wraps
            self.excluded = excluded
        }

        /// A member's wrapped key, and which of its wrapping keys was used.
        /// - Returns: nil for a device for which the key is not wrapped.
        package func wrap(for member: UInt64) -> (recipient: Recipient, sealed: ArraySlice<UInt8>)? {
            guard let index = place(of: member) else { return nil }
            let start = index * Limits.wrappedKeyBytes
            guard start + Limits.wrappedKeyBytes <= wraps.count else { return nil }
            return (recipients[index], wraps[start..<start + Limits.wrappedKeyBytes])
        }

        /// Whether the key is wrapped for a member.
        package func names(_ member: UInt64) -> Bool { place(of: member) != nil }

        /// Whether a member is excluded.
        package func excludes(_ member: UInt64) -> Bool {
            let index = excluded.place { $0 < member }
            return index < excluded.count && excluded[index] == member
        }

        private func place(of member: UInt64) -> Int? {
            let index = recipients.place { $0.member < member }
            return index < recipients.count && recipients[index].member == member ? index : nil
        }
    }
}

extension ControlBody.Rekey {
    init?(_ wire: WireRekey) {
        guard (1...Limits.rekeyParentsMax).contains(wire.parents.count),
            let parents = wire.parents.all({ EpochID($0) }), parents.isStrictlyAscending,
            let roster = Bytes32(wire.roster), let commitment = Bytes32(wire.commitment),
            (1...Limits.rekeyRecipientsMax).contains(wire.members.count), wire.members.isStrictlyAscending,
            wire.generations.count == wire.members.count,
            wire.wraps.count == wire.members.count * Limits.wrappedKeyBytes,
            wire.excluded.count <= Limits.rekeyExcludedMax, wire.excluded.isStrictlyAscending
        else { return nil }
        self.init(
            parents: parents, roster: roster, commitment: commitment,
            recipients: zip(wire.members, wire.generations).map { Recipient(member: $0, generation: $1) },
            wraps: Array(wire.wraps), excluded: wire.excluded)
    }

    var wire: WireRekey {
        .with {
            $0.parents = parents.map(\.data)
            $0.roster = wireData(roster.bytes)
            $0.commitment = wireData(commitment.bytes)
            $0.members = recipients.map(\.member)
            $0.generations = recipients.map(\.generation)
            $0.wraps = wireData(wraps)
            $0.excluded = excluded
        }
    }
}

extension Array {
    /// The first place of an ascending list whose element is not before the wanted one.
    fileprivate func place(_ isBefore: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Whether the elements ascend without repetition.
    fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
