import TourBlob
import TourCrypto
import TourGroup
import TourModel
import TourStore
import TourWire

// Finding out which files a tour has, from the messages that name them.
extension TourNode {
    /// Searches the stored messages off the loop. Once, when the node starts or joins a tour.
    func findFiles(of session: TourSession) {
        let tour = session.tour
        let group = session.group
        let ends = group.roster.ends
        files.submit { [self, store] in
            var found = [KnownFile]()
            var query = MessageQuery(classes: [.file], ends: ends)
            query.limit = Self.filesAtOnce
            while let stored = try? store.messages(tour, query), let last = stored.last {
                for message in stored {
                    let content = try? group.open(message.event, archived: message.archived)
                    if let file = content?.file { found.append(KnownFile(file, of: message.event)) }
                }
                guard (try? query.goOn(from: last.event)) != nil else { break }
            }
            let records = (try? store.blobs(tour)) ?? []
            let here = Dictionary(records.map { ($0.manifest.id, $0) }) { first, _ in first }
            return { [self, found] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    for file in found { node.learn(file, record: here[file.manifest.id], session) }
                    node.learnPhoto(of: session)
                    node.dropWithdrawn(records, session)
                }
            }
        }
    }

    private static let filesAtOnce = 256

    /// Deletes files whose messages were withdrawn when the node stopped before it had deleted their bytes.
    private func dropWithdrawn(_ records: [BlobRecord], _ session: TourSession) {
        let tour = session.tour
        for manifest in records.map(\.manifest) where session.files.known[manifest.id] == nil {
            guard session.withdrawals.contains(Withdrawal(event: manifest.event, author: manifest.author)) else {
                continue
            }
            files.submit { [store] in
                try? store.removeBlob(manifest.id, of: tour)
                return {}
            }
        }
    }

    /// Learns the picture of the current meeting point; those of earlier meeting points are not needed.
    private func learnPhoto(of session: TourSession) {
        guard let (event, meeting) = try? newestMeeting(in: session), let photo = meeting.photo else { return }
        learn(KnownFile(photo, of: event), record: nil, session)
    }

    /// New messages are stored.
    func learnFiles(from events: some Sequence<Event>, _ session: TourSession) {
        for event in events where Self.mayTellOfFiles.contains(event.header.eventClass) {
            guard let content = try? session.group.open(event) else { continue }
            if case .withdrawal(let message) = content {
                withdrawFile(of: message, by: event.header.author, session)
            } else if let file = content.file {
                learn(KnownFile(file, of: event), record: nil, session)
            }
        }
    }

    private static let mayTellOfFiles: Set<EventClass> = [.file, .announcement, .profile]

    /// The file of a withdrawn message: we neither fetch it nor give it to others, and free its space.
    private func withdrawFile(of message: EventID, by author: MemberID, _ session: TourSession) {
        guard let id = session.files.forget(message, by: author) else { return }
        if session.files.open.removeValue(forKey: id) != nil { feed(session, files: .close(id)) }
        dropPending(id, session)
        let tour = session.tour
        // Pending writes of this file come before this in the queue.
        files.submit { [store] in
            try? store.removeBlob(id, of: tour)
            return {}
        }
        openNext(in: session)
    }

    /// - Parameter record: what the store has of the file; nil: not looked up.
    func learn(_ file: KnownFile, record: BlobRecord?, _ session: TourSession) {
        let desk = session.files
        let message = file.messages[0]
        guard !session.withdrawals.contains(Withdrawal(event: message.id, author: message.author)), desk.learn(file)
        else { return }
        let id = file.manifest.id
        if let record {
            desk.record(id, isAsked: record.isAsked)
            if record.isComplete { return finished(id, session) }
        }
        // Peers may have asked about the file before its message arrived.
        guard record != nil || wants(file, session) || !desk.askers.links(about: id).isEmpty else { return }
        fetch(id, session)
    }

    /// Whether to fetch a file unasked. A file of our own is here, or was lost with an older store.
    private func wants(_ file: KnownFile, _ session: TourSession) -> Bool {
        file.isOwn(session.own) || filePolicy != .ask && session.isMember
    }

    /// The file is complete.
    func finished(_ id: BlobID, _ session: TourSession) {
        guard let file = session.files.known[id] else { return }
        let all = FileProgress(have: file.manifest.shape.size, complete: true)
        if session.files.recordProgress(of: id, all) { notifyOfFileChange(id, session) }
    }

    /// Followers get the message again.
    func notifyOfFileChange(_ id: BlobID, _ session: TourSession) {
        for message in session.files.known[id]?.messages ?? [] {
            notifyOfChange(message.author, message.sequence...message.sequence, session)
        }
    }
}

extension KnownFile {
    init(_ file: FileContent, of event: Event) {
        let id = BlobID(size: file.shape.size, pageHashes: file.pageHashes)
        self.init(
            manifest: BlobManifest(
                id: id, author: event.header.author, event: event.id, shape: file.shape, pageHashes: file.pageHashes),
            message: Message(id: event.id, author: event.header.author, sequence: event.header.sequence),
            // An empty file is complete once its name is known.
            progress: FileProgress(have: 0, complete: file.shape.size == 0))
    }
}

extension Content {
    /// The file that this content is or carries.
    var file: FileContent? {
        switch self {
        case .file(let file), .image(let file): file
        case .meeting(let meeting): meeting?.photo
        default: nil
        }
    }
}
