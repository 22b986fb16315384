import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime

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
    private let given: [Dialer.Address]
    /// Addresses that members gave in answers on the network.
    private var answered: [Dialer.Address] = []
    /// Seals our questions to the network, and opens the answers.
    let seal: DatagramSeal
    var questions: UInt64 = 1
    /// Dials that have neither connected nor failed yet.
    var dialling = 0
    /// The connections on which we wait for an answer.
    var askedMembers: [ObjectIdentifier: AskedMember] = [:]
    /// Gets the result, once somebody awaits it.
    var whenEnded: ((Result<TourID, any Error>) -> Void)?
    /// Cancels the timer that ends the attempt when nobody has admitted us by then.
    var cancelExpiry: (() -> Void)?
    /// The last refusal of a member that we asked.
    var refusal: NodeError?

    /// A member that is answering.
    struct AskedMember {
        var address: Dialer.Address
        var controls: [[UInt8]] = []
        var controlBytes = 0
    }

    init(id: UInt64, link: InviteLink, keys: MemberKeys) {
        self.id = id
        code = link.code
        given = link.addresses
        self.keys = keys
        ticket = JoinTicket(
            secret: InviteSecret(code: code), tourPrefix: code.tourPrefix,
            keys: LinkKeys(identity: keys.identity, link: keys.link), wrappingKey: keys.wrapping.publicKey)
        seal = DatagramSeal(joinSecret: ticket.secret.joinSecret)
    }

    /// A member, or somebody else with the code, says that a member is at this address. The newest addresses count.
    func record(_ address: Dialer.Address) {
        answered.removeAll { $0 == address }
        answered = [address] + answered.prefix(Self.answeredMax - 1)
    }

    private static let answeredMax = 16

    /// Dials and links in progress.
    var busy: Int { dialling + askedMembers.count }

    /// Addresses not asked yet, then the others, the one asked longest ago first: a few that never answer do not keep
    /// the rest from their turn.
    /// - Parameter discovered: addresses known from elsewhere.
    func order(with discovered: [Dialer.Address]) -> [Dialer.Address] {
        let addresses = given + answered + discovered
        let fresh = addresses.filter { asked[$0] == nil }
        let again = addresses.compactMap { address -> (address: Dialer.Address, at: Instant)? in
            asked[address].map { (address: address, at: $0) }
        }
        return fresh + again.sorted { $0.at < $1.at }.map(\.address)
    }
}
