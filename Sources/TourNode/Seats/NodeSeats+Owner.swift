import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourWire

// What the owner of a device that gives seats decides. Source: `Protocol/15-seats.md`, "Licence" and "Pass".
extension NodeSeats {
    /// The seats that this device gives in a tour.
    package func view(_ name: String?) throws -> SeatsView {
        let host = try theHost()
        reviewPass(host)
        let tour = try host.tour(named: name)
        guard let facts = host.facts(of: tour) else { throw NodeError.notActive }
        let here = Set(seats.values.filter { $0.isHere(now: host.now) }.map(\.member))
        guard let giving, giving.tour == tour else { return SeatsView(facts, here: here) }
        let (pages, entry) = (listening.pages(host.addresses), try entryText(giving))
        return SeatsView(facts, giving, pages: pages, entry: entry, here: here)
    }

    private func entryText(_ giving: SeatsGiving) throws -> String {
        Base64URL.text(
            of: [2] + (try channelKey()).publicKey.bytes + giving.pass.secret + SeatPage.key(of: giving.tour))
    }

    /// What the QR code says behind `#`; nil: no seats are given.
    package func entry() -> String? {
        if let host { reviewPass(host) }
        return giving.flatMap { try? entryText($0) }
    }

    /// Begins to give seats in a tour, or ends that. One tour at a time.
    /// - Parameter max: the most guests; nil: as before, or `SeatLimits.seatsStandard`.
    /// - Throws: `may-not-give-seats`, `bad-terms`, and why nothing can be written to the tour.
    package func set(on: Bool, max: Int?, in name: String?) async throws -> SeatsView {
        let host = try theHost()
        let tour = try host.tour(named: name)
        guard on else {
            if giving?.tour == tour { try await end(in: tour, host) }
            return try view(tour.hex)
        }
        let most = max ?? (giving?.tour == tour ? giving?.max : nil) ?? SeatLimits.seatsStandard
        guard (1...SeatLimits.seatsMax).contains(most) else { throw NodeError.seat(.badTerms) }
        try await license(in: tour, host)
        if let giving, giving.tour != tour { try await end(in: giving.tour, host) }
        guard let facts = host.facts(of: tour) else { throw NodeError.notActive }
        let end = facts.wallMilliseconds + SeatLimits.passSecondsStandard * 1_000
        let pass = giving?.pass ?? SeatPass(uses: Swift.max(most, SeatLimits.passUsesStandard), endsAt: end)
        giving = SeatsGiving(tour: tour, max: most, pass: pass, licence: giving?.licence)
        try giving?.keep(host)
        await untilDoorIsOpen()
        return try view(tour.hex)
    }

    /// A member who leads licenses itself; anybody else needs a guide's licence.
    private func license(in tour: TourID, _ host: any SeatsHost) async throws {
        guard let facts = host.facts(of: tour), facts.isActive else { throw NodeError.notActive }
        guard !facts.roster.mayGiveSeats(facts.own, wallMilliseconds: facts.wallMilliseconds) else { return }
        guard facts.roster.rank(of: facts.own)?.leads == true else { throw NodeError.seat(.notAllowed) }
        try await give(to: facts.own, in: tour, host)
    }

    private func give(to member: MemberID, in tour: TourID, _ host: any SeatsHost) async throws {
        let epoch = try await host.sealingKey(in: tour)
        try await host.write(
            SeatLicence(seed: .random(count: SigningKeyPair.seedBytes)).body(
                for: member, uses: 0, expiresAt: nil, under: epoch), in: tour)
    }

    private func end(in tour: TourID, _ host: any SeatsHost) async throws {
        endGiving()
        try SeatsGiving.forget(host)
        if let facts = host.facts(of: tour), facts.isActive, facts.book.door(of: facts.own) != nil {
            try await host.write(.seatHost(SeatHost(key: nil, addresses: [])), in: tour)
        }
    }

    /// Makes a new pass; the old one lets nobody in any more.
    /// - Parameter since: also removes the guests whom this device let in from then on, in milliseconds since 1970;
    ///   nil: all stay.
    /// - Throws: `seats-off`, `bad-terms`; with `since` `not-allowed`, and why nothing can be written to the tour.
    package func renewPass(
        uses: Int?, seconds: Int64?, since: Int64? = nil, in name: String?
    ) async throws -> SeatsView {
        let host = try theHost()
        let tour = try host.tour(named: name)
        guard let giving, giving.tour == tour, let facts = host.facts(of: tour) else { throw NodeError.seat(.off) }
        let (uses, seconds) = (
            uses ?? max(giving.max, SeatLimits.passUsesStandard), seconds ?? SeatLimits.passSecondsStandard
        )
        guard (1...SeatLimits.passUsesMax).contains(uses), (60...SeatLimits.passSecondsMax).contains(seconds) else {
            throw NodeError.seat(.badTerms)
        }
        let leads = facts.roster.rank(of: facts.own)?.leads == true
        if since != nil, !leads { throw NodeError.notAllowed }
        let pass = SeatPass(uses: uses, endsAt: facts.wallMilliseconds + seconds * 1_000)
        self.giving?.pass = pass
        try self.giving?.keep(host)
        if let since {
            try await host.removeGuests(since: since, from: tour)
            // The removals ended that pass too, and somebody may have ended the giving meanwhile.
            reviewPass(host)
            guard self.giving?.tour == tour else { throw NodeError.seat(.off) }
            self.giving?.pass = pass
            try self.giving?.keep(host)
        }
        return try view(tour.hex)
    }

    /// A guide lets a member give seats, or ends that together with the guests whom the member let in.
    /// - Throws: `not-allowed`, and why nothing can be written to the tour.
    package func allow(_ name: String, _ isAllowed: Bool, in tour: String?) async throws -> SeatsView {
        let host = try theHost()
        let tour = try host.tour(named: tour)
        let member = try host.member(named: name, in: tour)
        guard let facts = host.facts(of: tour), facts.isActive else { throw NodeError.notActive }
        guard facts.roster.rank(of: facts.own)?.leads == true else { throw NodeError.notAllowed }
        guard let known = facts.roster.members[member], !known.isGuest, !known.isArchive else {
            throw NodeError.seat(.notForGuests)
        }
        if isAllowed {
            guard known.isActive else { throw NodeError.unknownMember(name) }
            if !facts.roster.mayGiveSeats(member, wallMilliseconds: facts.wallMilliseconds) {
                try await give(to: member, in: tour, host)
            }
        } else {
            try await host.endLicences(of: member, in: tour)
        }
        return try view(tour.hex)
    }
}
