import NIOCore
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel

/// One attempt to join a tour: a code, new keys, and the addresses still to be asked.
final class JoinAttempt {
    /// Distinguishes it from earlier and later attempts, in timers and in the answers to dials.
    let id: UInt64
    let code: InviteCode
    let keys: MemberKeys
    let ticket: JoinTicket
    /// Addresses asked, so that none is asked twice in one round.
    var asked: [Dialer.Address: Instant] = [:]
    /// The addresses in the code's link.
    let given: [Dialer.Address]
    /// Addresses that members gave in answers on the network.
    private(set) var heard: [Dialer.Address] = []
    /// Seals our questions to the network, and opens the answers.
    let seal: DatagramSeal
    var questions: UInt64 = 1
    /// Dials that have neither connected nor failed yet.
    var dialling = 0
    /// The connections on which we wait for an answer.
    var hosts: [ObjectIdentifier: Host] = [:]
    var answer: CheckedContinuation<TourID, any Error>?
    /// Ends the attempt when nobody has admitted us by then.
    var expiry: Scheduled<Void>?
    /// The last refusal of a member that we asked.
    var refusal: NodeError?

    /// A member that is answering.
    struct Host {
        var address: Dialer.Address
        var controls: [[UInt8]] = []
        var controlBytes = 0
    }

    init(id: UInt64, code: InviteCode, given: [Dialer.Address], keys: MemberKeys) {
        self.id = id
        self.code = code
        self.given = given
        self.keys = keys
        ticket = JoinTicket(
            secret: InviteSecret(code: code), tourPrefix: code.tourPrefix,
            keys: LinkKeys(identity: keys.identity, link: keys.link), wrappingKey: keys.wrapping.publicKey)
        seal = DatagramSeal(joinSecret: ticket.secret.joinSecret)
    }

    /// A member, or somebody else with the code, says that a member is at this address. The newest addresses count.
    func record(_ address: Dialer.Address) {
        heard.removeAll { $0 == address }
        heard = [address] + heard.prefix(Self.heardMax - 1)
    }

    private static let heardMax = 16

    /// Dials and links in progress.
    var busy: Int { dialling + hosts.count }
}
