import NIOCore
import TourBlob
import TourCrypto
import TourGossip
import TourGroup
import TourModel
import TourStore
import TourTransport

// Whether a file is cast. Source: `Protocol/11-blobs.md`, "When".
extension TourNode {
    /// How long members have to say that they want the file. There are up to three such trials while many have not
    /// answered. If all have answered, the cast begins without a trial: two shorter looks before the first one check
    /// for that.
    private static let castTrialTime: Duration = .milliseconds(150)
    private static let castLookTime: Duration = .milliseconds(50)
    private static let castLooks = 2
    private static let castTrials = 3
    /// Trials where many datagrams are lost: an answer by link takes a second there.
    private static let lossyCastTrials = 10
    /// From this loss on, per mille, a network counts as lossy.
    private static let lossyPerMille = 50
    /// Microseconds. If several members have the whole file, one of them begins the cast first.
    private static let castChance: ClosedRange<Int64> = 0...300_000
    /// How long links wait for a cast without hearing of it again.
    private static let castHold: Duration = .seconds(3)

    /// Segments where a cast would reach enough members, if they want the file.
    private func castableSegments(_ shape: BlobShape, _ session: TourSession) -> [(id: SegmentID, listeners: Listeners)]
    {
        let now = NodeClock.now
        return session.casts.segments.keys.sorted().compactMap { id in
            guard air.ports[id]?.port?.takesCasts == true else { return nil }
            let listeners = session.gossip.listeners(on: id, now: now)
            return CastRule.wantsCast(wanting: listeners.hearUs.count, of: shape) ? (id, listeners) : nil
        }
    }

    /// An open file is complete: decides whether it may be cast.
    func considerCast(of id: BlobID, isOrigin: Bool, _ session: TourSession) {
        guard let file = session.files.open[id], session.isMember, session.group.keyring.sending != nil else { return }
        let segments = castableSegments(file.shape, session)
        guard !segments.isEmpty, session.casts.consider(id, at: NodeClock.now) else { return }
        let chance: Duration = isOrigin ? .zero : .microseconds(Int64.random(in: Self.castChance, using: &rng))
        tryCast(of: id, trials: 1 - Self.castLooks, after: Self.castLookTime + chance, session)
    }

