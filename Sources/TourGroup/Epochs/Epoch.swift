import TourCrypto
import TourModel
import TourWire

/// One epoch, as the event that created it states. Source: `Protocol/05-events.md`, "Epochs".
package struct Epoch: Hashable, Sendable {
    /// The epoch's name: the id of its event.
    package let id: EpochID
    /// The member that created it.
    package let author: MemberID
    /// The author's place in its own log.
    package let sequence: UInt64
    /// The clock of its event.
    package let clock: LogicalClock
    /// The commitment to its key.
    package let commitment: Bytes32
    /// Nil for the first epoch, whose key only the creator has until it passes it on.
    package let rekey: ControlBody.Rekey?

    /// - Returns: nil for a control event that creates no epoch.
    package init?(_ record: ControlRecord) {
        let header = record.event.header
        switch record.body {
        case .genesis(let body):
            commitment = body.commitment
            rekey = nil
        case .rekey(let body):
            commitment = body.commitment
            rekey = body
        default: return nil
        }
        id = EpochID(raw: record.event.id.raw)
        author = header.author
        sequence = header.sequence
        clock = header.clock
    }

    /// The epochs that this one replaces, ascending; the first epoch replaces none.
    package var parents: [EpochID] { rekey?.parents ?? [] }

    /// Whether the event excludes this device from the key.
    package func excludes(_ member: MemberID) -> Bool { rekey?.excludes(member.prefix) ?? false }

    /// Whether this member created the key or the event wraps it for the member.
    package func names(_ member: MemberID) -> Bool {
        guard let rekey else { return member == author }
        return rekey.names(member.prefix)
    }

    /// Whether the event commits to this key.
    func commits(to key: SecretBytes, author: SigningKey) -> Bool {
        guard key.count == EpochKey.keyBytes else { return false }
        return EpochKey.commitment(of: key, parents: parents, roster: rekey?.roster, author: author) == commitment
    }
}

/// Why an epoch cannot be sealed under, or why its event yields no key. Scope: the record. Missing events may still
/// arrive: each verdict holds for what is known.
package enum EpochFault: String, Fault {
    /// Its author may not rekey, as far as is known.
    case notAllowed = "rekey-not-allowed"
    /// It replaces an epoch that is not known.
    case unknownParent = "rekey-unknown-parent"
    /// The key is wrapped for a ghost: somebody who is no member, or not known yet.
    case ghostMember = "rekey-ghost-member"
    /// It names a wrapping key that is not known.
    case unknownWrappingKey = "rekey-unknown-wrapping-key"
    /// The hash over members and wrapping keys does not match those that it names.
    case wrongRoster = "rekey-wrong-roster"
    /// It leaves out a member that has the key of an epoch that it replaces.
    case missingMember = "rekey-missing-member"
    /// It does not exclude a device that a replaced epoch excludes, or excludes one for which it wraps the key.
    case forgottenRemoval = "rekey-forgotten-removal"
    /// It excludes its author, or an active member that is not below its author.
    case unlawfulExclusion = "rekey-unlawful-exclusion"
    /// Our own wrap opens with none of our keys, or is missing.
    case missingWrap = "rekey-missing-wrap"
    /// Our own wrap holds another key than the event commits to: members were given different keys.
    case splitKey = "rekey-split-key"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
