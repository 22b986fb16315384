import TourAPI
import TourGroup
import TourModel
import TourNotebook
import TourStore
import TourWire

// The shared records of a tour as they stood at one moment. Everything here reads the store: not for the event loop.
extension TourView {
    /// The result of reading a version.
    enum SharedReading: Sendable {
        case whole(SharedRecord)
        /// A key is missing, or an event.
        case unreadable
        /// Parts that do not belong together, or that their author may not write.
        case void
    }

    /// A version that counts, with its content.
    struct ReadVersion: Sendable {
        var version: SharedState.Version
        /// nil: from this version on the record is no longer shared.
        var record: SharedRecord?
    }

    private static let sharedAtOnce = 256

    func sharedState() throws -> SharedState { try sharedVersions.book(findShared) }

    private func findShared() throws -> SharedState {
        var found = [SharedState.Version]()
        var query = MessageQuery(limit: Self.sharedAtOnce, classes: [.file], ends: group.roster.ends)
        while true {
            let stored = try store.messages(tour, query)
            guard let last = stored.last else { return SharedState(found) }
            found += stored.compactMap(version)
            try query.goOn(from: last)
        }
    }

    private func version(_ stored: StoredEvent) -> SharedState.Version? {
        let event = stored.event
        guard case .shared(let part) = try? group.open(event, archived: stored.archived), let head = part.head,
            !withdrawals.contains(Withdrawal(event: event.id, author: event.header.author))
        else { return nil }
        return SharedState.Version(
            record: part.record, number: part.version, parts: part.parts, head: head,
            position: MessagePosition(event), id: event.id)
    }

    /// Reads the parts of a version, which follow each other in its author's log.
    func read(_ version: SharedState.Version) throws -> SharedReading {
        let (author, end) = (version.position.author, version.position.sequence)
        guard version.parts > 0, end >= UInt64(version.parts) else { return .void }
        let stored = try store.stored(tour, author: author, from: end - UInt64(version.parts) + 1, through: end)
        guard stored.count == version.parts else { return .unreadable }
        var parts = [SharedPart]()
        for event in stored.lazy.map(\.stored) {
            do throws(GroupFault) {
                guard case .shared(let part) = try group.open(event.event, archived: event.archived) else {
                    return .void
                }
                parts.append(part)
            } catch .unknownEpoch, .unknownAuthor {
                return .unreadable
            } catch {
                return .void
            }
        }
        return (try? SharedRecord(parts: parts)).map(SharedReading.whole) ?? .void
    }

    /// The last of these versions that counts.
    private func last(of versions: some BidirectionalCollection<SharedState.Version>) throws -> ReadVersion? {
        for version in versions.reversed() {
            if version.isTakingBack { return ReadVersion(version: version, record: nil) }
            if case .whole(let record) = try read(version) { return ReadVersion(version: version, record: record) }
        }
        return nil
    }

    /// The version of a record that counts.
    func current(_ record: NotebookID) throws -> ReadVersion? { try last(of: sharedState().versions(of: record)) }

    /// The version that this one changed: the last one before it that shared the record.
    func before(_ version: SharedState.Version) throws -> ReadVersion? {
        let earlier = try sharedState().versions(of: version.record).prefix { $0.precedes(version) }
        return try last(of: earlier.filter { !$0.isTakingBack })
    }

    /// The records shared now, by title, then id.
    func sharedNow() throws -> [ReadVersion] {
        try sharedState().records.compactMap { try current($0) }.filter { $0.record != nil }
            .sorted { ($0.version.head.title, $0.version.record) < ($1.version.head.title, $1.version.record) }
    }

    /// Finds a record by its id, six or more of the id's first digits, or its title; or by the id of a message that
    /// ends a version of it.
    /// - Throws: `NodeError`: `ambiguous`, `unknown-record`.
    func shared(_ name: String) throws -> ReadVersion {
        let book = try sharedState()
        let called = SharedName(name)
        let records = book.records.filter { called.isBeginning(of: $0) }
        if records.count > 1 { throw NodeError.ambiguous(name, records.map(\.text)) }
        if let record = records.first, let current = try current(record) { return current }
        if let message = try? event(idPrefix: name), let version = book.version(ending: message.event.id) {
            if version.isTakingBack { return ReadVersion(version: version, record: nil) }
            guard case .whole(let record) = try read(version) else { throw NodeError.shared(.unknownRecord(name)) }
            return ReadVersion(version: version, record: record)
        }
        let titled = try sharedNow().filter { called.isTitle($0.version.head.title) }
        if titled.count > 1 { throw NodeError.ambiguous(name, titled.map { $0.version.record.text }) }
        guard let found = titled.first else { throw NodeError.shared(.unknownRecord(name)) }
        return found
    }

    /// Shows a message that ends a version.
    /// - Parameter counts: whether the message stands before the end of its author's log.
    /// - Returns: false for a message that is not shown at all.
    func show(_ part: SharedPart, of event: Event, counts: Bool, in view: inout Message) throws -> Bool {
        guard let head = part.head else { return false }
        var shared = Message.Shared(
            record: part.record.text, version: part.version, isTakenBack: part.isTakingBack)
        if counts, !part.isTakingBack {
            let version = SharedState.Version(
                record: part.record, number: part.version, parts: part.parts, head: head,
                position: MessagePosition(event), id: event.id)
            switch try read(version) {
            case .void: return false
            case .unreadable: return true
            case .whole(let record):
                shared.show(record, before: try before(version)?.record)
            }
        }
        view.type = head.kind.word
        view.content = head.title
        view.metadata.shared = shared
        return true
    }
}

extension Message.Shared {
    fileprivate mutating func show(_ record: SharedRecord, before: SharedRecord?) {
        switch record.content {
        case .itinerary(let itinerary): stops = itinerary.stops.count
        case .place(let place):
            url = place.url
            self.place = place.url.flatMap { GeoAddress($0)?.coordinate }
        case .note: break
        }
        changes = before.flatMap { RecordDifference(from: $0, to: record)?.summary }
    }
}

/// A name that the user gave for a shared record.
struct SharedName {
    /// Of an id, without dashes; nil for a text that is no id, or is too short.
    private let digits: String?
    private let folded: String

    init(_ typed: String) {
        let bare = typed.lowercased().filter { $0 != "-" }
        digits = (6...32).contains(bare.utf8.count) && bare.allSatisfy(\.isHexDigit) ? bare : nil
        folded = FoldedText.of(typed)
    }

    func isBeginning(of id: NotebookID) -> Bool { digits.map { id.digits.hasPrefix($0) } ?? false }

    func isTitle(_ title: String) -> Bool { !folded.isEmpty && FoldedText.of(title) == folded }
}
