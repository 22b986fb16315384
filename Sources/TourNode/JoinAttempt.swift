import TourCrypto
import TourGroup
import TourLink
import TourModel

/// One try to come into a tour: a code, new keys, and the addresses still to be asked.
final class JoinAttempt {
    let code: InviteCode
    let keys: MemberKeys
    let ticket: JoinTicket
    /// Addresses asked, so that none is asked twice in one round.
    var asked: [Dialer.Address: Instant] = [:]
    /// From the link behind the code.
    let given: [Dialer.Address]
    /// The connections on which an answer is under way.
    var hosts: [ObjectIdentifier: Host] = [:]
    var answer: CheckedContinuation<TourID, any Error>?
    /// The last word of a member that was asked.
    var refusal: NodeError?

    /// A member that answers.
    struct Host {
        var address: Dialer.Address
        var controls: [[UInt8]] = []
        var controlBytes = 0
    }

    init(code: InviteCode, given: [Dialer.Address]) {
        self.code = code
        self.given = given
        keys = .random()
        ticket = JoinTicket(
            secret: InviteSecret(code: code), tourPrefix: code.tourPrefix,
            keys: LinkKeys(identity: keys.identity, link: keys.link), wrappingKey: keys.wrapping.publicKey)
    }
}
