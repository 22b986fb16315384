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
        /// Whether the entry omits an itinerary's list (its stops name it), a place's files, and apps' local ids: an
        /// import keeps the present values of these.
        package var isPartial = false
        /// The entry's position in the file, from 1.
        package var number: Int

        package init(id: NotebookID? = nil, content: NotebookContent, category: String? = nil, number: Int) {
            self.id = id
            self.content = content
            self.category = category
            self.number = number
        }
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

    /// No entries, unless given.
    package init(entries: [Entry] = [], skipped: [Skipped] = []) {
        self.entries = entries
        self.skipped = skipped
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
