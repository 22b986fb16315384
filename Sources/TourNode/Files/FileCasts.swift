import TourBlob
import TourCrypto
import TourGossip
import TourModel
import TourStore
import TourWire

/// The casts of one tour on this node, by segment: those that it receives, and its own. It feeds the machines of casts
/// and carries out their outputs, gives receivers what they listen for, and decides whether a file is cast.
/// Source: `Protocol/11-blobs.md`, "Multicast session".
package final class FileCasts {
    // It belongs to the files, and lives no longer.
    private unowned let files: TourFiles
    private let host: any FilesHost
    private var rng: SplitMix64
    private var segments: [SegmentID: CastSegment] = [:]
    /// Files that we may cast, and the timer that decides once the members who want them have had time to say so.
    private var pending: [BlobID: FilesTimer] = [:]
    private let considered = ConsideredCasts()

    /// How often the swarm is notified that a cast continues.
    private static let newsInterval: Duration = .milliseconds(100)
    /// A cast of which the socket accepted nothing for this long has no way out, and ends.
    private static let stuckTime: Duration = .seconds(10)
    /// How long members have to say that they want the file. There are up to three such trials while many have not
    /// answered. If all have answered, the cast begins without a trial: two shorter looks before the first one check
    /// for that.
    private static let trialTime: Duration = .milliseconds(150)
    private static let lookTime: Duration = .milliseconds(50)
    private static let looks = 2
    private static let trials = 3
    /// Trials where many datagrams are lost: an answer by link takes a second there.
    private static let lossyTrials = 10
    /// From this loss on, per mille, a network counts as lossy.
    private static let lossyPerMille = 50
    /// Microseconds. If several members have the whole file, one of them begins the cast first.
    private static let chance: ClosedRange<Int64> = 0...300_000
    /// How long links wait for a cast without news of it.
    private static let holdTime: Duration = .seconds(3)

    init(of files: TourFiles, host: any FilesHost, rng: SplitMix64) {
        self.files = files
        self.host = host
        self.rng = rng
    }

    /// Casts in progress, received or our own.
    var count: Int { segments.values.reduce(0) { $0 + $1.followed.count + $1.sending.count } }

    /// Whether we follow a cast on a segment.
    func follows(on id: SegmentID) -> Bool { segments[id]?.followed.isEmpty == false }

    /// Once a second.
    func tick(now: Instant) {
        refresh()
        for (id, segment) in segments where !segment.sending.isEmpty {
            let isStuck = now - segment.sentAt > Self.stuckTime
            for blob in segment.sending {
                if isStuck { feed(own: .stop(blob), on: id) } else { withhold(blob) }
            }
        }
    }

    /// Ends all sending and receiving, and drops every key.
    func end() {
        for timer in pending.values { timer.cancel() }
        pending = [:]
        for segment in segments.values { segment.endTimer() }
        segments = [:]
    }

    // MARK: - What receivers listen for

    /// Once a second, when a file opens, and when segments change.
    func refresh() {
        let present = host.wantsLinks && !host.isStopping ? host.segments : []
        for id in segments.keys where !present.contains(id) { leave(id) }
        guard !files.open.isEmpty else { return }
        for id in present {
            if segments[id] == nil { segments[id] = CastSegment() }
            listen(on: id)
        }
    }

    private func listen(on id: SegmentID) {
        let casters = host.listeners(on: id).heard
        if segments[id]?.listens(with: host.keyRevision, to: casters) == true {
            feed(.keys(host.receivingKeys, casters: casters.sorted()), on: id)
        }
        for (blob, file) in files.open.sorted {
            let have = file.have
            guard !have.isFull else { continue }
            feed(.want(blob, file.shape, have: have, pages: Set(file.pages.keys)), on: id)
        }
    }

    private func leave(_ id: SegmentID) {
        feed(.leave, on: id)
        guard let segment = segments.removeValue(forKey: id) else { return }
        segment.endTimer()
        let now = host.now
        for blob in segment.followed.keys { notifySwarm(of: blob, now) }
        for blob in segment.sending { settle(blob) }
    }

    /// Passes on those inputs of the swarm that concern casts.
    func notify(of input: BlobMachine.Input) {
        switch input {
        case .stored(let blob, let chunk): for id in segments.keys { feed(.have(blob, chunk), on: id) }
        case .storeFailed(let blob, let chunk): for id in segments.keys { feed(.lost(blob, chunk), on: id) }
        case .close(let blob):
            dropPending(blob)
            for (id, segment) in segments {
                segment.followed[blob] = nil
                feed(.forget(blob), on: id)
                if segment.sending.contains(blob) { feed(own: .stop(blob), on: id) }
            }
        default: break
        }
    }

    /// The chunks of this page can be verified from now on.
    func notify(ofPage page: Int, _ blob: BlobID) {
        for id in segments.keys { feed(.page(blob, page), on: id) }
    }

    /// A chunk received by a cast does not belong to the file.
    func reject(_ chunk: Int, of blob: BlobID) {
        for id in segments.keys { feed(.wrong(blob, chunk), on: id) }
    }

    // MARK: - The machines

    private func feed(_ input: CastReceiver.Input, on id: SegmentID) {
        guard let segment = segments[id] else { return }
        var outputs = [CastReceiver.Output]()
        let now = host.now
        segment.receiver.handle(input, now: now, using: &rng, into: &outputs)
        for output in outputs { carryOut(output, segment, id, now) }
        for (blob, notifiedAt) in segment.followed where now - notifiedAt >= Self.newsInterval {
            segment.followed[blob] = now
            notifySwarm(of: blob, now)
        }
        schedule(on: id)
    }

    private func feed(own input: CastSender.Input, on id: SegmentID) {
        guard let segment = segments[id] else { return }
        var outputs = [CastSender.Output]()
        segment.sender.handle(input, now: host.now, into: &outputs)
        for output in outputs { carryOut(output, segment, id) }
        schedule(on: id)
    }

    private func schedule(on id: SegmentID) {
        // Carrying out an output may have removed the segment.
        guard let segment = segments[id] else { return }
        guard let deadline = segment.nextDeadline, !host.isStopping else { return segment.endTimer() }
        if let timer = segment.timerDeadline, timer <= deadline { return }
        let timer = host.schedule(after: deadline - host.now) { $0.casts.timerFired(on: id) }
        segment.setTimer(deadline, timer)
    }

    private func timerFired(on id: SegmentID) {
        segments[id]?.endTimer()
        feed(.timer, on: id)
        feed(own: .timer, on: id)
    }

    // MARK: - Receiving

    private func carryOut(_ output: CastReceiver.Output, _ segment: CastSegment, _ id: SegmentID, _ now: Instant) {
        switch output {
        case .began(let blob, _):
            segment.followed[blob] = now
            notifySwarm(of: blob, now)
        case .chunk(let blob, let chunk, let bytes): files.feed(.heard(blob, chunk: chunk, bytes))
        case .ask(let ask, let member): send(ask, to: member, on: id)
        case .left(let blob, let chunks): files.feed(.castLeft(blob, chunks))
        case .ended(let blob, _):
            segment.followed[blob] = nil
            notifySwarm(of: blob, now)
        case .otherCast(let blob, let member, let block):
            // If we were about to cast the file as well, we leave that to the other member.
            dropPending(blob)
            feed(own: .otherCast(blob, member, block: block), on: id)
        }
    }

    /// Notifies the swarm until when to wait for casts of the file, and which other members hear them, as far as we
    /// know.
    private func notifySwarm(of blob: BlobID, _ now: Instant) {
        var beside: Set<LinkID> = []
        let until = segments.values.compactMap { $0.receiver.castUntil(blob) }.max()
        for (id, segment) in segments where segment.followed[blob] != nil {
            if until == nil {
                segment.followed[blob] = nil
            } else {
                beside.formUnion(links(to: host.listeners(on: id).heard))
            }
        }
        files.feed(.casting(blob, until: until ?? now, beside: beside))
    }

    private func links(to members: Set<MemberID>) -> Set<LinkID> {
        Set(host.neighbours.filter { members.contains($0.value) }.keys)
    }

    /// Sends an ask as a datagram to everybody, where the caster is proven to hear us; else on its link, if there is
    /// one.
    private func send(_ ask: CastAsk, to member: MemberID, on id: SegmentID) {
        let link = host.neighbours.first { $0.value == member }?.key
        let isHeard = host.listeners(on: id).hearUs.contains(member)
        if !isHeard, let link {
            host.send(.castAsks([ask]), on: link)
        } else {
            host.send(ask, on: id)
        }
    }

    /// Datagrams of casts. Their tags show the tour: foreign ones cost a look-up.
    func receive(_ datagrams: [[UInt8]], on id: SegmentID) { feed(.datagrams(datagrams), on: id) }

    /// Asks that arrived on a segment.
    /// - Parameter sender: the first bytes of the member's id.
    func receive(_ asks: [CastAsk], from sender: UInt64, on id: SegmentID) {
        guard sender != host.own.prefix else { return }
        for ask in asks {
            feed(own: .ask(ask, from: sender), on: id)
            feed(.ask(ask), on: id)
        }
    }

    /// Asks that arrived on a link: they are for this node alone.
    func receive(_ asks: [CastAsk], on link: LinkID) {
        guard let member = host.neighbours[link] else { return }
        for id in segments.keys {
            for ask in asks { feed(own: .ask(ask, from: member.prefix), on: id) }
        }
    }

    // MARK: - Sending

    private func carryOut(_ output: CastSender.Output, _ segment: CastSegment, _ id: SegmentID) {
        switch output {
        case .needChunk(let blob, let chunk): read(chunk, of: blob, on: id)
        case .send(let batch): send(batch, on: id)
        case .ended(let blob, _):
            segment.sending.remove(blob)
            feed(.forget(blob), on: id)
            settle(blob)
        }
    }

    private func send(_ batch: [[UInt8]], on id: SegmentID) {
        let isSent = host.cast(batch, on: id) { $0.casts.batchSent(on: id) }
        guard !isSent else { return }
        // The port is closed: nothing can be sent there any more.
        for blob in segments[id]?.sending ?? [] { feed(own: .stop(blob), on: id) }
    }

    private func batchSent(on id: SegmentID) {
        guard let segment = segments[id] else { return }
        segment.sentAt = host.now
        feed(own: .sent, on: id)
    }

    private func read(_ chunk: Int, of blob: BlobID, on id: SegmentID) {
        guard let file = files.open[blob] else { return feed(own: .chunk(blob, chunk, nil), on: id) }
        host.submit {
            let result = Result { () throws(StoreError) in try file.read(chunk) }
            return { $0.casts.finishRead(result, chunk, of: blob, on: id) }
        }
    }

    private func finishRead(
        _ result: Result<[UInt8], StoreError>, _ chunk: Int, of blob: BlobID, on id: SegmentID
    ) {
        if case .failure(let error) = result { host.count(error) }
        feed(own: .chunk(blob, chunk, try? result.get()), on: id)
    }

    // MARK: - Whether a file is cast

    /// Segments where a cast would reach enough members, if they want the file.
    private func castableSegments(_ shape: BlobShape) -> [(id: SegmentID, listeners: Listeners)] {
        segments.keys.sorted().compactMap { id in
            guard host.carriesCasts(on: id) else { return nil }
            let listeners = host.listeners(on: id)
            return CastRule.wantsCast(wanting: listeners.hearUs.count, of: shape) ? (id, listeners) : nil
        }
    }

    /// An open file is complete: decides whether it may be cast.
    func consider(_ id: BlobID, isOrigin: Bool) {
        guard let file = files.open[id], host.isMember, host.sendingKey != nil else { return }
        guard !castableSegments(file.shape).isEmpty, considered.consider(id, at: host.now) else { return }
        let chance: Duration = isOrigin ? .zero : .microseconds(Int64.random(in: Self.chance, using: &rng))
        tryCast(of: id, trials: 1 - Self.looks, after: Self.lookTime + chance)
    }

    /// - Parameter trials: up to 0 it is one of the looks before the first trial.
    private func tryCast(of id: BlobID, trials: Int, after delay: Duration) {
        pending[id] = host.schedule(after: delay) { $0.casts.decide(id, trials: trials) }
        // Another member who has the whole file may be about to cast it too.
        if let shape = files.open[id]?.shape {
            for segment in segments.keys { feed(.watch(id, shape), on: segment) }
        }
        // A file of another author may be wanted by one member only, who need not wait.
        if files.known[id]?.isOwn(host.own) == true { withhold(id) }
    }

    private func decide(_ id: BlobID, trials: Int) {
        guard let file = files.open[id], let epoch = host.sendingKey else { return dropPending(id) }
        let neighbours = host.neighbours
        let wanting = Set(files.swarm.wanting(id).compactMap { neighbours[$0] })
        guard trials > 0 || isWantedByAll(file.shape, wanting) else {
            return tryCast(of: id, trials: trials + 1, after: Self.lookTime)
        }
        let linked = Set(neighbours.values)
        var reached: Set<MemberID> = []
        var isNear = false
        var trialsMax = Self.trials
        for (segment, listeners) in castableSegments(file.shape) {
            let hearers = listeners.hearUs.subtracting(reached)
            let isLossy = listeners.lossPerMille >= Self.lossyPerMille
            let count = Self.wantingCount(hearers, wanting, linked: linked, isLossy: isLossy)
            isNear = isNear || count * 2 >= hearers.count || isLossy && count > 0
            if isLossy { trialsMax = Self.lossyTrials }
            guard CastRule.wantsCast(wanting: count, of: file.shape) else {
                feed(.forget(id), on: segment)
                continue
            }
            reached.formUnion(hearers)
            let start = CastSender.Start(
                blob: id, shape: file.shape, epoch: epoch, caster: host.own, wanting: count,
                lossPerMille: listeners.lossPerMille)
            begin(start, on: segment)
        }
        guard reached.isEmpty else {
            pending[id] = nil
            return settle(id)
        }
        guard isNear, trials < trialsMax else { return dropPending(id) }
        tryCast(of: id, trials: trials + 1, after: Self.trialTime)
    }

    /// Whether every member who would hear a cast and has a link to us has said that it wants the file.
    private func isWantedByAll(_ shape: BlobShape, _ wanting: Set<MemberID>) -> Bool {
        let hearers = castableSegments(shape).reduce(into: Set<MemberID>()) { all, segment in
            all.formUnion(segment.listeners.hearUs)
        }
        let near = hearers.intersection(host.neighbours.values)
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

    /// The links on which to say first that we want the file, where a cast by its author would be heard and worthwhile:
    /// those to the author and to peers that have asked about it. Nil: on all links, also where no link to the author
    /// carries files, since the file's pages come from other peers then.
    /// - Parameter asked: links whose peers have asked about the file.
    func firstLinks(of file: BlobFile, by authors: Set<MemberID>, asked: Set<LinkID>) -> Set<LinkID>? {
        let near = links(to: authors).intersection(files.swarm.links.keys)
        guard !near.isEmpty else { return nil }
        let isLikely = host.segments.contains { id in
            let heard = host.listeners(on: id).heard
            return !heard.isDisjoint(with: authors) && CastRule.wantsCast(wanting: heard.count, of: file.shape)
        }
        return isLikely ? near.union(asked) : nil
    }

    private func begin(_ start: CastSender.Start, on id: SegmentID) {
        guard let segment = segments[id] else { return }
        if segment.sending.isEmpty { segment.sentAt = host.now }
        segment.sending.insert(start.blob)
        feed(own: .start(start), on: id)
    }

    private func isSending(_ id: BlobID) -> Bool { segments.values.contains { $0.sending.contains(id) } }

    /// Links to members who hear our cast, or will hear it, carry no chunks of the file for now.
    private func withhold(_ id: BlobID) {
        guard let file = files.open[id] else { return }
        var hearers: Set<MemberID> = []
        if isSending(id) {
            for (place, segment) in segments where segment.sending.contains(id) {
                hearers.formUnion(host.listeners(on: place).hearUs)
            }
        } else {
            for segment in castableSegments(file.shape) { hearers.formUnion(segment.listeners.hearUs) }
        }
        files.feed(.castOut(id, to: links(to: hearers), until: host.now + Self.holdTime))
    }

    /// Once no cast of the file runs any more, links carry the missing chunks.
    private func settle(_ id: BlobID) {
        guard !isSending(id) else { return withhold(id) }
        files.feed(.castOut(id, to: [], until: host.now))
    }

    /// Gives up a planned cast.
    func dropPending(_ id: BlobID) {
        guard let timer = pending.removeValue(forKey: id) else { return }
        timer.cancel()
        for segment in segments.keys { feed(.forget(id), on: segment) }
        settle(id)
    }
}
