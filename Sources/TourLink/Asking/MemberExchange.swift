import TourCrypto
import TourModel
import TourWire

/// The member's side of an ask link, from the asker's first message until its person, or the spoken code, decides.
/// Source: `Protocol/14-asking.md`; drawn in `Protocol/StateMachines/ask-member.dot`.
package struct MemberExchange: Sendable {
    /// An action or event for the shell, in order.
    package enum Output: Sendable {
        /// Send this to the asker.
        case send(AskMessage)
        /// Show the asker to the person: the name that it claims, and the words to compare.
        case asks(name: String, ComparedWords)
        /// Somebody tries the spoken code. `MemberExchange.begin` goes on with the digits, once the trial is counted.
        case triesDigits
        /// The asker knows the digits.
        case knowsDigits
        /// The asker does not know the digits.
        case missedDigits
    }

    private enum State: Sendable {
        case new
        case awaitingReveal(commitment: Bytes32, own: Bytes32)
        case awaitingDigits(share: Bytes32)
        case awaitingProof(CPace.Key)
        /// The shell decides how it goes on: the asker has nothing to say any more.
        case decided
    }

    private let handshakeHash: [UInt8]
    private let nonce: Bytes32
    private var state = State.new

    /// - Parameter nonce: 32 random bytes, for this link alone.
    package init(_ link: AskLink, nonce: Bytes32 = AskerExchange.randomNonce) {
        handshakeHash = link.handshakeHash
        self.nonce = nonce
    }

    /// - Throws: why the link must end.
    package mutating func receive(_ message: AskMessage, into outputs: inout [Output]) throws(AskFault) {
        switch (state, message) {
        case (.new, .commit(let commitment)):
            state = .awaitingReveal(commitment: commitment, own: nonce)
            outputs.append(.send(.nonce(nonce)))
        case (.awaitingReveal(let commitment, let own), .reveal(let asker, let name)):
            state = .decided
            guard ComparedWords.commitment(handshakeHash: handshakeHash, asker: asker) == commitment else {
                throw .badCommitment
            }
            outputs.append(.asks(name: name, ComparedWords(handshakeHash: handshakeHash, asker: asker, member: own)))
        case (.new, .share(let share)):
            state = .awaitingDigits(share: share)
            outputs.append(.triesDigits)
        case (.awaitingProof(let key), .proof(let proof)):
            state = .decided
            guard SecretBytes(proof) == SecretBytes(key.initiatorProof) else { return outputs.append(.missedDigits) }
            outputs.append(.send(.proof(key.responderProof)))
            outputs.append(.knowsDigits)
        default: throw .unexpectedMessage
        }
    }

    /// Goes on after `triesDigits`.
    /// - Throws: why the link must end.
    package mutating func begin(_ digits: SpokenDigits, into outputs: inout [Output]) throws(AskFault) {
        let run = digits.run(handshakeHash: handshakeHash, isAsker: false)
        try begin(run, into: &outputs)
    }

    /// - Parameter run: the responder's, of this link.
    package mutating func begin(_ run: CPace, into outputs: inout [Output]) throws(AskFault) {
        guard case .awaitingDigits(let share) = state else { throw .unexpectedMessage }
        guard let key = run.key(with: share) else { throw .badShare }
        state = .awaitingProof(key)
        outputs.append(.send(.share(run.share)))
    }
}
