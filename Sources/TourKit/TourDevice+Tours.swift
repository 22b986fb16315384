import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Tours and their members.
extension TourDevice {
    /// The tours of this device, those that it has left included.
    public var tourIdentifiers: [TourIdentifier] { tours.keys.sorted().map { TourIdentifier($0) } }

    /// Founds a tour; this device is its creator.
    /// - Parameters:
    ///   - name: at most 128 bytes without control characters.
    ///   - fullHistory: whether newcomers may read what was written before they came.
    /// - Throws: `badName`.
    public func found(_ name: String, fullHistory: Bool = true, at moment: Moment) throws(TourRefusal) -> TourIdentifier
    {
        reading = moment.reading
        let name = try Self.allowed(name)
        let keys = MemberKeys.random()
        let founding = Founding(
            keys: keys, epochKey: EpochKey.randomKey(), fullHistory: fullHistory, salt: Randomness.bytes(16),
            wallMilliseconds: reading.wallMilliseconds)
        let tour = try enter(founding.group, keys, origin: nil)
        try write(.tourInfo(name: name), in: tour)
        try announceName(in: tour)
        return TourIdentifier(tour.tour)
    }

    /// Keeps a new tour, and begins with it. If this device has left the tour before, what it had stays readable.
    func enter(
        _ group: TourGroup, _ keys: MemberKeys, origin: (invite: SigningKey, secret: SecretBytes)?
    ) throws(TourRefusal) -> HeldTour {
        let left = tours[group.tour]
        if let left { hangUp(on: left) }
        var group = group
        for key in left?.machine.group.keptKeys ?? [] { group.restore(key.id, key.key) }
        let wrapping = WrappingKeys(admitted: keys.wrapping, wallMilliseconds: reading.wallMilliseconds)
        var kept = KeptTour()
        kept.secrets = SessionSecrets(keys: keys, wrapping: wrapping, epochs: group.keptKeys)
        kept.origin = origin
        kept.events = left?.shelf.logs.values.flatMap { $0 } ?? [group.genesisEvent]
        kept.aheadEvents = left?.shelf.aheadEvents ?? []
        kept.controls = group.controls(missingFrom: [])
        let tour = try HeldTour(kept, of: group.tour, at: reading)
        var records = [tour.secrets, KeptTour.own(kept.own, of: group.tour), KeptTour.logged(group.genesisEvent)]
        records += kept.controls.compactMap { KeptTour.control($0, of: group.tour) }
        if let origin { records.append(KeptTour.origin(origin.invite, origin.secret, of: group.tour)) }
        emit(.keep(records))
        tours[group.tour] = tour
        feed(tour, .timer)
        return tour
    }

    /// The tour's name; nil: it has not arrived yet.
    public func name(of tour: TourIdentifier) -> String? { tours[tour.raw]?.name?.text }

    /// This device's own identifier in the tour.
    /// - Throws: `unknownTour`.
    public func own(in tour: TourIdentifier) throws(TourRefusal) -> MemberIdentifier {
        MemberIdentifier(try self.tour(tour).machine.own)
    }

    /// Everybody who is or was a member, by rank and then by when they came.
    /// - Throws: `unknownTour`.
    public func members(of tour: TourIdentifier, at moment: Moment) throws(TourRefusal) -> [TourMember] {
        let tour = try self.tour(tour)
        let now = moment.reading.now
        return tour.machine.group.roster.members.values.filter { !$0.isArchive }
            .sorted { ($1.rank, $0.admittedAt, $0.id) < ($0.rank, $1.admittedAt, $1.id) }
            .map { member in
                TourMember(
                    id: MemberIdentifier(member.id), name: tour.names[member.id]?.text,
                    rank: TourMember.Rank(member.rank), isActive: member.isActive,
                    isNear: tour.machine.isReachable(member.id, now: now),
                    isAsleep: tour.machine.isAsleep(member.id), isGuest: member.isGuest)
            }
    }

    /// Changes this device's name, in every tour.
    /// - Throws: `badName`, and as `send(_:to:at:)` for the first tour where it cannot be written.
    public func rename(to name: String, at moment: Moment) throws(TourRefusal) {
        reading = moment.reading
        self.name = try Self.allowed(name)
        for tour in tours.values where tour.machine.isActive { try announceName(in: tour) }
    }

    /// Makes a code that lets others in: for guides.
    /// - Parameters:
    ///   - uses: how many devices it lets in; nil: any number.
    ///   - expiresAt: in milliseconds since 1970; nil: it ends with the tour.
    /// - Throws: `notAllowed`, `badTerms`, and as `send(_:to:at:)`.
    public func invite(
        to tour: TourIdentifier, uses: Int? = nil, expiresAt: Int64? = nil, at moment: Moment
    ) throws(TourRefusal) -> JoinCode {
        reading = moment.reading
        let tour = try active(tour)
        guard tour.machine.rank.leads else { throw .notAllowed }
        if let uses, uses < 1 || uses > UInt32.max { throw .badTerms }
        if let expiresAt, expiresAt <= reading.wallMilliseconds { throw .badTerms }
        let secret = InviteSecret.random()
        let body = tour.machine.group.inviteBody(
            secret, uses: UInt32(uses ?? 0), expiresAt: expiresAt, under: try epoch(of: tour))
        try write(body, in: tour)
        return JoinCode(InviteCode(secret: secret, tour: tour.tour))
    }

    /// Leaves a tour. What is here stays readable; keep connections open until another member has the news.
    /// - Throws: `notAllowed` for the creator, and as `send(_:to:at:)`.
    public func leave(_ tour: TourIdentifier, at moment: Moment) throws(TourRefusal) {
        reading = moment.reading
        let tour = try active(tour)
        guard tour.machine.own != tour.machine.group.roster.creator else { throw .notAllowed }
        try write(.leave, in: tour, governs: true)
        tour.machine.use.isJoined = false
        emit(.notice(.members(TourIdentifier(tour.tour))))
    }

    /// The device is about to be suspended: tells the members, so that nobody waits for it. Give the actions that
    /// follow a moment to go out. Source: `Protocol/16-phone.md`.
    public func sleep(at moment: Moment) { rest(true, moment) }

    /// The device is back: dial members again.
    public func wake(at moment: Moment) { rest(false, moment) }

    private func rest(_ isAsleep: Bool, _ moment: Moment) {
        reading = moment.reading
        for tour in tours.values where tour.machine.isActive { feed(tour, .replication(.rest(isAsleep: isAsleep))) }
    }

    func active(_ tour: TourIdentifier) throws(TourRefusal) -> HeldTour {
        let tour = try self.tour(tour)
        guard tour.machine.isActive else { throw tour.machine.hasLostKey ? .logUnsafe : .notActive }
        return tour
    }

    /// Publishes our name in a tour, unless it is known there.
    func announceName(in tour: HeldTour) throws(TourRefusal) {
        guard tour.names[tour.machine.own]?.text != name, tour.machine.isActive else { return }
        try write(.profile(name: name), in: tour)
    }

    /// Without full history newcomers cannot read names under older keys: repeats them in each epoch.
    func repeatNames(in tour: HeldTour) {
        guard !tour.machine.group.roster.fullHistory, tour.machine.hasRoom(for: .profile) else { return }
        _ = try? write(.profile(name: name), in: tour)
        if tour.machine.rank.leads, let text = tour.name?.text { _ = try? write(.tourInfo(name: text), in: tour) }
    }
}
