import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

/// What a node keeps of joining one tour: the secrets of its invites, which joiners' questions are answered, whom this
/// node is admitting, and who waits until we know the tour. Source: `Protocol/07-joining.md`.
///
/// Used on the node's loop alone.
package final class TourJoiners {
    /// The tour.
    package let tour: TourID
    /// The join secrets of invites, and the seals for the questions of those who hold them. Derived once, since each
    /// hello and question is tried against them.
    private var secrets: [SigningKey: SecretBytes] = [:]
    private var seals: [SigningKey: DatagramSeal] = [:]
    /// The invite that we joined with, and its join secret.
    private var origin: (invite: SigningKey, secret: SecretBytes)?
    /// Answers that are about to be sent.
    private var dueAnswers: [SigningKey: DueAnswer] = [:]
    /// When a member last answered the holders of an invite, and when we did.
    private var answeredAt: [SigningKey: Instant] = [:]
    private var answeredHereAt: [SigningKey: Instant] = [:]
    /// Admissions being stored: the newcomer, and the invite.
    private var admissions: [MemberID: SigningKey] = [:]
    /// Resumed when we know whether we are still a member, or after the longest wait.
    private var standingWaits: [CheckedContinuation<Void, Never>] = []
    /// Resumed when the tour's name arrives, or after the longest wait.
    private var nameWait: CheckedContinuation<Void, Never>?

    private struct DueAnswer {
        var seal: DatagramSeal
        var segment: SegmentID
        var askedAt: Instant
    }

    /// Microseconds, for each member of the tour.
    private static let answerChance: Int64 = 2_000
    /// A member that has not answered for this long answers, whatever others answered.
    private static let answerInTurn: Duration = .seconds(5)
    /// One answer serves everybody who asks within this time.
    private static let answerPause: Duration = .milliseconds(250)

    package init(tour: TourID) { self.tour = tour }

    // MARK: Invites

    /// Keeps the secret of the invite that we joined with: it may be sealed under an epoch whose key we do not have,
    /// and we need it to admit others.
    package func recordOrigin(_ invite: SigningKey, _ secret: SecretBytes) { origin = (invite, secret) }

    /// - Parameter open: opens the sealed secret in the invite.
    package func secret(of invite: InviteState, open: (InviteState) -> SecretBytes?) -> SecretBytes? {
        if let secret = secrets[invite.key] { return secret }
        let secret = open(invite) ?? (origin?.invite == invite.key ? origin?.secret : nil)
        secrets[invite.key] = secret
        return secret
    }

    /// Forgets what was derived from keys that are wiped now.
    package func forgetSecrets() { (secrets, seals, origin) = ([:], [:], nil) }

    /// The invites whose holders we answer, with the seals for their questions.
    func seals(_ host: some JoiningHost) -> [(invite: SigningKey, seal: DatagramSeal)] {
        guard let facts = host.facts(of: tour) else { return [] }
        let invites = facts.roster.answeredInvites(beside: 0, wallMilliseconds: host.wallMilliseconds)
        return invites.compactMap { invite in seal(of: invite, host).map { (invite.key, $0) } }
    }

    private func seal(of invite: InviteState, _ host: some JoiningHost) -> DatagramSeal? {
        if let seal = seals[invite.key] { return seal }
        guard let secret = secret(of: invite, open: { host.joinSecret(of: $0, in: tour) }) else { return nil }
        let seal = DatagramSeal(joinSecret: secret)
        seals[invite.key] = seal
        return seal
    }

    // MARK: Answers to the network

    /// Somebody with a code of the tour asks where a member can be dialled, or a member answers that. Each member
    /// answers after a random time, unless another one has answered before.
    func receive(
        _ datagram: Datagram, sealedFor invite: SigningKey, on segment: SegmentID, _ host: some JoiningHost
    ) {
        let now = host.now
        guard datagram.port == 0 else {
            // A holder of the code may send a false answer: that silences nobody for long.
            if answeredHereAt[invite].map({ now - $0 < Self.answerInTurn }) ?? false { answeredAt[invite] = now }
            return
        }
        let isFresh = answeredAt[invite].map { now - $0 < Self.answerPause } ?? false
        guard dueAnswers[invite] == nil, !isFresh, let seal = seals[invite], let facts = host.facts(of: tour) else {
            return
        }
        let members = Int64(max(facts.roster.linking.count, 1))
        let chance = Int64.random(in: 0...Self.answerChance * members, using: &host.rng)
        dueAnswers[invite] = DueAnswer(seal: seal, segment: segment, askedAt: now)
        host.setAnswer(to: invite, of: tour, in: .microseconds(chance))
    }

    /// The time for an answer has come.
    package func answer(_ invite: SigningKey, _ host: some JoiningHost) {
        guard let due = dueAnswers.removeValue(forKey: invite) else { return }
        if let answered = answeredAt[invite], answered >= due.askedAt { return }
        answeredAt[invite] = host.now
        answeredHereAt[invite] = host.now
        guard let facts = host.facts(of: tour) else { return }
        var answer = Datagram(sender: facts.own.prefix, counter: 0)
        answer.port = host.port
        guard let plaintext = answer.encode() else { return }
        host.multicast(due.seal.seal(plaintext), on: due.segment)
    }

    // MARK: Admissions

    /// Whether the invite has a use left beside the admissions in progress.
    func hasUseLeft(for request: JoinRequest, _ facts: JoiningFacts) -> Bool {
        guard let invite = facts.roster.invites[request.invite], invite.uses > 0 else { return true }
        let id = MemberID(identity: request.identity)
        let others = admissions.filter { $0.key != id && $0.value == request.invite }
        return invite.used + others.count < invite.uses
    }

    func beginAdmission(of request: JoinRequest) {
        admissions[MemberID(identity: request.identity)] = request.invite
    }

    /// The admission is stored, or has failed.
    package func endAdmission(of request: JoinRequest) {
        admissions[MemberID(identity: request.identity)] = nil
    }

    // MARK: Waits

    /// Whether anybody waits for the tour's name.
    package var awaitsName: Bool { nameWait != nil }

    /// Resumed by `endNameWait`.
    package func awaitName(_ wait: CheckedContinuation<Void, Never>) { nameWait = wait }

    /// The name is known, or the wait is over.
    package func endNameWait() {
        nameWait?.resume()
        nameWait = nil
    }

    /// Resumed by `endStandingWaits`.
    package func awaitStanding(_ wait: CheckedContinuation<Void, Never>) { standingWaits.append(wait) }

    /// We know whether we are still a member, or the wait is over.
    package func endStandingWaits() {
        for wait in standingWaits { wait.resume() }
        standingWaits = []
    }
}
