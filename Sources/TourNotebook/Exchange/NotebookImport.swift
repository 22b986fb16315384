import TourModel

/// The changes by which a notebook gets the contents of a file, and none of them twice. Importing the same file again
/// changes nothing. Source: `Protocol/12-notebook.md`, "Import and export".
package struct NotebookImport: Sendable {
    /// The largest file that is imported, in bytes: larger than any device's list of places.
    package static let fileBytesMax = 64 * 1_024 * 1_024

    /// A change of an existing item.
    package struct Change: Hashable, Sendable {
        /// The item.
        package var id: NotebookID
        /// Its present content.
        package var before: NotebookContent
        /// Its content after the import.
        package var after: NotebookContent
    }

    /// The new items; none refers to a later one.
    package private(set) var additions: [(id: NotebookID, content: NotebookContent)] = []
    /// The changes of existing items.
    package private(set) var changes: [Change] = []
    /// Each entry, in the file's order.
    package private(set) var rows: [Row] = []
    /// Facts of the whole file.
    package let remarks: ImportedNotebook.Remarks

    private let replaces: Bool
    private let now: Int64
    private let isGone: @Sendable (NotebookID) -> Bool
    private let before: [NotebookID: NotebookContent]
    private var after: [NotebookID: NotebookContent]
    /// In the order in which they were added.
    private var added: [NotebookID] = []
    private var changed: [NotebookID] = []
    /// Ids of the file that have other ids here.
    private var names: [NotebookID: NotebookID] = [:]
    private var twins: [Twin: NotebookID] = [:]
    /// Stops that were here before, by their content.
    private var stops: [Stop: [NotebookID]] = [:]
    /// Stops matched with an entry without an id: each with only one.
    private var matched: Set<NotebookID> = []
    /// Items that an entry of this file stands for, with its number.
    private var settled: [NotebookID: Int] = [:]
    private var stays: [Stay] = []
    /// Itineraries in the file.
    private let coming: Set<NotebookID>

    /// A stop that names its own itinerary.
    private struct Stay {
        var membership: ImportedNotebook.Membership
        var stop: NotebookID
        var entry: ImportedNotebook.Entry
    }

    /// The properties by which two items are the same thing, whatever their ids.
    private enum Twin: Hashable {
        case place(title: String, url: String?)
        case note(Note)
        case category(name: String)
        case itinerary(title: String)
    }

    /// - Parameters:
    ///   - held: the present items.
    ///   - isGone: whether the item with this id was deleted: the id stays deleted, and the content gets a new one.
    ///   - replaces: whether an entry's content replaces that of the present item that is the same thing.
    ///   - now: seconds since 1970.
    /// - Throws: `tooMany` if the notebook would exceed its limit.
    package init(
        _ imported: ImportedNotebook, held: [NotebookItem], replaces: Bool, now: Int64,
        using rng: inout some RandomNumberGenerator, isGone: @escaping @Sendable (NotebookID) -> Bool
    ) throws(ImportFault) {
        self.replaces = replaces
        self.now = now
        self.isGone = isGone
        remarks = imported.remarks
        rows = imported.skipped.map {
            Row(number: $0.number, title: $0.title, result: .skipped, fault: $0.fault)
        }
        before = Dictionary(held.map { ($0.id, $0.content) }) { first, _ in first }
        after = before
        coming = Set(imported.entries.filter { $0.content.kind == .itinerary }.compactMap(\.id))
        for item in held.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
            for twin in Self.twins(of: item.content, all: true) where twins[twin] == nil { twins[twin] = item.id }
            if case .stop(let stop) = item.content { stops[stop, default: []].append(item.id) }
        }
        // Items come before those that refer to them.
        for kind in NotebookDocument.kinds {
            for entry in imported.entries where entry.content.kind == kind { apply(entry, &rng) }
        }
        addStays(&rng)
        guard after.count <= Limits.notebookItemsMax else { throw .tooMany }
        additions = added.compactMap { id in after[id].map { (id, $0) } }
        rows = rows.enumerated().sorted { ($0.element.number, $0.offset) < ($1.element.number, $1.offset) }
            .map(\.element)
        var seen: Set<NotebookID> = []
        changes = changed.filter { seen.insert($0).inserted }.compactMap { id in
            guard let before = before[id], let after = after[id], before != after else { return nil }
            return Change(id: id, before: before, after: after)
        }
    }

    private mutating func apply(_ entry: ImportedNotebook.Entry, _ rng: inout some RandomNumberGenerator) {
        guard entry.memberships.allSatisfy({ isKnown($0.itinerary) }) else {
            return skip(entry, .noItinerary)
        }
        let target = entry.id.flatMap { after[$0]?.kind == entry.content.kind ? $0 : nil } ?? twin(of: entry)
        guard let content = translated(entry, target, &rng) else { return }
        let id: NotebookID
        if let target, let held = after[target] {
            id = target
            compare(content, held, id, entry)
        } else {
            id = add(content, as: entry.id, &rng)
            tell(entry, .added)
        }
        if settled[id] == nil { settled[id] = entry.number }
        if let given = entry.id, given != id { names[given] = id }
        stays += entry.memberships.map { Stay(membership: $0, stop: id, entry: entry) }
    }

    /// The entry's content with local ids, and with what the file cannot hold as it is in the target.
    private mutating func translated(
        _ entry: ImportedNotebook.Entry, _ target: NotebookID?, _ rng: inout some RandomNumberGenerator
    ) -> NotebookContent? {
        var content = entry.content
        if case .place(var place) = content {
            place.categoryID = place.categoryID.map { names[$0] ?? $0 }
            if let name = entry.category {
                guard let category = category(named: name, entry, &rng) else { return nil }
                place.categoryID = category
            }
            content = .place(place)
        }
        if let target, let held = after[target] {
            // Under another id it is another device's copy, whose apps and server are not these.
            let others: Set<ImportedNotebook.Field> = entry.id == target ? [] : [.localID, .files, .source, .order]
            content = content.keeping(entry.kept.union(others), of: held)
        }
        if case .itinerary(var itinerary) = content {
            itinerary.stops = stops(of: itinerary, heldAs: target)
            content = .itinerary(itinerary)
        }
        return content
    }

    /// Each stop once, by its local id. For an itinerary that is here, its own list has the times at which stops were
    /// added.
    private func stops(of itinerary: Itinerary, heldAs id: NotebookID?) -> [Itinerary.Entry] {
        var times: [NotebookID: Int64] = [:]
        if let id, case .itinerary(let held)? = after[id] {
            times = Dictionary(held.stops.map { ($0.id, $0.addedAt) }) { first, _ in first }
        }
        var seen: Set<NotebookID> = []
        return itinerary.stops.compactMap { stop in
            let id = names[stop.id] ?? stop.id
            return seen.insert(id).inserted ? .init(id: id, addedAt: times[id] ?? stop.addedAt) : nil
        }
    }

    private mutating func category(
        named name: String, _ entry: ImportedNotebook.Entry, _ rng: inout some RandomNumberGenerator
    ) -> NotebookID? {
        if let known = twins[.category(name: name)] { return known }
        let order = after.values.count { $0.kind == .category }
        let content = NotebookContent.category(PlaceCategory(name: name, icon: "", color: "", order: order))
        do throws(NotebookFault) { try content.check() } catch {
            skip(entry, .category(error))
            return nil
        }
        return add(content, as: nil, &rng)
    }

    private mutating func compare(
        _ content: NotebookContent, _ held: NotebookContent, _ id: NotebookID, _ entry: ImportedNotebook.Entry
    ) {
        if content == held {
            tell(entry, .unchanged)
        } else if let first = settled[id] {
            skip(entry, .twice(number: first))
        } else if replaces {
            after[id] = content
            changed.append(id)
            tell(entry, .changed)
        } else {
            tell(entry, .different)
        }
    }

    private mutating func add(
        _ content: NotebookContent, as given: NotebookID?, _ rng: inout some RandomNumberGenerator
    ) -> NotebookID {
        var id = given.flatMap { isGone($0) ? nil : $0 }
        while id.map({ after[$0] != nil }) ?? true { id = NotebookID.random(using: &rng) }
        let new = id ?? NotebookID.random(using: &rng)
        after[new] = content
        added.append(new)
        for twin in Self.twins(of: content, all: true) where twins[twin] == nil { twins[twin] = new }
        return new
    }

    private mutating func twin(of entry: ImportedNotebook.Entry) -> NotebookID? {
        let content = entry.content
        // Two journeys may share a title: only an entry without an id, or with a deleted one, is matched by it.
        let isNameless = entry.id.map(isGone) ?? true
        if let twin = Self.twins(of: content, all: isNameless).first { return twins[twin] }
        guard isNameless, case .stop(let stop) = content else { return nil }
        let found = sameStops(stop, entry).first { !matched.contains($0) }
        if let found { matched.insert(found) }
        return found
    }

    private static func twins(of content: NotebookContent, all: Bool) -> [Twin] {
        switch content {
        case .place(let place): [.place(title: place.title, url: place.url)]
        case .note(let note): [.note(note)]
        case .category(let category): [.category(name: category.name)]
        case .itinerary(let itinerary): all ? [.itinerary(title: itinerary.title)] : []
        case .stop, .lost: []
        }
    }

    /// Stops with this content that were here before, in the itinerary that the entry names, in its order.
    private func sameStops(_ stop: Stop, _ entry: ImportedNotebook.Entry) -> [NotebookID] {
        let same = stops[stop] ?? []
        guard let membership = entry.memberships.first, !same.isEmpty else { return same }
        guard let id = itinerary(membership.itinerary), case .itinerary(let itinerary)? = before[id] else { return [] }
        return itinerary.stops.map(\.id).filter(Set(same).contains)
    }
}

