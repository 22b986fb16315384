import TourCrypto
import TourGroup
import TourImage
import TourModel
import TourStore
import TourWire
import TourWords

// Sending a file: it is sealed and stored first, then its message is sent, then members who want it fetch it.
extension TourNode {
    /// Sends a file, prepared as a picture if the draft says so.
    /// - Throws: `NodeError` with the codes of `StoreError` and `PictureError`, and those of a message.
    package func send(file draft: FileDraft, to tour: String?) async throws -> SentFile {
        let session = try session(tour)
        guard session.isActive else { throw session.inactivity }
        guard draft.caption.utf8.count <= Limits.fileCaptionBytesMax, !draft.caption.utf8.contains(0) else {
            throw NodeError("text-too-long", Phrase("A caption is at most \(Limits.fileCaptionBytesMax) bytes long."))
        }
        var replyTo: EventID?
        if let prefix = draft.replyTo { replyTo = try session.view(store).event(idPrefix: prefix).event.id }
        let prepared = try await prepare(draft)
        defer { prepared.discard() }
        let file = try await content(of: prepared, draft, replyTo, session)
        let sent = try await write(draft.isImage ? .image(file) : .file(file), file, session)
        return SentFile(
            id: sent.id.hex, seq: sent.header.sequence, status: .pending,
            blobID: BlobID(size: file.shape.size, pageHashes: file.pageHashes).hex, name: file.name,
            size: file.shape.size)
    }

    /// Whether the programs that prepare pictures are installed.
    package static var preparesPictures: Bool { PictureTool().missingProgram() == nil }

    /// A picture for a meeting point.
    /// - Parameter name: the name that the user gave it; nil: the path's.
    func photo(at path: String, named name: String?, in session: TourSession) async throws -> FileContent {
        let draft = FileDraft(path: path, caption: "", isImage: true, replyTo: nil, name: name)
        let prepared = try await prepare(draft)
        defer { prepared.discard() }
        return try await content(of: prepared, draft, nil, session)
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

    /// The content to seal: the file itself, or a picture made from it.
    private struct Prepared: Sendable {
        var path: String
        var media: String
        var picture: PreparedPicture?

        func discard() { if let picture { FileScratch.remove(picture.path) } }
    }

    private func prepare(_ draft: FileDraft) async throws -> Prepared {
        let tool = PictureTool()
        guard draft.isImage else {
            return Prepared(path: draft.path, media: await tool.mediaType(of: draft.path), picture: nil)
        }
        let scratch = try FileScratch.make(FileScratch.prepared, in: lock.path)
        do throws(PictureError) {
            let picture = try await tool.prepare(draft.path, in: scratch)
            return Prepared(path: picture.path, media: picture.format.mediaType, picture: picture)
        } catch {
            throw NodeError(error)
        }
    }

    private func content(
        of prepared: Prepared, _ draft: FileDraft, _ replyTo: EventID?, _ session: TourSession
    ) async throws -> FileContent {
        let sealed = try await seal(prepared.path, session)
        let name = Self.name(draft.name ?? draft.path, prepared.picture)
        return FileContent(
            key: sealed.key, shape: sealed.manifest.shape, pageHashes: sealed.manifest.pageHashes, name: name,
            media: prepared.media, thumbnail: prepared.picture?.thumbnail,
            width: UInt32(clamping: prepared.picture?.width ?? 0),
            height: UInt32(clamping: prepared.picture?.height ?? 0),
            caption: draft.caption.isEmpty ? nil : draft.caption, replyTo: replyTo)
    }

    private func seal(_ path: String, _ session: TourSession) async throws -> TourStore.SealedFile {
        let (tour, own) = (session.tour, session.own)
        let kept = undeliveredFiles(of: session)
        return try await Self.besideTheLoop { [store] in
            do throws(StoreError) {
                return try store.sealFile(
                    at: path, author: own, in: tour, quota: BlobQuota(), keeping: { kept.contains($0.manifest.id) }
                ) { _, _ in !Task.isCancelled }
            } catch {
                throw NodeError(sending: error)
            }
        }
    }

    /// The last part of the path as the user named it; a converted picture gets the ending of its new format.
    private static func name(_ path: String, _ picture: PreparedPicture?) -> String {
        let last = path.split(separator: "/").last.map(String.init) ?? "file"
        guard let picture else { return SafeFileName(exactly: last)?.text ?? SafeFileName(last).text }
        let stem = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
        let name = (stem.isEmpty ? "picture" : stem) + "." + picture.format.fileExtension
        return SafeFileName(exactly: name)?.text ?? SafeFileName(name).text
    }
}

extension NodeError {
    /// Why one of the user's files cannot be sent, in the words of the store.
    fileprivate init(sending error: StoreError) {
        let code =
            switch error {
            case .badPath(_, .noFile), .badPath(_, .notDirectory): "no-such-file"
            case .badPath(_, .isDirectory), .badPath(_, .notRegular): "not-a-file"
            case .badPath(_, .tooLong): "file-too-large"
            default: error.code
            }
        self.init(error, code: code, scope: error.scope)
    }
}
