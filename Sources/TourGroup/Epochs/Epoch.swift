import TourCrypto
import TourModel
import TourWire

/// One epoch, as the event that made it says. Source: `Protocol/05-events.md`, "Epochs".
package struct Epoch: Hashable, Sendable {
    package let id: EpochID
    package let author: MemberID
    /// The author's place in its own log.
    package let sequence: UInt64
    package let clock: LogicalClock
    package let commitment: Bytes32
    /// Nil for the first epoch, whose key only the creator has until it hands it over.
    package let rekey: ControlBody.Rekey?

    /// - Returns: nil for a control event that makes no epoch.
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

    /// The epochs replaced, ascending; none of the first.
    package var parents: [EpochID] { rekey?.parents ?? [] }

    /// Whether the event says that this device shall not get the key.
    package func excludes(_ member: MemberID) -> Bool { rekey?.excludes(member.prefix) ?? false }

    /// Whether the key was wrapped for this member, or made by it.
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

/// Why an epoch is not one to write under, or its key not to be had from its event. Scope: the record. What is missing
/// may still come: each verdict is over what is known.
package enum EpochFault: String, Fault {
    /// Its author may not rekey, as far as is known.
    case notAllowed = "rekey-not-allowed"
    /// It replaces an epoch that is not known.
    case unknownParent = "rekey-unknown-parent"
    /// The key is wrapped for somebody who is no member: a ghost, or somebody who is not known yet.
    case ghostMember = "rekey-ghost-member"
    /// It names a wrapping key that is not known.
    case unknownWrappingKey = "rekey-unknown-wrapping-key"
    /// The hash over members and wrapping keys is of others than it names.
    case wrongRoster = "rekey-wrong-roster"
    /// It leaves out a member for whom an epoch that it replaces was made.
    case missingMember = "rekey-missing-member"
    /// It does not exclude somebody whom an epoch that it replaces excludes, or excludes whom it is wrapped for.
    case forgottenRemoval = "rekey-forgotten-removal"
    /// It excludes an active member that is not below its author, or its author.
    case unlawfulExclusion = "rekey-unlawful-exclusion"
    /// Our own wrap opens for none of our keys, or is not there.
    case missingWrap = "rekey-missing-wrap"
    /// Our own wrap holds another key than the event commits to: others were given another one.
    case splitKey = "rekey-split-key"

    package var code: String { rawValue }
    package var scope: FaultScope { .record }
}
