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
    /// So long those who want a file have to say so, and three times in all if many have not yet. When all have, no
    /// longer: that is looked for twice before.
    private static let castTrialTime: Duration = .milliseconds(150)
    private static let castLookTime: Duration = .milliseconds(50)
    private static let castLooks = 2
    private static let castTrials = 3
    /// The same where much is lost: an answer by link takes a second there.
    private static let lossyCastTrials = 10
    /// Of a thousand datagrams, how many are lost where that is much.
    private static let lossyPerMille = 50
    /// Of several who have all of a file one is the first to cast it.
    private static let castChance: ClosedRange<Int64> = 0...300_000
    /// How long links wait for a cast without hearing of it again.
    private static let castHold: Duration = .seconds(3)

    /// Where a cast would reach enough, if they want the file.
    private func castableSegments(_ shape: BlobShape, _ session: TourSession) -> [(id: SegmentID, listeners: Listeners)]
    {
        let now = NodeClock.now
        return session.casts.segments.keys.sorted().compactMap { id in
            guard air.ports[id]?.port?.takesCasts == true else { return nil }
            let listeners = session.gossip.listeners(on: id, now: now)
            return CastRule.wantsCast(wanting: listeners.hearUs.count, of: shape) ? (id, listeners) : nil
        }
    }

    /// A file is open of which all is here.
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
        // Who else has all of it may be about to cast it too.
        if let shape = session.files.open[id]?.shape {
            for segment in session.casts.segments.keys { feed(session, cast: .watch(id, shape), on: segment) }
        }
        // What others have all of may be wanted by one only, who need not wait.
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

    /// Whether all who would hear a cast, and have a link to us, have said that they want the file.
    private func isWantedByAll(_ id: BlobID, _ wanting: Set<MemberID>, _ session: TourSession) -> Bool {
        guard let file = session.files.open[id] else { return false }
        let hearers = castableSegments(file.shape, session).reduce(into: Set<MemberID>()) { all, segment in
            all.formUnion(segment.listeners.hearUs)
        }
        let near = hearers.intersection(session.gossip.neighbours.values)
        return !near.isEmpty && near.isSubset(of: wanting)
    }

    /// Those who want the file among members who hear us. Of those without a link to us it is not known: as many of
    /// them as of the others.
    ///
    /// - Parameter isLossy: much is lost, so answers come late: when half of them have said so, all want it.
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

    /// Where a cast by its author would be heard, and pay: links to the author, which hear at once that the file is
    /// wanted, and to those who have asked about it. Nil where all do: so too without a link to the author that
    /// carries files, since then its pages come from others.
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

    /// Links to those who hear, or will hear, a cast of ours carry no chunks of it for now.
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

    /// Where it is not cast, or no more, links carry what is missing.
    func settleCast(of id: BlobID, _ session: TourSession) {
        guard !session.casts.isSending(id) else { return withholdForCast(of: id, session) }
        feed(session, files: .castOut(id, to: [], until: NodeClock.now))
    }

    /// It is not to be cast after all.
    func dropPending(_ id: BlobID, _ session: TourSession) {
        guard let task = session.casts.pending.removeValue(forKey: id) else { return }
        task.cancel()
        for segment in session.casts.segments.keys { feed(session, cast: .forget(id), on: segment) }
        settleCast(of: id, session)
    }
}
