import TourGroup
import TourModel
import TourStore

/// The files that a tour's stored messages name, and what the store has of their bytes.
struct StoredFiles: Sendable {
    private(set) var files: [KnownFile] = []
    let records: [BlobID: BlobRecord]

    private static let messagesAtOnce = 256

    /// Searches the stored messages. Blocks: not for the event loop.
    init(of tour: TourID, _ group: TourGroup, in store: TourStore) {
        let records = (try? store.blobs(tour)) ?? []
        self.records = Dictionary(records.map { ($0.manifest.id, $0) }) { first, _ in first }
        var query = MessageQuery(classes: [.file], ends: group.roster.ends)
        query.limit = Self.messagesAtOnce
        while let stored = try? store.messages(tour, query), let last = stored.last {
            for message in stored {
                let content = try? group.open(message.event, archived: message.archived)
                if let file = content?.file { files.append(KnownFile(file, of: message.event)) }
            }
            guard (try? query.goOn(from: last)) != nil else { break }
        }
    }
}
