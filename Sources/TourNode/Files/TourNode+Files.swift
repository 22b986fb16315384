import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourStore
import TourWire

// The files of a tour, for its user. Shapes: `Protocol/Schema/local-api.yaml`.
extension TourNode {
    /// Every file of the tour, in its order.
    package func files(_ tour: String?) async throws -> [FileSummary] {
        await settleFiles()
        let session = try session(tour)
        let view = session.view(store)
        let query = MessageQuery(classes: [.file], ends: session.group.roster.ends)
        // Each message is opened for the file's name: off the loop.
        let stored = try await Self.besideTheLoop { [store] in
            do { return try store.messages(view.tour, query).compactMap { view.file(of: $0) } } catch {
                throw NodeError(storing: error)
            }
        }
        let names = session.view(store)
        return stored.map { session.files.summary(of: $0, in: names) }
    }

    /// One file of the tour, by the first digits of its message's id.
    package func file(_ idPrefix: String, in tour: String?) async throws -> FileSummary {
        await settleFiles()
        let session = try session(tour)
        return summary(of: try named(idPrefix, session), session)
    }

    /// Fetches a file whatever the policy says, as soon as a neighbour has it.
    /// - Parameter isForGuest: a guest wants it, not the user: it counts against the share of an author who does not
    ///   lead.
    /// - Throws: `file-too-large` for a guest and such an author, if nobody fetches it unasked.
    package func fetchFile(_ idPrefix: String, in tour: String?, isForGuest: Bool = false) async throws -> FileSummary {
        await settleFiles()
        let session = try session(tour)
        let found = try named(idPrefix, session)
        let file = KnownFile(found.file, of: found.event)
        let isTrusted = session.group.roster.rank(of: found.event.header.author)?.leads == true
        guard isForGuest, !isTrusted else {
            session.files.fetchAsked(file)
            return summary(of: found, session)
        }
        let most = BlobQuota.unaskedFileBytesMax
        guard found.file.shape.size <= most else { throw NodeError.file(.tooLarge(bytesMax: most)) }
        session.files.fetchForOthers(file)
        return summary(of: found, session)
    }

    /// Writes a complete file into a directory, under a name that is free there.
    /// - Parameter directory: absolute.
    /// - Throws: `not-complete` and the codes of `StoreError`.
    package func saveFile(_ idPrefix: String, to directory: String, in tour: String?) async throws -> SavedFile {
        let (found, session) = try await whole(idPrefix, in: tour)
        let tourID = session.tour
        let path = try await Self.besideTheLoop { [store] in
            do {
                return try store.saveFile(
                    found.blob, of: tourID, key: found.file.key, in: directory, named: found.name
                ) { _, _ in !Task.isCancelled }
            } catch {
                throw NodeError(storing: error)
            }
        }
        return SavedFile(id: found.event.id.hex, path: path, size: found.file.shape.size)
    }

    /// A complete file, to be read in pieces.
    /// - Throws: `not-complete` and the codes of `StoreError`.
    package func readFile(_ idPrefix: String, in tour: String?) async throws -> FileReader {
        let (found, session) = try await whole(idPrefix, in: tour)
        let tourID = session.tour
        return try await Self.besideTheLoop { [store] in
            do {
                return FileReader(
                    id: found.event.id.hex, blobID: found.blob.hex, name: found.name.text,
                    media: found.file.media ?? "",
                    file: try store.readFile(found.blob, of: tourID, key: found.file.key))
            } catch {
                throw NodeError(storing: error)
            }
        }
    }

    /// - Throws: `not-complete`.
    private func whole(_ idPrefix: String, in tour: String?) async throws -> (FoundFile, TourSession) {
        await settleFiles()
        let session = try session(tour)
        let found = try named(idPrefix, session)
        guard session.files.progress[found.event.id]?.complete == true else {
            throw NodeError.file(.notComplete(found.name.text))
        }
        try await ensureEmpty(found, session)
        return (found, session)
    }

    /// An empty file is complete once its name is known, and may have no entry in the store yet.
    private func ensureEmpty(_ found: FoundFile, _ session: TourSession) async throws {
        guard found.file.shape.size == 0 else { return }
        let manifest = KnownFile(found.file, of: found.event).manifest
        let tour = session.tour
        try await Self.besideTheLoop { [store] in
            do {
                _ = try store.addBlob(manifest, to: tour, quota: BlobQuota(), isAsked: true) { _ in true }
            } catch { throw NodeError(storing: error) }
        }
    }

    /// Frees the space of a file. The file stays in the tour, and can be fetched again.
    /// - Throws: `not-delivered` for one of ours that not every member has received.
    package func dropFile(_ idPrefix: String, in tour: String?) async throws -> FileSummary {
        await settleFiles()
        let session = try session(tour)
        let found = try named(idPrefix, session)
        guard !session.files.undelivered(found.event) else { throw NodeError.file(.notDelivered) }
        session.files.release(found.blob)
        let tourID = session.tour
        try await Self.besideTheLoop { [store] in
            do { try store.removeBlob(found.blob, of: tourID) } catch { throw NodeError(storing: error) }
        }
        session.files.dropped(found.blob)
        return summary(of: found, session)
    }

    // MARK: - One file

    private func named(_ idPrefix: String, _ session: TourSession) throws -> FoundFile {
        let view = session.view(store)
        guard let found = view.file(of: try view.event(idPrefix: idPrefix)) else {
            throw NodeError.file(.notAFile)
        }
        return found
    }

    private func summary(of found: FoundFile, _ session: TourSession) -> FileSummary {
        session.files.summary(of: found, in: session.view(store))
    }
}

extension TourView {
    /// - Returns: nil for a message without a file, and for one that is withdrawn or withheld.
    func file(of stored: StoredEvent) -> FoundFile? {
        let event = stored.event
        guard !withdrawals.contains(Withdrawal(event: event.id, author: event.header.author)), !withholds(event),
            let content = try? group.open(event, archived: stored.archived), let file = content.file
        else { return nil }
        let isImage = if case .file = content { false } else { true }
        return FoundFile(
            event: event, file: file, isImage: isImage,
            blob: BlobID(size: file.shape.size, pageHashes: file.pageHashes), name: SafeFileName(file.name))
    }
}
