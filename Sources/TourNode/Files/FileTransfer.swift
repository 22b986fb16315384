import TourBlob
import TourMailbox
import TourModel
import TourStore

/// Carries one file of a tour to the server, or from there: sealed, chunk by chunk.
/// Source: `Protocol/09-mailbox.md`, "Files".
struct FileTransfer: Sendable {
    let tour: TourID
    let mailbox: Mailbox
    let store: TourStore
    let files: any FilesAccess

    func run(_ work: OnlineFiles.Work) async -> OnlineFiles.Outcome {
        switch work {
        case .upload(let id): await upload(id)
        case .download(let id): await download(id)
        }
    }

    private func upload(_ id: BlobID) async -> OnlineFiles.Outcome {
        do {
            let file = try await withTaskExecutorPreference(globalConcurrentExecutor) {
                try store.openBlob(id, of: tour)
            }
            guard let file else { return .failed }
            let shape = file.shape
            var held = try await mailbox.bytesHeld(of: id, shape)
            while held < shape.sealedSize {
                let first = Int(held / shape.sealedOffset(1))
                let chunks = first...min(first + Limits.mailboxChunksMax, shape.chunkCount) - 1
                // The server may hold only part of a chunk.
                let skipped = Int(held - shape.sealedOffset(first))
                let bytes = try await withTaskExecutorPreference(globalConcurrentExecutor) {
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

    private func download(_ id: BlobID) async -> OnlineFiles.Outcome {
        do throws(APIError) {
            guard let file = await openFile(id) else { return .failed }
            let shape = file.shape
            if file.pages.count != shape.pageCount {
                guard let hashes = try await mailbox.chunkHashes(of: id, shape) else { return .notThere }
                await files.perform { files in
                    for page in 0..<shape.pageCount {
                        files.feed(.heardPage(id, page: page, Array(hashes[shape.chunks(ofPage: page)])))
                    }
                }
                await files.settle()
            }
            while let file = await openFile(id), !file.have.isFull {
                let have = file.have
                guard let next = Self.missing(have) else { break }
                guard let chunks = try await mailbox.chunks(next, of: id, shape) else { return .notThere }
                await files.perform { files in
                    for (chunk, bytes) in zip(next, chunks) { files.feed(.heard(id, chunk: chunk, bytes)) }
                }
                await files.settle()
                // No chunk was sound, or the disk accepts none.
                guard let now = await openFile(id)?.have, now != have else { return .refused }
            }
            return .came
        } catch {
            return outcome(of: error)
        }
    }

    private func openFile(_ id: BlobID) async -> BlobFile? {
        await files.perform { $0.open[id] } ?? nil
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
