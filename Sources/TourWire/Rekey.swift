import SwiftProtobuf
import TourModel

extension ControlBody {
    /// What makes a new epoch: whom its key is for, and whom it is kept from.
    /// Source: `Protocol/05-events.md`, "Rekey".
    package struct Rekey: Hashable, Sendable {
        /// A device that the key is wrapped for.
        package struct Recipient: Hashable, Sendable {
            /// The first eight bytes of the member's id.
            package var member: UInt64
            /// The sequence of its `wrapping_key` event that was used; 0: the key that it was admitted with.
            package var generation: UInt64

            package init(member: UInt64, generation: UInt64) {
                self.member = member
                self.generation = generation
            }
        }

        /// The epochs replaced: one to `Limits.rekeyParentsMax`, ascending.
        package var parents: [EpochID]
        /// H("roster-keys", …) of the recipients.
        package var roster: Bytes32
        package var commitment: Bytes32
        /// One to `Limits.rekeyRecipientsMax`, ascending by member.
        package var recipients: [Recipient]
        /// `Limits.wrappedKeyBytes` for each recipient, in their order.
        package var wraps: [UInt8]
        /// The first eight bytes of the ids of those who shall not get the key, ascending.
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

        /// What is sealed for a member, and to which of its keys.
        /// - Returns: nil for somebody whom the key is not wrapped for.
        package func wrap(for member: UInt64) -> (recipient: Recipient, sealed: ArraySlice<UInt8>)? {
            guard let index = place(of: member) else { return nil }
            let start = index * Limits.wrappedKeyBytes
            guard start + Limits.wrappedKeyBytes <= wraps.count else { return nil }
            return (recipients[index], wraps[start..<start + Limits.wrappedKeyBytes])
        }

        /// Whether the key is wrapped for a member.
        package func names(_ member: UInt64) -> Bool { place(of: member) != nil }

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
    /// The first place of an ascending list that is not before what is looked for.
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
    /// In order, and none twice.
    fileprivate var isStrictlyAscending: Bool { zip(self, dropFirst()).allSatisfy { $0 < $1 } }
}
