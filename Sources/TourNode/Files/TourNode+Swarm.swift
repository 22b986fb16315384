import NIOCore
import TourBlob
import TourCrypto
import TourDiscovery
import TourLink
import TourModel
import TourRuntime
import TourStore
import TourTransport
import TourWire

// Feeding a tour's swarm, and carrying out its outputs. Bytes are read and written off the loop, in order.
extension TourNode {
    func feed(_ session: TourSession, files input: BlobMachine.Input) {
        let desk = session.files
        notifyCasts(of: input, session)
        var outputs = [BlobMachine.Output]()
        desk.swarm.handle(input, now: NodeClock.now, using: &rng, into: &outputs)
        desk.feeding += 1
        for output in outputs { carryOut(output, session) }
        desk.feeding -= 1
        if desk.feeding == 0 { scheduleFiles(of: session) }
    }

    private func carryOut(_ output: BlobMachine.Output, _ session: TourSession) {
        switch output {
        case .send(let link, let message): session.connections[link]?.send(.blob(message))
        case .sendChunk(let link, let id, let chunk, let got): send(chunk, of: id, on: link, got: got, session)
        case .store(let id, let chunk, let bytes): store(chunk, of: id, bytes, session)
        case .storePage(let id, let page, let hashes): store(page: page, of: id, hashes, session)
        case .complete(let id): finished(id, session)
        case .lookUp(let id, let link): lookUp(id, from: link, session)
        case .progress(let id, _): refreshProgress(of: id, session)
        case .idle(let id): close(id, session)
        case .misbehaved(_, let fault): count(fault)
        case .misheard(let id, let chunk): misheard(chunk, of: id, session)
        }
    }

