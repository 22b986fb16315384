import TourAPI
import TourGossip
import TourModel
import TourPosition
import TourStore
import TourWire

// Sharing this node's position for a while, and the positions of the members. `OwnPosition` and `TourSharing` decide.
extension TourNode {
    private var sharings: [TourSharing] { sessions.values.map(\.sharing) }

    /// Whether this node shares its position in the tour.
    package func sharing(_ tour: String?) throws -> SharingView { view(of: try session(tour)) }

    /// Begins to share, or sets another end. Waits briefly for a receiver without a fix; its first fix is sent later.
    /// - Throws: `bad-duration`; `gpsd-unreachable`, `gpsd-malformed` and `gpsd-no-receiver` when there is no source
    ///   of positions.
    package func share(_ tour: String?, forSeconds seconds: Int64) async throws -> SharingView {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard (1...Limits.sharingMillisecondsMax / 1_000).contains(seconds) else {
            throw NodeError.place(.badSharingTime)
        }
        let reading: Reading
        do {
            reading = .fix(try await receiver(at: nil).fix(patience: Self.firstFixPatience))
        } catch let fault as PositionFault {
            reading = .nothing(fault)
        }
        switch reading {
        case .nothing(.noFix), .nothing(.timeApart), .fix: break
        case .nothing(let fault): throw NodeError.place(.position(fault))
        }
        // The receiver took its time: the tour may have been left, or joined again, meanwhile.
        guard sessions[session.tour] === session, session.isActive else { throw session.inactivity }
        try session.sharing.begin(until: NodeClock.wallMilliseconds + seconds * 1_000, placesHost)
        ownPosition.watch(for: sharings, placesHost)
        receive(reading)
        return view(of: session)
    }

    /// Ends the sharing, and withdraws the position that was sent.
    package func stopSharing(_ tour: String?) throws -> SharingView {
        let session = try session(tour)
        if try session.sharing.end(placesHost) { ownPosition.watch(for: sharings, placesHost) }
        return view(of: session)
    }

    /// How long the start of a sharing waits for a fix: short, since a cold receiver takes minutes.
    private static let firstFixPatience: Duration = .seconds(3)

    private func view(of session: TourSession) -> SharingView {
        SharingView(session.sharing.current(wallMilliseconds: NodeClock.wallMilliseconds), ownPosition.fault)
    }

    func receive(_ reading: Reading) { ownPosition.receive(reading, for: sharings, placesHost) }

    /// Once a second: ends sharings whose time is over.
    func tickSharing() {
        let isEnd = sharings.reduce(false) { $1.tick(placesHost) || $0 }
        if isEnd { ownPosition.watch(for: sharings, placesHost) }
    }

    /// Resumes sharings from before a restart.
    func resumeSharing() {
        for sharing in sharings { sharing.resume(placesHost) }
        ownPosition.watch(for: sharings, placesHost)
    }

    // MARK: - Members

    /// As `members`; if another member shares its position, first asks the receiver for our own, for the distance.
    /// - Parameter here: this node's position, to be used instead of the receiver's.
    package func locatedMembers(_ tour: String?, here: Coordinate?) async throws -> MemberList {
        let session = try session(tour)
        let isSomebodyShown = session.gossip.sharedPositions(NodeClock.now).contains {
            $0.claim.member != session.own && $0.claim.fix != nil
        }
        if here == nil, isSomebodyShown { await askReceiver() }
        return try members(tour, here: here)
    }

    private func askReceiver() async {
        guard ownPosition.wantsReading(placesHost), let gpsd = try? receiver(at: nil) else { return }
        let reading: Reading
        do throws(PositionFault) {
            reading = .fix(try await gpsd.fix(patience: Self.firstFixPatience))
        } catch {
            reading = .nothing(error)
        }
        ownPosition.record(reading, placesHost)
    }

    /// Of each member that shares its position, or shared it lately.
    /// - Parameter here: this node's position; nil: the receiver's, if there is one.
    func positions(in session: TourSession, here: Coordinate?) -> [MemberID: MemberPosition] {
        let now = NodeClock.now
        let origin = here ?? ownPosition.fix(now)?.coordinate
        return session.gossip.sharedPositions(now).reduce(into: [:]) { positions, shared in
            let origin = shared.claim.member == session.own ? nil : origin
            positions[shared.claim.member] = MemberPosition(
                shared.claim, age: now - shared.takenAt, from: origin, wallMilliseconds: NodeClock.wallMilliseconds)
        }
    }
}
