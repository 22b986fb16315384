import TourAPI
import TourCrypto
import TourDiscovery
import TourGroup
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourWire

// Asking to be let in, and letting in those who ask. `Asking` decides. Source: `Protocol/14-asking.md`.
extension TourNode {
    var askingHost: LiveAskingHost { LiveAskingHost(node: self) }

    // MARK: As a newcomer

    /// Tours near this node of which it is no member.
    package func nearbyTours() -> [NearbyTour] {
        asking.recordLook(now: NodeClock.now)
        dialSoon()
        let own = ownAskTags
        return addressBook.askedTours.filter { !own.contains($0.key) }.sorted { $0.key < $1.key }.map { tag, devices in
            let tag = DiscoveryTag(value: tag)
            return NearbyTour(tag: Hex.encode(tag.bytes), label: ComparedWords.label(of: tag), devices: devices)
        }
    }

    private var ownAskTags: Set<UInt64> {
        let slot = DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000)
        return sessions.values.filter(\.isMember).reduce(into: []) { tags, session in
            guard let secret = session.memberCredentials().first?.secret else { return }
            for slot in slot - min(slot, 2)...slot + 2 {
                tags.insert(DiscoveryTag(secret: secret, kind: .ask, slot: slot).value)
            }
        }
    }

    /// Asks to be let into a tour near this node; an earlier question ends.
    /// - Parameters:
    ///   - tag: of `NearbyTour`; nil: the only one there is.
    ///   - name: what the user wants to be called; nil: as this node is called.
    ///   - digits: what somebody read aloud; nil: people compare words.
    package func ask(tag: String?, name: String?, digits: String?) throws(NodeError) -> AskView {
        guard !settings.isOffline else { throw .join(.offline) }
        let tidy = DisplayName.tidy(name ?? self.name)
        guard DisplayName.isAllowed(tidy) else { throw .badName }
        var spoken: SpokenDigits?
        if let digits {
            guard let parsed = SpokenDigits(parsing: digits) else { throw .asking(.badDigits) }
            spoken = parsed
        }
        let asked = try askedTag(tag)
        let (now, secret) = (NodeClock.now, spoken)
        asking.begin({ OwnAsk(id: $0, tag: asked, name: tidy, digits: secret, now: now) }, askingHost)
        return askView()
    }

    private func askedTag(_ text: String?) throws(NodeError) -> DiscoveryTag {
        if let text {
            guard let bytes = Hex.decode(text), let tag = DiscoveryTag(bytes) else { throw .asking(.badTag) }
            return tag
        }
        let near = nearbyTours()
        guard near.count < 2 else { throw .asking(.severalTours(near.map(\.label))) }
        guard let bytes = near.first.flatMap({ Hex.decode($0.tag) }), let tag = DiscoveryTag(bytes) else {
            throw .asking(.noTourNear)
        }
        return tag
    }

    /// How far our question is.
    package func askView() -> AskView {
        AskView(asking.own, now: NodeClock.now)
    }

    /// Joins the tour that let us in: its user said that the words agree, or knew the digits.
    /// - Throws: as `join`; `NodeError`, code `not-admitted`.
    package func joinAsked() async throws -> JoinedTour {
        guard let own = asking.own, case .admitted(_, let tourName) = own.state, let code = own.beginJoin() else {
            throw NodeError.asking(.notAdmitted)
        }
        let address = own.address.map { "?a=\($0)" } ?? ""
        do {
            let joined = try await join(
                "tour-chat://join/" + code.compact + address, name: own.name, timeoutSeconds: Self.askJoinSeconds)
            if asking.own === own { asking.cancel(askingHost) }
            return joined
        } catch {
            own.joinFailed(code, tourName: tourName)
            throw error
        }
    }

    private static let askJoinSeconds = 30

    /// Asks no more.
    package func cancelAsk() { asking.cancel(askingHost) }

    // MARK: As a member

    /// Those who ask here.
    package func askers(_ tour: String?) throws -> AskingView { askingView(of: try session(tour)) }

    private func askingView(of session: TourSession) -> AskingView {
        let (now, askers) = (NodeClock.now, asking.askers)
        return AskingView(
            session, askers.shown(in: session.tour, now: now), askers.spokenCode(of: session.tour),
            slot: DiscoveryTag.slot(unixSeconds: NodeClock.wallMilliseconds / 1_000), now: now)
    }

    /// Whether this device answers those who ask for the tour.
    package func setAsking(_ isOn: Bool, in tour: String?) throws -> AskingView {
        let session = try session(tour)
        do { try StoredTour(record: session.record, store: store).keep(isAnsweringAskers: isOn) } catch {
            throw NodeError.store(error)
        }
        session.isAnsweringAskers = isOn
        if !isOn { asking.askers.stop(session.tour, askingHost) }
        advertise()
        return askingView(of: session)
    }

    /// Lets somebody in who asks, or not.
    /// - Throws: `NodeError`, code `unknown-asker`; as `createInvite`.
    package func answerAsker(_ id: String, admits: Bool, in tour: String?) async throws -> AskingView {
        let session = try session(tour)
        guard let number = UInt64(id) else { throw NodeError.asking(.unknownAsker) }
        guard admits else {
            guard asking.askers.refuse(number, in: session.tour, askingHost) else {
                throw NodeError.asking(.unknownAsker)
            }
            return askingView(of: session)
        }
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        guard asking.askers.beginAdmission(of: number, to: session.tour) else {
            throw NodeError.asking(.unknownAsker)
        }
        guard try await admit(number, in: session) else { throw NodeError.asking(.unknownAsker) }
        return askingView(of: session)
    }

    /// - Returns: whether the asker was there to get the code.
    private func admit(_ asker: UInt64, in session: TourSession) async throws -> Bool {
        do {
            let terms = try InviteTerms(uses: 1, expiresSeconds: AskLimits.admissionLifetime, isUnlimited: false)
            let code = try InviteCode(parsing: try await createInvite(in: session, terms).joinCode)
            return asking.askers.endAdmission(of: asker, code, askingHost)
        } catch {
            asking.askers.endAdmission(of: asker, nil, askingHost)
            throw error
        }
    }

    /// Writes the code of an asker who knew the digits.
    func writeCode(for asker: UInt64, to tour: TourID) {
        Task {
            guard let session = sessions[tour] else { return }
            do { _ = try await admit(asker, in: session) } catch {
                if let fault = error as? any Fault { count(fault) }
            }
        }
    }

    /// Makes eight digits to be read aloud; older ones end.
    /// - Throws: `NodeError`, code `bad-invite`; as `createInvite`.
    package func readOut(uses: Int?, in tour: String?) throws -> AskingView {
        let session = try session(tour)
        let uses = uses ?? SpokenCode.usesStandard
        guard (1...SpokenCode.usesMax).contains(uses) else { throw NodeError.asking(.badUses) }
        guard session.isActive else { throw session.inactivity }
        guard session.rank.leads else { throw NodeError.notAllowed }
        guard session.isAnsweringAskers else { throw NodeError.asking(.off) }
        asking.askers.setSpokenCode(
            SpokenCode(.random(), uses: uses, now: NodeClock.now), of: session.tour, askingHost)
        return askingView(of: session)
    }

    /// Ends the digits.
    package func endReadOut(in tour: String?) throws -> AskingView {
        let session = try session(tour)
        asking.askers.setSpokenCode(nil, of: session.tour, askingHost)
        return askingView(of: session)
    }
}
