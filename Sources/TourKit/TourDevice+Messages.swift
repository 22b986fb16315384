import TourCrypto
import TourGroup
import TourModel
import TourRuntime
import TourWire

// Messages, and how far they have come.
extension TourDevice {
    /// Writes a message for all members. It is theirs once its `TourAction.keep` is carried out and a link is open.
    /// - Parameter text: 1 byte to 16 KiB.
    /// - Throws: `badText`, `unknownTour`, `notActive`, `waitsForKey`, `shareFull`, `logUnsafe`.
    @discardableResult
    public func send(
        _ text: String, to tour: TourIdentifier, replyTo: MessageIdentifier? = nil, at moment: Moment
    ) throws(TourRefusal) -> MessageIdentifier {
        reading = moment.reading
        let tour = try active(tour)
        try check(text)
        return MessageIdentifier(try write(.text(text, replyTo: replyTo?.raw), in: tour).id)
    }

    /// Writes an announcement: for guides.
    /// - Parameter isUrgent: whether everybody is to see it at once.
    /// - Throws: `notAllowed`, and as `send(_:to:replyTo:at:)`.
    @discardableResult
    public func announce(
        _ text: String, to tour: TourIdentifier, isUrgent: Bool = false, at moment: Moment
    ) throws(TourRefusal) -> MessageIdentifier {
        reading = moment.reading
        let tour = try active(tour)
        try check(text)
        guard tour.machine.rank.leads else { throw .notAllowed }
        let announcement = Content.Announcement(text: text, urgent: isUrgent, expiresAt: nil, replyTo: nil)
        return MessageIdentifier(try write(.announcement(announcement), in: tour).id)
    }

    /// Withdraws a message of this device.
    /// - Throws: `unknownMessage`, `notAllowed` for another one's, and as `send(_:to:replyTo:at:)`.
    public func withdraw(
        _ message: MessageIdentifier, from tour: TourIdentifier, at moment: Moment
    ) throws(TourRefusal) {
        reading = moment.reading
        let tour = try active(tour)
        guard let event = tour.event(of: message) else { throw .unknownMessage }
        guard event.header.author == tour.machine.own else { throw .notAllowed }
        try write(.withdrawal(message.raw), in: tour)
    }

    /// The newest messages, in the order that every device shows.
    /// - Parameter limit: how many at most.
    /// - Throws: `unknownTour`.
    public func messages(of tour: TourIdentifier, limit: Int = 100) throws(TourRefusal) -> [TourMessage] {
        let tour = try self.tour(tour)
        return tour.messages.reversed().lazy.compactMap { tour.message($0) }.prefix(max(limit, 0)).reversed()
    }

    /// One message; nil: it is not here, cannot be read, or was withdrawn.
    /// - Throws: `unknownTour`.
    public func message(_ id: MessageIdentifier, of tour: TourIdentifier) throws(TourRefusal) -> TourMessage? {
        let tour = try self.tour(tour)
        return tour.event(of: id).flatMap { tour.message($0) }
    }

    /// How far a message has come to each of those who were members when it was written and still are.
    /// - Throws: `unknownTour`, `unknownMessage`.
    public func receipts(
        of message: MessageIdentifier, in tour: TourIdentifier
    ) throws(TourRefusal) -> [MessageReceipt] {
        let tour = try self.tour(tour)
        guard let event = tour.event(of: message) else { throw .unknownMessage }
        return tour.machine.group.roster.readers(of: event.header).sorted { $0.id < $1.id }.map { member in
            let receipt = tour.machine.receipts.state.receipt(
                of: event.header, for: member.id, storedAt: reading.wallMicroseconds)
            return MessageReceipt(member: MemberIdentifier(member.id), state: MessageReceipt.State(receipt.state))
        }
    }

    /// The user has seen every message that is here: tell the others.
    /// - Throws: `unknownTour`.
    public func markRead(_ tour: TourIdentifier, at moment: Moment) throws(TourRefusal) {
        reading = moment.reading
        let tour = try self.tour(tour)
        let clock = tour.messages.last { $0.header.clock.isCredible(wallMilliseconds: reading.wallMilliseconds) }?
            .header.clock
        if let clock, clock > tour.own.readThrough { readMoved(to: clock, in: tour) }
    }

    // MARK: - Writing

    private func check(_ text: String) throws(TourRefusal) {
        guard !text.looksEmpty, text.utf8.count <= Limits.textBytesMax, !text.utf8.contains(0) else { throw .badText }
    }

    /// The key to seal under now.
    func epoch(of tour: HeldTour) throws(TourRefusal) -> EpochKey {
        guard let epoch = tour.machine.group.keyring.sending else { throw .waitsForKey }
        return epoch
    }

    @discardableResult
    func write(_ content: Content, in tour: HeldTour) throws(TourRefusal) -> Event {
        let epoch = try epoch(of: tour)
        return try write(in: tour) { $0.write(content, under: epoch, wallMilliseconds: $1) }
    }

    /// - Parameter governs: the event may use the part of our share that is reserved for governing the tour.
    @discardableResult
    func write(_ body: ControlBody, in tour: HeldTour, governs: Bool = false) throws(TourRefusal) -> Event {
        // Everybody would refuse a larger event, and the log would be stuck.
        guard body.isWithinBound else { throw .shareFull }
        return try write(in: tour, governs: governs) { $0.write(body, wallMilliseconds: $1) }
    }

    /// Chains and signs an event, has it kept, and lets it go out behind that.
    private func write(
        in tour: HeldTour, governs: Bool = false, _ compose: (inout Author, _ wallMilliseconds: Int64) -> Event
    ) throws(TourRefusal) -> Event {
        let composed: OwnEvents?
        do {
            composed = try tour.machine.compose(governs: governs, at: reading) { [compose(&$0, $1)] }
        } catch {
            throw TourRefusal(error)
        }
        guard let own = composed, let event = own.events.first else { throw .damaged }
        guard let records = tour.shelf.append(own.events) else {
            feed(tour, .wrote(own, isStored: false))
            throw .damaged
        }
        tour.machine.use.usedAt = reading.wallMilliseconds
        emit(.keep(records))
        feed(tour, .wrote(own, isStored: true))
        show([event], in: tour)
        return event
    }

    // MARK: - Showing

    /// Tells the app of events that are kept now, or can be read now.
    func show(_ events: [Event], in tour: HeldTour) {
        let id = TourIdentifier(tour.tour)
        for event in events {
            switch tour.note(event) {
            case .message:
                holdReading(event, in: tour)
                if let message = tour.news(event) { emit(.notice(.message(id, message))) }
            case .names: emit(.notice(.members(id)))
            case .statuses: emit(.notice(.statuses(id)))
            case .nothing: break
            }
        }
    }

    /// A message that arrived late, with a clock below the read place: nobody has seen it.
    private func holdReading(_ event: Event, in tour: HeldTour) {
        let header = event.header
        guard header.author != tour.machine.own, header.clock <= tour.own.readThrough else { return }
        readMoved(to: LogicalClock(value: header.clock.value - min(header.clock.value, 1)), in: tour)
    }

    private func readMoved(to clock: LogicalClock, in tour: HeldTour) {
        tour.own.readThrough = clock
        emit(.keep([KeptTour.own(tour.own, of: tour.tour)]))
        feed(tour, .read(clock))
    }
}