    /// - Parameter trials: up to 0 it is one of the looks before the first trial.
    private func tryCast(of id: BlobID, trials: Int, after delay: Duration, _ session: TourSession) {
        let tour = session.tour
        session.casts.pending[id] = loop.scheduleTask(in: .microseconds(delay.microseconds)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                node.decideCast(of: id, trials: trials, session)
            }
        }
        // Another member who has the whole file may be about to cast it too.
        if let shape = session.files.open[id]?.shape {
            for segment in session.casts.segments.keys { feed(session, cast: .watch(id, shape), on: segment) }
        }
        // A file of another author may be wanted by one member only, who need not wait.
        if session.files.known[id]?.isOwn(session.own) == true { withholdForCast(of: id, session) }
    }

    private func decideCast(of id: BlobID, trials: Int, _ session: TourSession) {
        guard let file = session.files.open[id], let epoch = session.group.keyring.sending else {
            return dropPending(id, session)
        }
        let wanting = Set(session.files.swarm.wanting(id).compactMap { session.gossip.neighbours[$0] })
        guard trials > 0 || isWantedByAll(id, wanting, session) else {
            return tryCast(of: id, trials: trials + 1, after: Self.castLookTime, session)
        }
        var reached: Set<MemberID> = []
        var isNear = false
        var trialsMax = Self.castTrials
        for (segment, listeners) in castableSegments(file.shape, session) {
            let hearers = listeners.hearUs.subtracting(reached)
            let linked = Set(session.gossip.neighbours.values)
            let isLossy = listeners.lossPerMille >= Self.lossyPerMille
            let count = Self.wantingCount(hearers, wanting, linked: linked, isLossy: isLossy)
            isNear = isNear || count * 2 >= hearers.count || isLossy && count > 0
            if isLossy { trialsMax = Self.lossyCastTrials }
            guard CastRule.wantsCast(wanting: count, of: file.shape) else {
                feed(session, cast: .forget(id), on: segment)
                continue
            }
            reached.formUnion(hearers)
            let start = CastSender.Start(
                blob: id, shape: file.shape, epoch: epoch, caster: session.own, wanting: count,
                lossPerMille: listeners.lossPerMille)
            startCast(start, on: segment, session)
        }
        guard reached.isEmpty else {
            session.casts.pending[id] = nil
            return settleCast(of: id, session)
        }
        guard isNear, trials < trialsMax else { return dropPending(id, session) }
        tryCast(of: id, trials: trials + 1, after: Self.castTrialTime, session)
    }

    /// Whether every member who would hear a cast and has a link to us has said that it wants the file.
    private func isWantedByAll(_ id: BlobID, _ wanting: Set<MemberID>, _ session: TourSession) -> Bool {
        guard let file = session.files.open[id] else { return false }
        let hearers = castableSegments(file.shape, session).reduce(into: Set<MemberID>()) { all, segment in
            all.formUnion(segment.listeners.hearUs)
        }
        let near = hearers.intersection(session.gossip.neighbours.values)
        return !near.isEmpty && near.isSubset(of: wanting)
    }

    /// How many of the members who hear us want the file. Members without a link to us cannot say so: the same
    /// proportion of them is assumed.
    ///
    /// - Parameter isLossy: many datagrams are lost, so answers arrive late: once half of the linked members have
    ///   asked, all count.
    package static func wantingCount(
        _ hearers: Set<MemberID>, _ wanting: Set<MemberID>, linked: Set<MemberID>, isLossy: Bool
    ) -> Int {
        let near = hearers.intersection(linked)
        let known = near.intersection(wanting).count
        if isLossy, known > 0, known * 2 >= near.count { return hearers.count }
        return near.isEmpty ? 0 : known + (hearers.count - near.count) * known / near.count
    }

    func links(to members: Set<MemberID>, _ session: TourSession) -> Set<LinkID> {
        Set(session.gossip.neighbours.filter { members.contains($0.value) }.keys)
    }

    /// The links to tell first that we want the file, where a cast by its author would be heard and worthwhile: those
    /// to the author and to peers that have asked about it. Nil: tell all links, also where no link to the author
    /// carries files, since the file's pages come from other peers then.
    func linksToldFirst(of file: BlobFile, by authors: Set<MemberID>, _ session: TourSession) -> Set<LinkID>? {
        let now = NodeClock.now
        let near = links(to: authors, session).intersection(session.files.swarm.links.keys)
        guard !near.isEmpty else { return nil }
        let isLikely = session.segments.contains { id in
            let heard = session.gossip.listeners(on: id, now: now).heard
            return !heard.isDisjoint(with: authors) && CastRule.wantsCast(wanting: heard.count, of: file.shape)
        }
        return isLikely ? near.union(session.files.askers.links(about: file.manifest.id)) : nil
    }

    private func startCast(_ start: CastSender.Start, on id: SegmentID, _ session: TourSession) {
        guard let segment = session.casts.segments[id] else { return }
        if segment.sending.isEmpty { segment.sentAt = NodeClock.now }
        segment.sending.insert(start.blob)
        feed(session, ownCast: .start(start), on: id)
    }

    /// Links to members who hear our cast, or will hear it, carry no chunks of the file for now.
    func withholdForCast(of id: BlobID, _ session: TourSession) {
        guard let file = session.files.open[id] else { return }
        let now = NodeClock.now
        var hearers: Set<MemberID> = []
        if session.casts.isSending(id) {
            for (place, segment) in session.casts.segments where segment.sending.contains(id) {
                hearers.formUnion(session.gossip.listeners(on: place, now: now).hearUs)
            }
        } else {
            for segment in castableSegments(file.shape, session) { hearers.formUnion(segment.listeners.hearUs) }
        }
        feed(session, files: .castOut(id, to: links(to: hearers, session), until: now + Self.castHold))
    }

    /// Once no cast of the file runs any more, links carry the missing chunks.
    func settleCast(of id: BlobID, _ session: TourSession) {
        guard !session.casts.isSending(id) else { return withholdForCast(of: id, session) }
        feed(session, files: .castOut(id, to: [], until: NodeClock.now))
    }

    /// Gives up a planned cast.
    func dropPending(_ id: BlobID, _ session: TourSession) {
        guard let task = session.casts.pending.removeValue(forKey: id) else { return }
        task.cancel()
        for segment in session.casts.segments.keys { feed(session, cast: .forget(id), on: segment) }
        settleCast(of: id, session)
    }
}