    private func scheduleFiles(of session: TourSession) {
        let desk = session.files
        guard let deadline = desk.swarm.nextDeadline, !isStopping else { return desk.end() }
        if let timer = desk.timer {
            if timer.deadline <= deadline { return }
            timer.task.cancel()
        }
        let delay = max(0, (deadline - NodeClock.now).microseconds)
        let tour = session.tour
        let task = loop.scheduleTask(in: .microseconds(delay)) { [weak self] () -> Void in
            self?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.files.timer = nil
                node.feed(session, files: .timer)
            }
        }
        desk.timer = (deadline, task)
    }

    // MARK: - Links

    /// A link to a member: files are exchanged on it as well.
    func beginFiles(on link: LinkID, _ session: TourSession) {
        guard let connection = session.connections[link] else { return }
        let isSlow = isBluetooth(connection)
        if isSlow, filePolicy == .wifiOnly { return }
        feed(session, files: .linkUp(link, isSlow: isSlow))
    }

    private func isBluetooth(_ connection: LinkConnection) -> Bool {
        networks.contains { $0.name.hasPrefix("bnep") && $0.addresses.contains(connection.localAddress) }
    }

    /// The link's queue has room for more chunks.
    package nonisolated func blobsDrained(_ connection: LinkConnection) {
        assumeIsolated { node in
            guard let (session, link) = node.place(of: connection) else { return }
            node.feed(session, files: .sent(link))
        }
    }

    // MARK: - Opening and closing

    /// Fetches a file as soon as the number of open ones allows it.
    /// - Parameter isAsked: the user wants it, so it does not count against its author.
    func fetch(_ id: BlobID, isAsked: Bool = false, _ session: TourSession) {
        let desk = session.files
        guard let file = desk.known[id], !file.progress.complete else { return }
        if isAsked { desk.record(id, isAsked: true) }
        desk.recordTry(of: id, problem: nil, at: NodeClock.now)
        desk.enqueue(id)
        openNext(in: session)
    }

    /// A peer wants a file that is not open.
    private func lookUp(_ id: BlobID, from link: LinkID, _ session: TourSession) {
        let desk = session.files
        guard session.isMember else { return }
        desk.record(asker: link, of: id)
        guard desk.known[id] != nil else { return }
        desk.enqueue(id, isUrgent: true)
        openNext(in: session)
    }

    func openNext(in session: TourSession) {
        let desk = session.files
        while desk.swarm.openCount + desk.opening.count < Limits.blobsOpenMax, let id = desk.nextQueued() {
            open(id, session)
        }
    }

    private func open(_ id: BlobID, _ session: TourSession) {
        let desk = session.files
        guard let file = desk.known[id], desk.open[id] == nil, desk.opening.insert(id).inserted else { return }
        let tour = session.tour
        let kept = undeliveredFiles(of: session)
        let manifest = file.manifest
        let isAsked = file.isAsked
        files.submit { [self, store] in
            let result = Result { () throws(StoreError) -> BlobFile in
                try store.addBlob(manifest, to: tour, quota: BlobQuota(), isAsked: isAsked) {
                    kept.contains($0.manifest.id)
                }
            }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    session.files.opening.remove(id)
                    switch result {
                    case .success(let file): node.opened(file, session)
                    case .failure(let error): node.failed(id, error, session)
                    }
                    node.openNext(in: session)
                }
            }
        }
    }

    private func opened(_ file: BlobFile, _ session: TourSession) {
        let desk = session.files
        let id = file.manifest.id
        guard !isStopping, let known = desk.known[id] else { return }
        desk.open[id] = file
        desk.recordChange(of: id, at: NodeClock.now)
        refreshProgress(of: id, session)
        let have = file.have
        let role: BlobRole =
            have.isFull ? known.isOwn(session.own) ? .origin : .held : known.isWanted(filePolicy) ? .wanted : .relay
        let first = role == .wanted ? linksToldFirst(of: file, by: Set(known.messages.map(\.author)), session) : nil
        desk.askers.forget(id)
        let opening = BlobOpening(
            blob: id, shape: file.shape, pageHashes: file.manifest.pageHashes, pages: file.pages, have: have,
            role: role, toldFirst: first)
        feed(session, files: .open(opening))
        refreshCasts(of: session)
        if have.isFull { considerCast(of: id, isOrigin: role == .origin, session) }
    }

    /// The disk has no room or is in trouble: leaves the file alone until somebody asks for it again.
    private func failed(_ id: BlobID, _ error: StoreError, _ session: TourSession) {
        count(error)
        session.files.recordTry(of: id, problem: error, at: NodeClock.now)
        if session.files.open.removeValue(forKey: id) != nil { feed(session, files: .close(id)) }
        notifyOfFileChange(id, session)
    }

    /// Closes a file that nobody has wanted for a while.
    private func close(_ id: BlobID, _ session: TourSession) {
        let desk = session.files
        guard let file = desk.open.removeValue(forKey: id) else { return }
        feed(session, files: .close(id))
        files.submit {
            // If this fails, a power cut costs no more than fetching the chunks again.
            try? file.synchronize()
            return {}
        }
        openNext(in: session)
    }

    /// Files of ours that not every member has received: we do not delete them to make room for others.
    func undeliveredFiles(of session: TourSession) -> Set<BlobID> {
        let own = session.files.known.filter { $0.value.isOwn(session.own) }
        return Set(
            own.filter { id, file in
                let through: UInt64 = session.machine.receipts.state.marks[session.own]?.deliveredThrough ?? 0
                return file.messages.contains { $0.author == session.own && $0.sequence > through }
            }.keys)
    }

    // MARK: - Bytes

    private func send(_ chunk: Int, of id: BlobID, on link: LinkID, got: [Int], _ session: TourSession) {
        guard let file = session.files.open[id] else {
            return feed(session, files: .unreadable(link, id, chunk: chunk))
        }
        let tour = session.tour
        files.submit { [self] in
            let result = Result { () throws(StoreError) in try file.read(chunk) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    switch result {
                    case .success(let bytes):
                        let message = BlobMessage.Chunk(blob: id, chunk: chunk, bytes: bytes, got: got)
                        session.connections[link]?.send(.blob(.chunk(message)))
                    case .failure(let error):
                        node.count(error)
                        node.feed(session, files: .unreadable(link, id, chunk: chunk))
                    }
                }
            }
        }
    }

    private func store(_ chunk: Int, of id: BlobID, _ bytes: [UInt8], _ session: TourSession) {
        let now = NodeClock.now
        session.files.meters[id, default: RateMeter()].record(bytes.count, at: now)
        session.files.recordChange(of: id, at: now)
        keep(in: id, session, failure: .storeFailed(id, chunk: chunk), success: .stored(id, chunk: chunk)) {
            file throws(StoreError) in try file.write(chunk, bytes)
        }
    }

    private func store(page: Int, of id: BlobID, _ hashes: [Bytes32], _ session: TourSession) {
        keep(in: id, session, failure: nil, success: nil) { file throws(StoreError) in
            try file.savePage(page, hashes)
        }
        notifyCasts(of: page, id, session)
    }

    private func keep(
        in id: BlobID, _ session: TourSession, failure: BlobMachine.Input?, success: BlobMachine.Input?,
        _ work: @escaping @Sendable (BlobFile) throws(StoreError) -> Void
    ) {
        guard let file = session.files.open[id] else {
            if let failure { feed(session, files: failure) }
            return
        }
        let tour = session.tour
        files.submit { [self] in
            let result = Result { () throws(StoreError) in try work(file) }
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    switch result {
                    case .success:
                        if let success { node.feed(session, files: success) }
                    case .failure(let error):
                        if let failure { node.feed(session, files: failure) }
                        node.failed(id, error, session)
                    }
                }
            }
        }
    }

    private func refreshProgress(of id: BlobID, _ session: TourSession) {
        guard let file = session.files.open[id] else { return }
        let shape = file.shape
        let have = file.have
        guard !have.isFull else { return finished(id, session) }
        let bytes = have.reduce(UInt64(0)) { $0 + UInt64(shape.chunkBytes($1)) }
        guard session.files.recordProgress(of: id, FileProgress(have: bytes, complete: false)) else { return }
        notifyOfFileChange(id, session)
    }
}

extension KnownFile {
    func isOwn(_ member: MemberID) -> Bool { messages.contains { $0.author == member } }

    func isWanted(_ policy: FilePolicy) -> Bool { isAsked || policy != .ask }
}
