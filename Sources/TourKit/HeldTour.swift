import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourWire

/// One tour on this device: its machine, its events, and what is shown of it.
final class HeldTour {
    let tour: TourID
    /// Hands the machine its inputs.
    let runner: EffectRunner
    var shelf: EventShelf
    var own: KeptTour.Own
    /// The invite that we joined with, and its join secret, with which we let others in.
    var origin: (invite: SigningKey, secret: SecretBytes)?
    /// When a link is to get more of what it is owed.
    var owedAt: [LinkID: Instant] = [:]
    /// When what is kept of our claims was last written.
    var keptAt: Instant?
    private(set) var names: [MemberID: Said] = [:]
    private(set) var name: Said?
    /// Messages in the tour's order, those that cannot be read included.
    private(set) var messages: [Event] = []
    private var known: Set<EventID> = []
    /// The messages that the app was told of.
    private var told: Set<EventID> = []
    private var withdrawn: Set<Withdrawal> = []

    /// A name, and the clock of the event that says it.
    struct Said {
        var text: String
        var clock: LogicalClock
    }

    /// A withdrawal counts if the message has the same author.
    private struct Withdrawal: Hashable {
        var message: EventID
        var author: MemberID
    }

    /// How many epochs' secrets are tried in turn where nobody answers to the newest: the peer may be behind.
    private static let epochsTried = 8

    /// - Throws: `damaged` if what is kept does not fit together.
    init(_ kept: KeptTour, of tour: TourID, at time: ClockReading) throws(TourRefusal) {
        var shelf = EventShelf()
        for events in Dictionary(grouping: kept.events, by: \.header.author).values {
            guard shelf.append(events) != nil else { throw .damaged }
        }
        for event in kept.aheadEvents { _ = shelf.append(ahead: event) }
        let controls = shelf.controls(of: shelf.logs.keys.sorted())
        guard let secrets = kept.secrets, let genesis = controls.first(where: { TourID(genesis: $0) == tour }),
            var group = try? TourGroup(genesis: genesis)
        else { throw .damaged }
        _ = group.add(controls: controls + kept.controls)
        _ = group.drainMissingActs()
        for epoch in secrets.epochs { group.restore(epoch.id, epoch.key) }
        self.tour = tour
        self.shelf = shelf
        own = kept.own
        origin = kept.origin
        runner = EffectRunner(Self.machine(kept, secrets, group, shelf, time))
        machine.use.isJoined = !machine.hasLeft
        for event in (shelf.logs.values.joined() + shelf.aheadEvents).sorted(by: Event.precedes) { note(event) }
    }

    private static func machine(
        _ kept: KeptTour, _ secrets: SessionSecrets, _ group: TourGroup, _ shelf: EventShelf, _ time: ClockReading
    ) -> TourMachine {
        let own = secrets.keys.memberID
        let roster = group.roster
        var gossip = GossipMachine(
            own: own, members: roster.members.keys, leaders: roster.leaders, ends: roster.ends, heads: shelf.heads,
            sizes: shelf.sizes, ahead: shelf.aheadEvents, ownLog: kept.own.log, ownThrough: group.shownTail(of: own),
            people: Set(roster.linking.map(\.id)))
        // Rows of members come again from neighbours, and statuses never fall below their marks.
        _ = gossip.restore([], readThrough: kept.own.readThrough, through: shelf.newestClocks.max())
        var receipts = ReceiptState(own: own, marks: kept.marks)
        receipts.recordRead(kept.own.readThrough, by: own, at: time.wallMicroseconds)
        let last = shelf.logs[own]?.last
        let credible = shelf.newestClocks.filter { $0.isCredible(wallMilliseconds: time.wallMilliseconds) }
        let author = Author(
            identity: secrets.keys.identity, tour: group.tour,
            tail: Author.Tail(sequence: shelf.end(of: own), id: last?.id ?? .none),
            clock: max(credible.max() ?? .zero, last?.header.clock ?? .zero))
        return TourMachine(
            TourStart(
                keys: secrets.keys, wrapping: secrets.wrapping, group: group, author: author, gossip: gossip,
                signs: SignsOfLife(own: own), receipts: receipts, claimCounter: kept.own.claimCounter,
                startedAt: time.wallMicroseconds, understands: .texts))
    }

    /// Decides what happens in the tour.
    var machine: TourMachine { runner.machine }

    // MARK: - Keys

    /// Our private keys and the epochs' keys, to be kept.
    var secrets: KeptRecord {
        KeptTour.secrets(
            SessionSecrets(keys: machine.keys, wrapping: machine.wrapping, epochs: machine.group.keptKeys), of: tour)
    }

    private var linkKeys: LinkKeys { LinkKeys(identity: machine.keys.identity, link: machine.keys.link) }