// Stops that name their itinerary.
extension NotebookImport {
    /// Whether an itinerary is here, in the file, or will be created.
    private func isKnown(_ name: String) -> Bool {
        guard let id = NotebookID(name) else { return true }
        return coming.contains(id) || itinerary(name) != nil
    }

    private func itinerary(_ name: String) -> NotebookID? {
        if let id = NotebookID(name).map({ names[$0] ?? $0 }), case .itinerary? = after[id] { return id }
        return twins[.itinerary(title: name)]
    }

    /// Adds the stops behind those in their itinerary.
    private mutating func addStays(_ rng: inout some RandomNumberGenerator) {
        let ordered = stays.enumerated().sorted {
            ($0.element.membership.position ?? .max, $0.offset) < ($1.element.membership.position ?? .max, $1.offset)
        }
        var lists: [NotebookID: (itinerary: Itinerary, known: Set<NotebookID>)] = [:]
        var order: [NotebookID] = []
        for (_, stay) in ordered {
            guard let id = itinerary(stay.membership.itinerary) ?? make(stay, &rng),
                case .itinerary(let itinerary)? = after[id]
            else { continue }
            if lists[id] == nil {
                lists[id] = (itinerary, Set(itinerary.stops.map(\.id)))
                order.append(id)
            }
            guard lists[id]?.known.insert(stay.stop).inserted == true else { continue }
            if lists[id]?.itinerary.stops.count ?? 0 < Limits.notebookStopsMax {
                lists[id]?.itinerary.stops.append(.init(id: stay.stop, addedAt: now))
            } else {
                skip(stay.entry, .itineraryFull(max: Limits.notebookStopsMax))
            }
        }
        for id in order {
            guard let itinerary = lists[id]?.itinerary, after[id] != .itinerary(itinerary) else { continue }
            after[id] = .itinerary(itinerary)
            if before[id] != nil { changed.append(id) }
        }
    }

    /// Creates an itinerary that only its stops name.
    private mutating func make(_ stay: Stay, _ rng: inout some RandomNumberGenerator) -> NotebookID? {
        let title = stay.membership.itinerary
        let content = NotebookContent.itinerary(Itinerary(title: title))
        guard (try? content.check()) != nil else {
            skip(stay.entry, .itineraryUntitled)
            return nil
        }
        return add(content, as: nil, &rng)
    }

    private mutating func skip(_ entry: ImportedNotebook.Entry, _ fault: EntryFault) {
        rows.append(Row(number: entry.number, title: entry.content.title, result: .skipped, fault: fault))
    }

    private mutating func tell(_ entry: ImportedNotebook.Entry, _ result: Row.Result) {
        rows.append(Row(number: entry.number, title: entry.content.title, result: result, losses: entry.losses))
    }
}
