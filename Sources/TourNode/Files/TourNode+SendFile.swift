import TourAPI
import TourCrypto
import TourGroup
import TourImage
import TourModel
import TourStore
import TourWire

// Sending a file: it is sealed and stored first, then its message is sent, then members who want it fetch it.
extension TourNode {
    /// Sends a file, prepared as a picture if the draft says so.
    /// - Throws: `NodeError` with the codes of `StoreError` and `PictureError`, and those of a message.
    package func send(file draft: FileDraft, to tour: String?) async throws -> SentFile {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        try session.checkQuiet(for: session.own)
        let file = try await content(of: draft, session)
        let sent = try await write(draft.isImage ? .image(file) : .file(file), file, session)
        return SentFile(
            id: sent.id.hex, seq: sent.header.sequence, status: .pending,
            blobID: BlobID(size: file.shape.size, pageHashes: file.pageHashes).hex, name: file.name,
            size: file.shape.size)
    }

    /// Whether the programs that prepare pictures are installed.
    package static var preparesPictures: Bool { PictureTool().missing == nil }

    /// A picture for a meeting point.
    /// - Parameter name: the name that the user gave it; nil: the path's.
    func photo(at path: String, named name: String?, in session: TourSession) async throws -> FileContent {
        let draft = FileDraft(path: path, caption: "", isImage: true, replyTo: nil, name: name)
        return try await content(of: draft, session)
    }

    /// Writes a message with a file: the store learns the file's owner before the message is stored.
    func write(_ content: Content, _ file: FileContent, _ session: TourSession) async throws -> Event {
        let epoch = try await sealingEpoch(of: session)
        let id = BlobID(size: file.shape.size, pageHashes: file.pageHashes)
        var refused: StoreError?
        let events = try await write(in: session) { author, wall in
            let event = author.write(content, under: epoch, wallMilliseconds: wall)
            do throws(StoreError) {
                try store.claimBlob(id, of: session.tour, for: event.id)
                return [event]
            } catch {
                refused = error
                return []
            }
        }
        if let refused { throw NodeError.store(refused) }
        guard let event = events.first else { throw NodeError.busy }
        recordUse(of: session)
        return event
    }

    /// A picture of a guest of this node.
    func picture(_ draft: FileDraft, by guest: MemberID, in tour: TourID) async throws -> FileContent {
        guard let session = sessions[tour] else { throw NodeError.notActive }
        try session.checkQuiet(for: guest)
        return try await content(of: draft, session, by: guest)
    }

    private func content(
        of draft: FileDraft, _ session: TourSession, by guest: MemberID? = nil
    ) async throws -> FileContent {
        try DraftText.check(draft.caption, bytesMax: Limits.fileCaptionBytesMax, .file(.captionTooLong))
        let reply = try draft.replyTo.map { try session.view(store, as: guest).answered($0) }
        // A file goes to everybody.
        if session.reader(ofAnswerTo: reply, by: guest ?? session.own) != nil { throw NodeError.message(.aloneIsText) }
        let outgoing = try await OutgoingFile(preparing: draft, in: lock.path)
        defer { outgoing.discard() }
        return try await outgoing.sealed(
            by: guest ?? session.own, in: session.tour, store, keeping: session.files.undelivered, replyTo: reply)
    }
}
