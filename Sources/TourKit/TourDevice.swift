import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourRuntime

/// One device in any number of tours: what an app stands on. It decides, and the app acts.
///
/// It has no socket, file, clock, task or thread: the app reports what happens and when, and carries out the
/// `TourAction`s that follow. Everything else is inside: codes, the encrypted links between members, replication with
/// all that was missed, ranks, keys of the tour, receipts.
///
/// ```swift
/// let device = try TourDevice(name: "Anna", kept: store.all(), at: now())
/// let code = try JoinCode(scanned)
/// try device.dial(connect(to: code.addresses[0]), joining: code, at: now())   // TourNotice.joined follows
/// carryOut()
///
/// func carryOut() {
///     for action in device.drainActions() {
///         switch action {
///         case .write(let connection, let bytes): sockets[connection]?.send(bytes)   // then device.written(…)
///         case .close(let connection): sockets[connection]?.close()
///         case .read(let connection, let reads): sockets[connection]?.reads = reads
///         case .keep(let records): store.write(records)                              // before all that follows
///         case .notice(let notice): show(notice)
///         }
///     }
/// }
/// ```
///
/// Call `pass(to:)` at `nextDeadline`. All events of a tour are in memory: 300 bytes or so for a message.
/// The members see that this device shows texts and announcements, and nothing else of a tour.
///
/// Not safe for use by several threads at once: keep it in one actor.
public final class TourDevice {
    /// Where what is kept comes from.
    public enum Origin: Hashable, Sendable {
        /// This device wrote it last.
        case thisDevice
        /// A backup, or another device: others may hold more of what was written here. The device writes again once
        /// they have said how much.
        case copy
    }

    var name: String
    var tours: [TourID: HeldTour] = [:]
    var ends: [Connection: LinkEnd] = [:]
    var connections: [LinkID: Connection] = [:]
    var attempts: [InviteCode: JoinAttempt] = [:]
    var hellos = HelloGuard()
    var admissions = AdmissionRate()
    var dialer = Dialer()
    var rng: SplitMix64
    /// The time of the call that is in progress.
    var reading: ClockReading
    private var actions: [TourAction] = []
    private var nextLink: UInt64 = 1
    private var tickedAt: Instant

    /// Keep-alives and deadlines of connections are looked at this often.
    private static let tickInterval: Duration = .seconds(1)

    /// A device with the tours that an app has kept for it.
    /// - Parameters:
    ///   - name: shown to others, at most 128 bytes without control characters.
    ///   - kept: every record of earlier `TourAction.keep`s, by its key; empty for a new device.
    /// - Throws: `badName`, or `damaged` if the records of a tour do not fit together.
    public init(
        name: String, kept: [String: [UInt8]] = [:], from origin: Origin = .thisDevice, at moment: Moment
    ) throws(TourRefusal) {
        self.name = try Self.allowed(name)
        rng = SplitMix64(seed: Randomness.bytes(8).reduce(0) { $0 << 8 | UInt64($1) })
        reading = moment.reading
        tickedAt = moment.reading.now
        for (tour, var kept) in KeptTour.tours(in: kept) {
            if origin == .copy, kept.own.log == .ready { kept.own.log = .copied }
            tours[tour] = try HeldTour(kept, of: tour, at: moment.reading)
            if origin == .copy { emit(.keep([KeptTour.own(kept.own, of: tour)])) }
        }
        for tour in tours.values { feed(tour, .timer) }
    }

    // MARK: - Actions and time

    /// Removes and returns what the app is to do since the last call, in order.
    public func drainActions() -> [TourAction] {
        // Urgent messages go first, so bytes are taken from the queues as late as can be. They may make others follow.
        while pump() {}
        defer { actions = [] }
        return actions
    }

    /// When `pass(to:)` is due at the latest, as an uptime; nil: only when something happens.
    public var nextDeadline: Duration? {
        var due = tours.values.flatMap { [$0.machine.nextDeadline].compactMap { $0 } + $0.owedAt.values }
        if !ends.isEmpty { due.append(tickedAt + Self.tickInterval) }
        return due.min().map { .microseconds($0.microseconds) }
    }

    /// Time has passed.
    public func pass(to moment: Moment) {
        reading = moment.reading
        let now = reading.now
        for tour in tours.values {
            for (link, due) in tour.owedAt where due <= now {
                tour.owedAt[link] = nil
                tour.runner.sendOwed(on: link, in: DeviceEnvironment(device: self, tour: tour))
            }
            if let due = tour.machine.nextDeadline, due <= now { feed(tour, .timer) }
        }
        guard now - tickedAt >= Self.tickInterval else { return }
        tickedAt = now
        tickConnections()
        for tour in tours.values { keepClaims(of: tour) }
    }

    func emit(_ action: TourAction) { actions.append(action) }

    func makeLink() -> LinkID {
        defer { nextLink += 1 }
        return LinkID(value: nextLink)
    }

    /// Hands a tour's machine an input. If its effects are being carried out, the input waits until that is done.
    func feed(_ tour: HeldTour, _ input: TourInput) {
        tour.runner.feed(input, in: DeviceEnvironment(device: self, tour: tour))
    }

    func tour(_ id: TourIdentifier) throws(TourRefusal) -> HeldTour {
        guard let tour = tours[id.raw] else { throw .unknownTour }
        return tour
    }

    static func allowed(_ name: String) throws(TourRefusal) -> String {
        let name = DisplayName.tidy(name)
        guard DisplayName.isAllowed(name) else { throw .badName }
        return name
    }

    /// Now and then: after a restart on a device whose clock was lost, our rows still count as newer.
    private func keepClaims(of tour: HeldTour) {
        let counter = tour.machine.claimCounter
        guard counter != tour.own.claimCounter, tour.keptAt.map({ reading.now - $0 >= .seconds(60) }) ?? true else {
            return
        }
        tour.keptAt = reading.now
        tour.own.claimCounter = counter
        emit(.keep([KeptTour.own(tour.own, of: tour.tour)]))
    }
}
