import TourAPI
import TourBlob
import TourModel
import TourStore
import TourWire

// What is shown of the files. Shapes: `Protocol/Schema/local-api.yaml`.
extension TourFiles {
    /// How many files there are, and how they are getting on.
    package var status: FilesStatus {
        let now = host.now
        return FilesStatus(
            policy: host.policy.rawValue, count: known.all.count, complete: known.all.count { $0.progress.complete },
            bytes: known.all.reduce(0) { $0 + $1.progress.have },
            fetching: open.ids.count { known[$0]?.progress.complete == false },
            atServer: online.there.count, casts: casts.count,
            bytesPerSecond: meters.values.reduce(0) { $0 + $1.rate(at: now) })
    }

    /// One file, as lists show it.
    /// - Parameter view: of the tour, for the names of members.
    func summary(of found: FoundFile, in view: TourView) -> FileSummary {
        let file = found.file
        let id = found.blob
        let progress = progress[found.event.id] ?? FileProgress(have: 0, complete: false)
        let sources = swarm.neighbours(with: id)
        let author = found.event.header.author
        return FileSummary(
            id: found.event.id.hex, blobID: id.hex, tourID: view.tour.hex, type: found.isImage ? "image" : "file",
            name: found.name.text, media: file.media, size: file.shape.size, caption: file.caption,
            width: file.width == 0 ? nil : file.width, height: file.height == 0 ? nil : file.height,
            authorID: author.hex, authorName: view.distinctName(of: author),
            sentAt: Timestamp.text(milliseconds: found.event.header.clock.milliseconds), mine: author == view.own,
            state: progress.complete ? .complete : state(of: id),
            have: progress.have, complete: progress.complete, peers: sources.some, holders: sources.whole,
            bytesPerSecond: meters[id]?.rate(at: host.now) ?? 0)
    }

    /// Whether a file is here, or comes.
    package func state(of id: BlobID) -> FileState {
        guard let file = known[id] else { return .known }
        if file.progress.complete { return .complete }
        if file.problem != nil { return .noRoom }
        guard file.isWanted(host.policy) else { return .known }
        return swarm.neighbours(with: id).some > 0 || online.work == .download(id) ? .fetching : .waiting
    }
}

/// A message that names a file.
struct FoundFile: Sendable {
    var event: Event
    var file: FileContent
    var isImage: Bool
    var blob: BlobID
    var name: SafeFileName
}