    /// The credentials of links between members: one for each epoch, the heads' first.
    var memberCredentials: [LinkCredential] {
        machine.group.epochKeys.prefix(Limits.credentialsMax / 2).map { epoch in
            var credential = LinkCredential(
                tour: tour, purpose: .member, secret: epoch.linkSecret, keys: linkKeys,
                genesis: machine.group.genesisEvent.bytes)
            credential.epoch = epoch.id
            return credential
        }
    }

    /// The credential of our next dial.
    /// - Parameter attempt: how many dials of the same address have led to nobody.
    func credential(attempt: Int) -> LinkCredential? {
        let credentials = memberCredentials.prefix(Self.epochsTried)
        return credentials.isEmpty ? nil : credentials[attempt % credentials.count]
    }

    /// The credentials of join links: one for each code whose holders we answer.
    /// - Parameter count: how many other credentials we answer already.
    func joinCredentials(beside count: Int, wallMilliseconds: Int64) -> [LinkCredential] {
        // A member that is out of the tour admits nobody, and does not speak for the tour.
        guard !machine.isOut else { return [] }
        return machine.group.roster.answeredInvites(beside: count, wallMilliseconds: wallMilliseconds)
            .compactMap { invite in
                guard let secret = joinSecret(of: invite) else { return nil }
                return LinkCredential(
                    tour: tour, purpose: .invite(invite.key), secret: secret, keys: linkKeys,
                    genesis: machine.group.genesisEvent.bytes)
            }
    }

    private func joinSecret(of invite: InviteState) -> SecretBytes? {
        // Our own code may be sealed under an epoch whose key we were not given.
        machine.group.joinSecret(of: invite) ?? (origin?.invite == invite.key ? origin?.secret : nil)
    }

    // MARK: - Showing

    /// What an event changed.
    enum Effect {
        case message, names, statuses, nothing
    }

    /// Takes an event in that is stored now, or can be read now.
    @discardableResult
    func note(_ event: Event) -> Effect {
        let header = event.header
        if header.eventClass.isMessage {
            if known.insert(event.id).inserted {
                let place = messages.lastIndex { Event.precedes($0, event) }.map { $0 + 1 } ?? 0
                messages.insert(event, at: place)
            }
            return .message
        }
        guard header.eventClass == .profile, let content = try? machine.group.open(event) else { return .nothing }
        switch content {
        case .profile(let text) where names[header.author].map({ $0.clock <= header.clock }) ?? true:
            names[header.author] = Said(text: text, clock: header.clock)
            return .names
        case .tourInfo(let text) where name.map({ $0.clock <= header.clock }) ?? true:
            name = Said(text: text, clock: header.clock)
            return .names
        case .withdrawal(let id):
            withdrawn.insert(Withdrawal(message: id, author: header.author))
            return .statuses
        default: return .nothing
        }
    }

    /// The message of an event.
    /// - Returns: nil for one that was withdrawn, or that cannot be read here.
    func message(_ event: Event) -> TourMessage? {
        let header = event.header
        let counts = machine.group.roster.members[header.author]?.reaches(header.sequence, event.id) == true
        guard !withdrawn.contains(Withdrawal(message: event.id, author: header.author)),
            let content = try? machine.group.open(event, beyondCut: header.author == machine.own)
        else { return nil }
        let shown = Self.shown(content)
        return TourMessage(
            id: MessageIdentifier(event.id), author: MemberIdentifier(header.author), kind: shown.kind,
            text: shown.text, writtenAt: header.clock.milliseconds,
            status: counts ? TourMessage.Status(machine.receipts.state.status(of: event)) : .failed,
            replyTo: shown.replyTo.map { MessageIdentifier($0) })
    }

    /// The message of an event of which the app is to be told now.
    /// - Returns: nil for one of which it was told, or that it cannot show.
    func news(_ event: Event) -> TourMessage? {
        guard let message = message(event), told.insert(event.id).inserted else { return nil }
        return message
    }

    /// The event of a message.
    func event(of id: MessageIdentifier) -> Event? {
        known.contains(id.raw) ? messages.last { $0.id == id.raw } : nil
    }

    private static func shown(_ content: Content) -> (kind: TourMessage.Kind, text: String, replyTo: EventID?) {
        switch content {
        case .text(let text, let replyTo): (.text, text, replyTo)
        case .announcement(let announcement):
            (.announcement(isUrgent: announcement.urgent), announcement.text, announcement.replyTo)
        case .location(let location):
            (
                .place(
                    latitude: location.fix.coordinate.degreesNorth, longitude: location.fix.coordinate.degreesEast),
                location.text, location.replyTo
            )
        default: (.other, "", nil)
        }
    }
}
