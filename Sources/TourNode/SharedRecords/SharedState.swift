import Synchronization
import TourModel
import TourNotebook
import TourStore
import TourWire

/// Every version of a tour's shared records, by the messages that end them. Only reading a version shows whether it
/// is complete. Source: `Protocol/12-notebook.md`, "Shared records".
struct SharedState: Sendable {
    struct Version: Sendable {
        var record: NotebookID
        var number: UInt64
        /// 0: from this version on the record is no longer shared.
        var parts: Int
        var head: SharedPart.Head
        /// Its place in the tour's order, and the log that holds it.
        var position: MessagePosition
        /// The id of the message.
        var id: EventID

        var isTakingBack: Bool { parts == 0 }

        /// The higher number counts; of equal ones the later in the tour's order.
        func precedes(_ other: Version) -> Bool {
            (number, position.clock, position.author, position.sequence)
                < (other.number, other.position.clock, other.position.author, other.position.sequence)
        }
    }

    /// The versions of each record, from the first to the last.
    private var versions: [NotebookID: [Version]] = [:]

    init(_ found: [Version]) {
        versions = Dictionary(grouping: found, by: \.record).mapValues { $0.sorted { $0.precedes($1) } }
    }

    var records: [NotebookID] { versions.keys.sorted() }

    func versions(of record: NotebookID) -> [Version] { versions[record] ?? [] }

    /// The version that this message ends.
    func version(ending id: EventID) -> Version? {
        versions.values.lazy.joined().first { $0.id == id }
    }
}

/// The shared records of one snapshot of a tour, searched when the first one is requested.
final class SharedVersions: Sendable {
    private let found = Mutex<SharedState?>(nil)

    func book(_ find: () throws -> SharedState) throws -> SharedState {
        try found.withLock { book in
            if let book { return book }
            let new = try find()
            book = new
            return new
        }
    }
}
