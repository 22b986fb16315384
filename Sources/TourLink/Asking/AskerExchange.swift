import TourCrypto
import TourModel
import TourWire

/// The asker's side of an ask link, from its first message to the answer.
/// Source: `Protocol/14-asking.md`; drawn in `Protocol/StateMachines/ask-asker.dot`.
package struct AskerExchange: Sendable {
    /// How the two sides make sure of each other.
    package enum Way: Sendable {
        /// People compare words; the name is what the asker wants to be called.
        case words(name: String)
        /// Somebody read digits aloud.
        case digits(SpokenDigits)
    }

    /// An action or event for the shell, in order.
    package enum Output: Sendable {
        /// Send this to the member.
        case send(AskMessage)
        /// The words to compare; once, and only by words.
        case words(ComparedWords)
        /// The member's answer; by words it counts once the person has said that the words agree.
        case admitted(InviteCode, tourName: String)
        /// The member's other answer.
        case refused(AskRefusal)
    }

    private enum State: Sendable {
        case committed(Bytes32, name: String)
        case revealed
        case shared(CPace)
        case proved(memberProof: SecretBytes)
        case assured
        case ended
    }

    private let handshakeHash: [UInt8]
    private var state: State

    /// - Parameter nonce: 32 random bytes, for this link alone.
    package init(
        _ link: AskLink, _ way: Way, nonce: Bytes32 = Self.randomNonce, into outputs: inout [Output]
    ) {
        handshakeHash = link.handshakeHash
        switch way {
        case .words(let name):
            state = .committed(nonce, name: name)
            let commitment = ComparedWords.commitment(handshakeHash: handshakeHash, asker: nonce)
            outputs.append(.send(.commit(commitment)))
        case .digits(let digits):
            let run = digits.run(handshakeHash: handshakeHash, isAsker: true)
            state = .shared(run)
            outputs.append(.send(.share(run.share)))
        }
    }

    /// A nonce that nobody knows.
    package static var randomNonce: Bytes32 { Bytes32(Randomness.bytes(Bytes32.count)) ?? .zero }

    /// - Throws: why the link must end.
    package mutating func receive(_ message: AskMessage, into outputs: inout [Output]) throws(AskFault) {
        let current = state
        state = .ended
        switch (current, message) {
        case (.ended, _): throw .unexpectedMessage
        case (_, .refused(let refusal)): outputs.append(.refused(refusal))
        case (.committed(let own, let name), .nonce(let member)):
            outputs.append(.send(.reveal(nonce: own, name: name)))
            outputs.append(.words(ComparedWords(handshakeHash: handshakeHash, asker: own, member: member)))
            state = .revealed
        case (.shared(let run), .share(let share)):
            guard let key = run.key(with: share) else { throw .badShare }
            outputs.append(.send(.proof(key.initiatorProof)))
            state = .proved(memberProof: SecretBytes(key.responderProof))
        case (.proved(let expected), .proof(let proof)):
            guard SecretBytes(proof) == expected else { throw .wrongCode }
            state = .assured
        case (.revealed, .admitted(let code, let tourName)), (.assured, .admitted(let code, let tourName)):
            do { outputs.append(.admitted(try InviteCode(decoding: code), tourName: tourName)) } catch {
                throw error == .wrongVersion ? .codeVersion : .codeMistyped
            }
        default: throw .unexpectedMessage
        }
    }
}
