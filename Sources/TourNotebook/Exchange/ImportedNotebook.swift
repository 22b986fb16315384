import TourModel

/// The contents of a file, before they are compared with the notebook.
package struct ImportedNotebook: Hashable, Sendable {
    /// One entry of the file.
    package struct Entry: Hashable, Sendable {
        /// The id in the file; nil if it has none.
        package var id: NotebookID?
        /// The content.
        package var content: NotebookContent
        /// The name of a place's category, where the file gives the name.
        package var category: String?
        /// The itineraries that a stop names, except those whose own lists contain it.
        package var memberships: [Membership] = []
        /// The fields that the file cannot hold: an import keeps their present values.
        package var kept: Set<Field> = []
        /// Values of the entry that the item does not get.
        package var losses: [EntryLoss] = []
        /// The entry's position in the file, from 1.
        package var number: Int

        package init(id: NotebookID? = nil, content: NotebookContent, category: String? = nil, number: Int) {
            self.id = id
            self.content = content
            self.category = category
            self.number = number
        }
    }

    /// A field of an item that a file may have no room for.
    package enum Field: Hashable, Sendable, CaseIterable {
        case localID, files, address, note, category, tags, read, favorite, source
        case place, time, type, stops, icon, color, order

        /// Fields for which lists of waypoints have no room.
        static let noneOfMaps: Set<Field> = [.localID, .files, .tags, .read, .favorite, .source]
    }

    /// A stop's place in an itinerary.
    package struct Membership: Hashable, Sendable {
        /// The itinerary's id or title.
        package var itinerary: String
        /// The position from 1; nil: behind the stops that have one.
        package var position: Int?
    }

    /// A part of the file that is no item of a notebook.
    package struct Skipped: Hashable, Sendable {
        /// The position in the file, from 1.
        package var number: Int
        /// The title in the file, if there is one.
        package var title: String
        /// Why it was skipped.
        package var fault: EntryFault
    }

    /// The valid entries.
    package var entries: [Entry]
    /// The invalid entries.
    package var skipped: [Skipped]

    /// Facts of the whole file that no entry shows.
    package var remarks = Remarks()

    /// Facts of the whole file rather than of one entry.
    package struct Remarks: Hashable, Sendable {
        /// A table's columns that were not read though they hold something, by their headers, at most `columnsMax`.
        package var unreadColumns: [String] = []
        /// Whether the text was read as Windows-1252 though nothing says that it is.
        package var isEncodingGuessed = false
        /// Points of routes and tracks that have no name, and so are no places.
        package var unnamedPoints = 0
        /// Entries of other kinds in a file of which places alone were wanted.
        package var otherKinds = 0

        /// The most columns that are told.
        package static let columnsMax = 32

        /// Nothing to tell.
        package init() {}
    }

    /// No entries, unless given.
    package init(entries: [Entry] = [], skipped: [Skipped] = []) {
        self.entries = entries
        self.skipped = skipped
    }

    /// Takes out and counts what is neither a place nor a category.
    package mutating func keepPlaces() {
        let all = entries.count
        entries.removeAll { ![.place, .category].contains($0.content.kind) }
        remarks.otherKinds += all - entries.count
    }

    /// Adds the entry if it is valid, otherwise lists it as skipped.
    mutating func add(_ entry: Entry) {
        do throws(NotebookFault) {
            try entry.content.check()
            entries.append(entry)
        } catch {
            skipped.append(Skipped(number: entry.number, title: entry.content.title, fault: .item(error)))
        }
    }
}
