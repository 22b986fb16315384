import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourPosition
import TourStore
import TourWire
import TourWords

// Sharing this node's position for a while. Source: `Protocol/06-replication.md`, "Positions".
extension TourNode {
    /// Whether this node shares its position in the tour.
    package func sharing(_ tour: String?) throws -> SharingView { view(of: try session(tour)) }

    /// Begins to share, or sets another end. Waits briefly for a receiver without a fix; its first fix is sent later.
    /// - Throws: `bad-duration`; `gpsd-unreachable`, `gpsd-malformed` and `gpsd-no-receiver` when there is no source
    ///   of positions.
    package func share(_ tour: String?, forSeconds seconds: Int64) async throws -> SharingView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard (1...Limits.sharingMillisecondsMax / 1_000).contains(seconds) else { throw NodeError.badSharing }
        let reading: Reading
        do {
            reading = .fix(try await receiver(at: nil).fix(patience: Self.firstFixPatience))
        } catch let fault as PositionFault {
            reading = .nothing(fault)
        }
        switch reading {
        case .nothing(.noFix), .nothing(.timeApart), .fix: break
        case .nothing(let fault): throw NodeError(fault)
        }
        let until = NodeClock.wallMilliseconds + seconds * 1_000
        try keep(sharingUntil: until, session)
        session.sharing = Sharing(until: until)
        watchReceiver()
        receive(reading)
        return view(of: session)
    }

    /// Ends the sharing, and withdraws the position that was sent.
    package func stopSharing(_ tour: String?) throws -> SharingView {
        let session = try session(tour)
        try endSharing(session)
        return view(of: session)
    }

    /// How long the start of a sharing waits for a fix: short, since a cold receiver takes minutes.
    private static let firstFixPatience: Duration = .seconds(3)

    private func view(of session: TourSession) -> SharingView {
        guard let sharing = session.sharing, sharing.until > NodeClock.wallMilliseconds else {
            return SharingView(sharing: false, until: nil, position: nil, problem: nil)
        }
        return SharingView(
            sharing: true, until: Timestamp.text(milliseconds: sharing.until),
            position: sharing.last.map { FixView($0.fix) },
            problem: receiver.fault.map { SharingView.Problem(code: $0.code, message: $0.phrase) })
    }

    // MARK: - The receiver

    /// Reads gpsd while something is shared, or the node was started with a gpsd address.
    func watchReceiver() {
        let isWanted = settings.gpsd != nil || sessions.values.contains { $0.sharing != nil }
        guard isWanted, !settings.isOffline, !isStopping else { return endReceiver() }
        guard receiver.task == nil, let gpsd = try? receiver(at: nil) else { return }
        weak let node = self
        receiver.task = Task { await gpsd.follow { await node?.receive($0) } }
    }

    /// While nothing is shared, nothing reads gpsd: asks it once, and then not for a while, whatever the answer.
    func askReceiver() async {
        guard receiver.task == nil, !settings.isOffline, !isStopping else { return }
        if let latest = receiver.latest, NodeClock.now - latest.at < Self.askingPause { return }
        guard let gpsd = try? receiver(at: nil) else { return }
        let reading: Reading
        do throws(PositionFault) {
            reading = .fix(try await gpsd.fix(patience: Self.firstFixPatience))
        } catch {
            reading = .nothing(error)
        }
        // If a sharing began meanwhile, the receiver itself reports the position.
        guard receiver.task == nil, !isStopping else { return }
        receiver.latest = (reading, NodeClock.now)
    }

    /// How long a reading is good enough for the next request.
    private static let askingPause: Duration = .seconds(10)

    func endReceiver() {
        receiver.task?.cancel()
        receiver = Receiver()
    }

    private func receive(_ reading: Reading) {
        let now = NodeClock.now
        receiver.latest = (reading, now)
        guard case .fix(let fix) = reading else { return }
        for session in sessions.values {
            guard let sharing = session.sharing, sharing.until > NodeClock.wallMilliseconds, session.isActive,
                sharing.isDue(fix, now)
            else { continue }
            session.sharing?.said(fix, at: now)
            signPosition(fix, until: sharing.until, session)
        }
    }

    /// Once a second: ends sharings whose time is over.
    func tickSharing() {
        for session in sessions.values {
            guard let sharing = session.sharing else { continue }
            guard sharing.until <= NodeClock.wallMilliseconds || !session.isActive else { continue }
            do { try endSharing(session) } catch { count(error as? NodeError ?? NodeError.store(error)) }
        }
    }

    /// Resumes sharings from before a restart.
    func resumeSharing() {
        for session in sessions.values {
            guard let kept = try? store.setting(Self.sharingSetting(session.own)), kept.count == 8 else { continue }
            let until = kept.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            guard until > NodeClock.wallMilliseconds, session.isActive else { continue }
            session.sharing = Sharing(until: until)
        }
        watchReceiver()
    }

    private func endSharing(_ session: TourSession) throws {
        guard let sharing = session.sharing else { return }
        try keep(sharingUntil: nil, session)
        session.sharing = nil
        // Each row has an end of its own; to stop earlier, a row withdraws the position.
        if sharing.until > NodeClock.wallMilliseconds { signPosition(nil, until: sharing.until, session) }
        watchReceiver()
    }

    private func keep(sharingUntil until: Int64?, _ session: TourSession) throws {
        let value = until.map { until in (0..<8).map { UInt8(truncatingIfNeeded: until >> (56 - 8 * $0)) } }
        do { try store.setSetting(Self.sharingSetting(session.own), value: value) } catch {
            throw NodeError.store(error)
        }
    }

    /// The store's key for the end of a member's sharing.
    private static func sharingSetting(_ member: MemberID) -> String { "sharing/\(member.hex)" }

    // MARK: - Rows

    /// - Parameter fix: nil: the sharing has ended.
    private func signPosition(_ fix: Fix?, until: Int64, _ session: TourSession) {
        // The counter is the wall clock in microseconds, and never falls behind one that we signed before.
        let counter = max(UInt64(clamping: NodeClock.wallMicroseconds), session.positionCounter &+ 1)
        session.positionCounter = counter
        guard let claim = PositionClaim(member: session.own, counter: counter, until: until, fix: fix) else { return }
        let row = claim.encode()
        let signature = session.keys.identity.sign(PositionRow.digest(row, of: session.own, tour: session.tour))
        let signed = ClaimRow(row: row, signature: signature, hops: 0)
        feed(session, .position(VerifiedPosition(claim: claim, row: signed, lapsesAt: Self.lapse(of: claim))))
    }

    /// A row of our own, perhaps from an earlier life: our next rows continue after its counter.
    func positioned(_ position: VerifiedPosition, _ session: TourSession) {
        guard position.claim.member == session.own else { return }
        session.positionCounter = max(session.positionCounter, position.claim.counter)
    }

    private static func lapse(of claim: PositionClaim) -> Instant {
        NodeClock.now + .milliseconds(claim.until - NodeClock.wallMilliseconds)
    }
}

extension NodeError {
    fileprivate static let badSharing = NodeError(
        "bad-duration",
        Phrase("A position is shared for 1 to \(Limits.sharingMillisecondsMax / 1_000) seconds (a day)."))
}
