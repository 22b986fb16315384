import TourBlob
import TourGroup
import TourMailbox
import TourModel
import TourStore

// Files through the server: sealed, one after the other. Source: `Protocol/09-mailbox.md`, "Files".
extension TourNode {
    /// Once a second.
    func tickFilesOnline(of session: TourSession, now: Instant) {
        let desk = session.files
        guard let client = self.mailbox.client, session.isMember, !isStopping, desk.online.isIdle,
            session.sync.problem == nil, session.sync.answeredAt != nil
        else { return }
        let candidates = desk.known.sorted { $0.key < $1.key }.map { id, file in
            let isWaiting =
                file.isWanted(filePolicy) && desk.open[id] != nil && desk.swarm.neighbours(with: id).some == 0
            return OnlineFiles.Candidate(
                id: id, shape: file.manifest.shape, isOwn: file.isOwn(session.own),
                isComplete: file.progress.complete, waitingSince: isWaiting ? file.changedAt : nil)
        }
        guard let work = desk.online.next(candidates, now: now, using: &rng) else { return }
        let mailbox = Mailbox(client: client, pass: MemberPass(tour: session.tour, identity: session.keys.identity))
        let tour = session.tour
        let task = Task {
            let outcome: OnlineFiles.Outcome =
                switch work {
                case .upload(let id): await self.upload(id, of: tour, to: mailbox)
                case .download(let id): await self.download(id, of: tour, from: mailbox)
                }
            guard let session = self.sessions[tour] else { return }
            session.files.online.ended(outcome, now: NodeClock.now)
            for id in [work.file] { self.notifyOfFileChange(id, session) }
        }
        desk.online.begin(work, task)
    }

    private func upload(_ id: BlobID, of tour: TourID, to mailbox: Mailbox) async -> OnlineFiles.Outcome {
        do {
            let store = self.store
            guard let file = try await Self.besideTheLoop({ try store.openBlob(id, of: tour) }) else { return .failed }
            let shape = file.shape
            var held = try await mailbox.bytesHeld(of: id, shape)
            while held < shape.sealedSize {
                let first = Int(held / shape.sealedOffset(1))
                let chunks = first...min(first + Limits.mailboxChunksMax, shape.chunkCount) - 1
                // The server may hold only part of a chunk.
                let skipped = Int(held - shape.sealedOffset(first))
                let bytes = try await Self.besideTheLoop {
                    Array(try chunks.flatMap { try file.read($0) }.dropFirst(skipped))
                }
                let before = held
                held = try await mailbox.send(bytes, of: id, shape, at: held)
                guard held > before else { return .failed }
            }
            return .there
        } catch let error as APIError {
            return outcome(of: error)
        } catch {
            return .failed
        }
    }

    private func download(_ id: BlobID, of tour: TourID, from mailbox: Mailbox) async -> OnlineFiles.Outcome {
        do {
            guard let manifest = sessions[tour]?.files.open[id]?.manifest else { return .failed }
            let shape = manifest.shape
            if sessions[tour]?.files.open[id]?.pages.count != shape.pageCount {
                guard let hashes = try await mailbox.chunkHashes(of: id, shape) else { return .notThere }
                guard let session = sessions[tour] else { return .failed }
                for page in 0..<shape.pageCount {
                    feed(session, files: .heardPage(id, page: page, Array(hashes[shape.chunks(ofPage: page)])))
                }
                await settleFiles()
            }
            while let file = sessions[tour]?.files.open[id], !file.have.isFull {
                let have = file.have
                guard let next = Self.missing(have) else { break }
                guard let chunks = try await mailbox.chunks(next, of: id, shape) else { return .notThere }
                guard let session = sessions[tour] else { return .failed }
                for (chunk, bytes) in zip(next, chunks) { feed(session, files: .heard(id, chunk: chunk, bytes)) }
                await settleFiles()
                // No chunk was sound, or the disk accepts none.
                guard let now = sessions[tour]?.files.open[id]?.have, now != have else { return .refused }
            }
            return .came
        } catch {
            return outcome(of: error)
        }
    }

    /// The first run of missing chunks, at most `Limits.mailboxChunksMax`.
    private static func missing(_ have: ChunkSet) -> ClosedRange<Int>? {
        guard let first = (0..<have.limit).first(where: { !have.contains($0) }) else { return nil }
        let bound = min(first + Limits.mailboxChunksMax, have.limit)
        let end = (first..<bound).first { have.contains($0) } ?? bound
        return first...end - 1
    }

    private func outcome(of error: APIError) -> OnlineFiles.Outcome {
        switch error {
        case .http(400..<429, _, nil), .http(507, _, _): .refused
        default: .failed
        }
    }
}

extension OnlineFiles.Work {
    var file: BlobID {
        switch self {
        case .upload(let id), .download(let id): id
        }
    }
}
