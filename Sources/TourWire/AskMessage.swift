import SwiftProtobuf
import TourModel

/// A message of an ask link. Source: `Protocol/14-asking.md`.
package enum AskMessage: Hashable, Sendable {
    /// The asker fixes its nonce.
    case commit(Bytes32)
    /// The member's nonce.
    case nonce(Bytes32)
    /// The asker's nonce, and what it wants to be called.
    case reveal(nonce: Bytes32, name: String)
    /// The bytes of an invite code (`AskMessage.codeBytes`), and what the tour is called.
    case admitted(code: [UInt8], tourName: String)
    /// The member lets nobody in.
    case refused(AskRefusal)
    /// A share of CPace.
    case share(Bytes32)
    /// That the sender has CPace's key: `AskMessage.proofBytes`.
    case proof([UInt8])

    /// The length of an invite code.
    package static let codeBytes = 35
    /// The length of a proof.
    package static let proofBytes = 64
}

/// Why an asker is not let in. Source: `Protocol/14-asking.md`, "Refusals".
package enum AskRefusal: String, Sendable {
    /// The person said no.
    case refused
    /// Too many ask here, or one asks from there already.
    case busy
    /// Nobody answered in time.
    case expired
    /// The tour is over, or this member may invite no more.
    case closed
    /// No spoken code is open here.
    case noCode = "no-code"
    /// The proof does not fit.
    case wrongCode = "wrong-code"
    /// The spoken code has no use or no trial left.
    case spent
}

extension AskMessage {
    var wire: WireLinkMessage.OneOf_Kind {
        switch self {
        case .commit(let commitment): .askCommit(.with { $0.commitment = wireData(commitment.bytes) })
        case .nonce(let nonce): .askNonce(.with { $0.nonce = wireData(nonce.bytes) })
        case .reveal(let nonce, let name):
            .askReveal(
                .with {
                    $0.nonce = wireData(nonce.bytes)
                    $0.name = name
                })
        case .admitted(let code, let tourName):
            .askAnswer(
                .with {
                    $0.inviteCode = wireData(code)
                    $0.tourName = tourName
                })
        case .refused(let refusal): .askAnswer(.with { $0.refusal = refusal.rawValue })
        case .share(let share): .codeShare(.with { $0.share = wireData(share.bytes) })
        case .proof(let proof): .codeProof(.with { $0.proof = wireData(proof) })
        }
    }

    init?(_ wire: WireAskCommit) {
        guard let commitment = Bytes32(wire.commitment) else { return nil }
        self = .commit(commitment)
    }

    init?(_ wire: WireAskNonce) {
        guard let nonce = Bytes32(wire.nonce) else { return nil }
        self = .nonce(nonce)
    }

    init?(_ wire: WireAskReveal) {
        guard let nonce = Bytes32(wire.nonce), wire.name.fits(Limits.nameBytesMax) else {
            return nil
        }
        self = .reveal(nonce: nonce, name: wire.name)
    }

    init?(_ wire: WireAskAnswer) {
        guard wire.refusal.isEmpty else {
            guard wire.inviteCode.isEmpty, wire.tourName.isEmpty else { return nil }
            self = .refused(AskRefusal(rawValue: wire.refusal) ?? .refused)
            return
        }
        guard wire.inviteCode.count == Self.codeBytes, wire.tourName.utf8.count <= Limits.nameBytesMax else {
            return nil
        }
        self = .admitted(code: wire.inviteCode.array, tourName: wire.tourName)
    }

    init?(_ wire: WireCodeShare) {
        guard let share = Bytes32(wire.share) else { return nil }
        self = .share(share)
    }

    init?(_ wire: WireCodeProof) {
        guard wire.proof.count == Self.proofBytes else { return nil }
        self = .proof(wire.proof.array)
    }
}
