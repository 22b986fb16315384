import TourAPI
import TourDiscovery
import TourGroup
import TourMailbox
import TourModel
import TourStore
import TourTransport
import TourWire

// What the node does around the files of its tours.
extension TourNode {
    private static let policySetting = "file-policy"

    static func filePolicy(_ store: TourStore, given: FilePolicy?) throws -> FilePolicy {
        if let given {
            try store.setSetting(policySetting, value: Array(given.rawValue.utf8))
            return given
        }
        let stored = try store.setting(policySetting).map { String(decoding: $0, as: UTF8.self) }
        return stored.flatMap(FilePolicy.init(rawValue:)) ?? .small
    }

    /// Does work on the files of a tour.
    /// - Returns: nil if the tour is gone.
    func withFiles<Value>(of tour: TourID, _ work: (TourFiles) -> Value) -> Value? {
        sessions[tour].map { work($0.files) }
    }

    /// Suspends until the disk work submitted so far is done.
    func settleFiles() async {
        await withCheckedContinuation { done in files.submit { { done.resume() } } }
    }

    /// Searches the stored messages off the loop: once, when the node starts or joins a tour, and when keys arrive.
    func findFiles(of session: TourSession) {
        let tour = session.tour
        let group = session.group
        files.submit { [self, store] in
            let stored = StoredFiles(of: tour, group, in: store)
            return { [self] in
                assumeIsolated { node in
                    guard let session = node.sessions[tour] else { return }
                    session.files.add(stored, photo: node.photo(of: session))
                }
            }
        }
    }

    /// The picture of the current meeting point.
    private func photo(of session: TourSession) -> KnownFile? {
        guard let (event, meeting) = try? newestMeeting(in: session) else { return nil }
        return meeting.photo.map { KnownFile($0, of: event) }
    }

    /// A link to a member: files are exchanged on it as well.
    func beginFiles(on link: LinkID, _ session: TourSession) {
        guard let connection = session.connections[link] else { return }
        let isSlow = networks.contains { $0.name.hasPrefix("bnep") && $0.addresses.contains(connection.localAddress) }
        session.files.linkUp(link, isSlow: isSlow)
    }

    package nonisolated func blobsDrained(_ connection: LinkConnection) {
        assumeIsolated { node in
            guard let (session, link) = node.place(of: connection) else { return }
            session.files.linkDrained(link)
        }
    }

    /// Carries a file to the server, or from there, and reports to the files how that ended.
    func beginTransfer(_ work: OnlineFiles.Work, _ session: TourSession) -> Task<Void, Never>? {
        guard let client = mailbox.client else { return nil }
        let tour = session.tour
        let pass = MemberPass(tour: tour, identity: session.keys.identity)
        let transfer = FileTransfer(
            tour: tour, mailbox: Mailbox(client: client, pass: pass), store: store,
            files: LiveFilesAccess(node: self, tour: tour))
        return Task {
            let outcome = await transfer.run(work)
            self.sessions[tour]?.files.ended(work, outcome)
        }
    }
}
