import TourAPI
import TourBlob
import TourModel
import TourStore
import TourWire

/// The files of one tour on this node: those that messages name, and the swarm of those that are open. It owns what is
/// known of them, feeds the swarm and the casts, and carries out what they ask for. Bytes are read and written off the
/// loop, in order. Belongs to the loop of its host.
package final class TourFiles {
    let host: any FilesHost
    private var rng: SplitMix64
    private(set) var swarm = BlobMachine()
    private(set) var known = KnownFiles()
    private(set) var open = OpenFiles()
    /// For files that are not open: links whose peers asked about them and wait for an answer.
    private var askers = FileAskers()
    private(set) var meters: [BlobID: RateMeter] = [:]
    /// The casts of these files.
    private(set) lazy var casts = FileCasts(of: self, host: host, rng: SplitMix64(seed: rng.next()))
    /// Files on their way to the server or from it.
    let online = OnlineFiles()
    /// How many calls of `feed` are under way, one inside the other.
    private var feeding = 0
    private var timer: (deadline: Instant, timer: FilesTimer)?

    /// How often a file that found no room is tried again.
    private static let retryInterval: Duration = .seconds(300)
    /// After this long without a chunk an open file gives up its place to a waiting one.
    private static let stuckTime: Duration = .seconds(30)

    /// - Parameters:
    ///   - host: what surrounds the files.
    ///   - rng: spreads timers and choices.
    package init(host: any FilesHost, rng: SplitMix64) {
        self.host = host
        self.rng = rng
    }

    /// How much of each message's file is here.
    package var progress: [EventID: FileProgress] { known.progress }

    /// Once a second.
    package func tick() {
        let now = host.now
        casts.tick(now: now)
        tickOnline(now: now)
        let stuck = open.stuck(for: Self.stuckTime, beside: swarm.openCount, now: now) {
            known[$0]?.changedAt ?? now
        }
        if let stuck {
            _ = open.remove(stuck)
            feed(.close(stuck))
            open.enqueue(stuck)
            openNext()
        }
        for id in known.dueAgain(now: now, interval: Self.retryInterval) { fetch(id) }
    }

    /// Puts everything written so far on the disk before the store closes.
    package func end() {
        casts.end()
        endTimer()
        online.stop()
        for file in open.drain() {
            host.submit {
                try? file.synchronize()
                return { _ in }
            }
        }
    }

    // MARK: - The swarm

    func feed(_ input: BlobMachine.Input) {
        casts.notify(of: input)
        var outputs = [BlobMachine.Output]()
        swarm.handle(input, now: host.now, using: &rng, into: &outputs)
        feeding += 1
        for output in outputs { carryOut(output) }
        feeding -= 1
        if feeding == 0 { schedule() }
    }

    private func carryOut(_ output: BlobMachine.Output) {
        switch output {
        case .send(let link, let message): host.send(.blob(message), on: link)
        case .sendChunk(let link, let id, let chunk, let got): send(chunk, of: id, on: link, got: got)
        case .store(let id, let chunk, let bytes): store(chunk, of: id, bytes)
        case .storePage(let id, let page, let hashes): store(page: page, of: id, hashes)
        case .complete(let id): finished(id)
        case .lookUp(let id, let link): lookUp(id, from: link)
        case .progress(let id, _): refreshProgress(of: id)
        case .idle(let id): close(id)
        case .misbehaved(_, let fault): host.count(fault)
        case .misheard(let id, let chunk):
            host.count(BlobFault.falseChunk)
            casts.reject(chunk, of: id)
        }
    }

    private func schedule() {
        guard let deadline = swarm.nextDeadline, !host.isStopping else { return endTimer() }
        if let timer {
            if timer.deadline <= deadline { return }
            timer.timer.cancel()
        }
        let timer = host.schedule(after: deadline - host.now) { files in
            files.timer = nil
            files.feed(.timer)
        }
        self.timer = (deadline, timer)
    }

    private func endTimer() {
        timer?.timer.cancel()
        timer = nil
    }

    // MARK: - Links

    /// A link to a member: files are exchanged on it as well.
    package func linkUp(_ link: LinkID, isSlow: Bool) {
        if isSlow, host.policy == .wifiOnly { return }
        feed(.linkUp(link, isSlow: isSlow))
    }

    /// A link has closed.
    package func linkDown(_ link: LinkID) {
        askers.forget(link)
        feed(.linkDown(link))
    }

    /// The link's queue has room for more chunks.
    package func linkDrained(_ link: LinkID) { feed(.sent(link)) }

    /// A message of a link's peer.
    package func receive(_ message: BlobMessage, on link: LinkID) { feed(.message(link, message)) }

    // MARK: - Messages

    /// What the store has of the tour's files.
    /// - Parameter photo: the picture of the current meeting point; those of earlier ones are not needed.
    func add(_ stored: StoredFiles, photo: KnownFile?) {
        for file in stored.files { add(file, record: stored.records[file.manifest.id]) }
        if let photo { add(photo) }
        // Files whose messages were withdrawn when the node stopped before it had deleted their bytes.
        for manifest in stored.records.values.map(\.manifest)
        where known[manifest.id] == nil && host.isWithdrawn(manifest.event, by: manifest.author) {
            host.remove(manifest.id)
        }
    }

    /// New messages are stored.
    func add(from events: some Sequence<Event>) {
        for event in events where Self.classesWithFiles.contains(event.header.eventClass) {
            guard let content = host.content(of: event) else { continue }
            if case .withdrawal(let message) = content {
                withdraw(message, by: event.header.author)
            } else if let file = content.file {
                add(KnownFile(file, of: event))
            }
        }
    }

    private static let classesWithFiles: Set<EventClass> = [.file, .announcement, .profile]

    /// A message names a file: fetches it if it is wanted.
    /// - Parameter record: what the store has of the file; nil: not looked up.
    package func add(_ file: KnownFile, record: BlobRecord? = nil) {
        let message = file.messages[0]
        guard !host.isWithdrawn(message.id, by: message.author), known.add(file) else { return }
        let id = file.manifest.id
        if let record {
            known.record(id, isAsked: record.isAsked)
            if record.isComplete { return finished(id) }
        }
        // Peers may have asked about the file before its message arrived.
        guard record != nil || isWantedUnasked(file) || !askers.links(about: id).isEmpty else { return }
        fetch(id)
    }

    /// Whether to fetch a file unasked. A file of our own is here, or was lost with an older store.
    private func isWantedUnasked(_ file: KnownFile) -> Bool {
        file.isOwn(host.own) || file.isWantedUnasked(host.policy) && host.isMember
    }

    /// The file of a withdrawn message: we neither fetch it nor send it to others, and free its space.
    package func withdraw(_ message: EventID, by author: MemberID) {
        guard let id = known.remove(message, by: author) else { return }
        meters[id] = nil
        askers.forget(id)
        open.cancel(id)
        if open.remove(id) != nil { feed(.close(id)) }
        casts.dropPending(id)
        // Pending writes of this file come before this in the queue.
        host.remove(id)
        openNext()
    }

    // MARK: - Opening and closing

    /// Fetches a file as soon as the number of open ones allows it.
    /// - Parameter isAsked: the user wants it, so it does not count against its author.
    package func fetch(_ id: BlobID, isAsked: Bool = false) {
        guard let file = known[id], !file.progress.complete else { return }
        if isAsked { known.record(id, isAsked: true) }
        known.recordTry(of: id, problem: nil, at: host.now)
        open.enqueue(id)
        openNext()
    }

    /// The user wants a file: one that was fetched for others becomes our own wish.
    func fetchAsked(_ file: KnownFile) {
        add(file)
        let id = file.manifest.id
        if open[id] != nil {
            guard known[id]?.isAsked == false else { return }
            known.record(id, isAsked: true)
            feed(.close(id))
            _ = open.remove(id)
        }
        fetch(id, isAsked: true)
    }

    /// Somebody whom this node serves wants a file: it counts against its author as before.
    func fetchForOthers(_ file: KnownFile) {
        add(file)
        fetch(file.manifest.id)
    }

    /// The user does not want a file any more: closes it, so that its bytes can be deleted.
    func release(_ id: BlobID) {
        known.record(id, isAsked: false)
        if open.remove(id) != nil { feed(.close(id)) }
    }

    /// The bytes of a file were deleted; its message stays.
    func dropped(_ id: BlobID) {
        if known.record(FileProgress(have: 0, complete: false), of: id) { notifyOfChange(id) }
    }

    /// A peer wants a file that is not open.
    private func lookUp(_ id: BlobID, from link: LinkID) {
        guard host.isMember else { return }
        askers.record(link, about: id) { known[$0] != nil }
        guard known[id] != nil else { return }
        open.enqueue(id, isUrgent: true)
        openNext()
    }

    private func openNext() {
        while let id = open.dequeue(beside: swarm.openCount) { begin(id) }
    }

    private func begin(_ id: BlobID) {
        guard let file = known[id], open.beginOpening(id) else { return }
        host.open(file.manifest, isAsked: file.isAsked, keeping: undelivered) { files, result in
            files.open.endOpening(id)
            switch result {
            case .success(let file): files.opened(file)
            case .failure(let error): files.failed(id, error)
            }
            files.openNext()
        }
    }

    private func opened(_ file: BlobFile) {
        let id = file.manifest.id
        guard !host.isStopping, let named = known[id] else { return }
        open.insert(file)
        known.recordChange(of: id, at: host.now)
        refreshProgress(of: id)
        let have = file.have
        let role: BlobRole =
            have.isFull ? named.isOwn(host.own) ? .origin : .held : named.isWanted(host.policy) ? .wanted : .relay
        let authors = Set(named.messages.map(\.author))
        let first = role == .wanted ? casts.firstLinks(of: file, by: authors, asked: askers.links(about: id)) : nil
        askers.forget(id)
        let opening = BlobOpening(
            blob: id, shape: file.shape, pageHashes: file.manifest.pageHashes, pages: file.pages, have: have,
            role: role, toldFirst: first)
        feed(.open(opening))
        casts.refresh()
        if have.isFull { casts.consider(id, isOrigin: role == .origin) }
    }

    /// The disk has no room or is in trouble: leaves the file alone until somebody asks for it again.
    private func failed(_ id: BlobID, _ error: StoreError) {
        host.count(error)
        known.recordTry(of: id, problem: error, at: host.now)
        if open.remove(id) != nil { feed(.close(id)) }
        notifyOfChange(id)
    }

    /// Closes a file that nobody has wanted for a while.
    private func close(_ id: BlobID) {
        guard let file = open.remove(id) else { return }
        feed(.close(id))
        host.submit {
            // If this fails, a power cut costs no more than fetching the chunks again.
            try? file.synchronize()
            return { _ in }
        }
        openNext()
    }

    /// Files of ours that not every member has received: we do not delete them to make room for others.
    var undelivered: Set<BlobID> {
        let (own, through) = (host.own, host.deliveredThrough)
        return Set(
            known.all.lazy.filter { file in
                file.messages.contains { $0.author == own && $0.sequence > through }
            }
            .map(\.manifest.id))
    }

    /// Whether this is an event of ours that not every member has received.
    func undelivered(_ event: Event) -> Bool {
        event.header.author == host.own && event.header.sequence > host.deliveredThrough
    }

    // MARK: - Bytes

    private func send(_ chunk: Int, of id: BlobID, on link: LinkID, got: [Int]) {
        guard let file = open[id] else { return feed(.unreadable(link, id, chunk: chunk)) }
        host.submit {
            let result = Result { () throws(StoreError) in try file.read(chunk) }
            return { $0.send(result, chunk, of: id, on: link, got: got) }
        }
    }

    private func send(
        _ result: Result<[UInt8], StoreError>, _ chunk: Int, of id: BlobID, on link: LinkID, got: [Int]
    ) {
        switch result {
        case .success(let bytes):
            host.send(.blob(.chunk(BlobMessage.Chunk(blob: id, chunk: chunk, bytes: bytes, got: got))), on: link)
        case .failure(let error):
            host.count(error)
            feed(.unreadable(link, id, chunk: chunk))
        }
    }

    private func store(_ chunk: Int, of id: BlobID, _ bytes: [UInt8]) {
        let now = host.now
        meters[id, default: RateMeter()].record(bytes.count, at: now)
        known.recordChange(of: id, at: now)
        write(in: id, failure: .storeFailed(id, chunk: chunk), success: .stored(id, chunk: chunk)) {
            file throws(StoreError) in try file.write(chunk, bytes)
        }
    }

    private func store(page: Int, of id: BlobID, _ hashes: [Bytes32]) {
        write(in: id, failure: nil, success: nil) { file throws(StoreError) in try file.savePage(page, hashes) }
        casts.notify(ofPage: page, id)
    }

    private func write(
        in id: BlobID, failure: BlobMachine.Input?, success: BlobMachine.Input?,
        _ work: @escaping @Sendable (BlobFile) throws(StoreError) -> Void
    ) {
        guard let file = open[id] else {
            if let failure { feed(failure) }
            return
        }
        host.submit {
            let result = Result { () throws(StoreError) in try work(file) }
            return { files in
                switch result {
                case .success:
                    if let success { files.feed(success) }
                case .failure(let error):
                    if let failure { files.feed(failure) }
                    files.failed(id, error)
                }
            }
        }
    }

    private func refreshProgress(of id: BlobID) {
        guard let file = open[id] else { return }
        let shape = file.shape
        let have = file.have
        guard !have.isFull else { return finished(id) }
        let bytes = have.reduce(UInt64(0)) { $0 + UInt64(shape.chunkBytes($1)) }
        guard known.record(FileProgress(have: bytes, complete: false), of: id) else { return }
        notifyOfChange(id)
    }

    /// The file is complete.
    private func finished(_ id: BlobID) {
        guard let file = known[id] else { return }
        let all = FileProgress(have: file.manifest.shape.size, complete: true)
        if known.record(all, of: id) { notifyOfChange(id) }
    }

    private func notifyOfChange(_ id: BlobID) {
        for message in known[id]?.messages ?? [] { host.notifyOfChange(message.author, message.sequence) }
    }

    // MARK: - The server

    private func tickOnline(now: Instant) {
        guard online.isIdle, host.isMember, !host.isStopping, host.reachesServer else { return }
        let candidates = known.sorted.map { id, file in
            let isWaiting = file.isWanted(host.policy) && open[id] != nil && swarm.neighbours(with: id).some == 0
            return OnlineFiles.Candidate(
                id: id, shape: file.manifest.shape, isOwn: file.isOwn(host.own),
                isComplete: file.progress.complete, waitingSince: isWaiting ? file.changedAt : nil)
        }
        guard let work = online.next(candidates, now: now, using: &rng), let task = host.beginTransfer(work) else {
            return
        }
        online.begin(work, task)
    }

    /// A transfer has ended.
    func ended(_ work: OnlineFiles.Work, _ outcome: OnlineFiles.Outcome) {
        online.ended(outcome, now: host.now)
        notifyOfChange(work.file)
    }
}
