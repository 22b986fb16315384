/// What a file holds, before it is known what of it is here already.
package struct ImportedNotebook: Hashable, Sendable {
    /// One thing of the file.
    package struct Entry: Hashable, Sendable {
        /// Nil: the file gives none.
        package var id: NotebookID?
        package var content: NotebookContent
        /// The name of a place's category, where the file says it by name.
        package var category: String?
        /// The itineraries that a stop says it is in; those whose own lists hold it are not among them.
        package var memberships: [Membership] = []
        /// It says nothing of an itinerary's list (its stops say where they stand), nor of a place's files and of what
        /// apps call things: what is here of that stays.
        package var isPartial = false
        /// Its place in the file, from 1.
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
        /// From 1; nil: behind those that have one.
        package var position: Int?

        package init(itinerary: String, position: Int? = nil) {
            self.itinerary = itinerary
            self.position = position
        }
    }

    /// What of the file is no item of a notebook.
    package struct Skipped: Hashable, Sendable {
        /// Its place in the file, from 1.
        package var number: Int
        /// What it is called there, if it says so.
        package var title: String
        package var fault: EntryFault

        package init(number: Int, title: String, fault: EntryFault) {
            self.number = number
            self.title = title
            self.fault = fault
        }
    }

    package var entries: [Entry]
    package var skipped: [Skipped]

    package init(entries: [Entry] = [], skipped: [Skipped] = []) {
        self.entries = entries
        self.skipped = skipped
    }

    /// Takes the entry, or says why not.
    mutating func add(_ entry: Entry) {
        do throws(NotebookFault) {
            try entry.content.check()
            entries.append(entry)
        } catch {
            skipped.append(Skipped(number: entry.number, title: entry.content.title, fault: .item(error)))
        }
    }
}
