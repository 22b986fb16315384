/// What a server does with an item that a device sends. The higher version wins, of equal ones the server's; what was
/// deleted stays deleted; whatever loses is kept as a `LostEdit`.
/// Source: `Protocol/12-notebook.md`, "Conflicts".
package enum NotebookVerdict: Hashable, Sendable {
    /// It is stored. Nothing that its writer did not know of was there.
    case stored
    /// It is stored; what was there, and its writer had not seen, is kept as lost.
    case storedOver
    /// The very same is there.
    case known
    /// What is there stays, and goes back to the writer. What came is kept as lost if it is an edit.
    case overruled
    /// The item was deleted. What came is kept as lost if it is an edit.
    case deleted
}

/// What a device says about an item beside the item.
package struct NotebookOrigin: Hashable, Sendable {
    /// A device, by a name of its own making; nil for apps that give none.
    package var writer: String?
    /// The server's version that the edit began from, 0 for a new item; nil for apps that give none: then it is not
    /// known whether the item is an edit, or what an app holds anyway.
    package var base: Int64?

    package init(writer: String?, base: Int64?) {
        self.writer = writer
        self.base = base
    }
}

extension NotebookVerdict {
    /// What the server holds under the id.
    package struct Held: Sendable {
        package var content: NotebookContent
        package var version: Int64
        /// Who wrote it, as `NotebookOrigin.writer`.
        package var writer: String?

        package init(content: NotebookContent, version: Int64, writer: String?) {
            self.content = content
            self.version = version
            self.writer = writer
        }
    }

    /// - Parameter held: nil when nothing was ever there.
    package init(_ item: NotebookItem, _ origin: NotebookOrigin, held: Held?) {
        guard let held else {
            self = .stored
            return
        }
        guard item.version > held.version else {
            self = item.content == held.content ? .known : .overruled
            return
        }
        // What the same device wrote before, it has seen; an answer to it may be lost on the way.
        let isSeen =
            origin.base == nil || origin.base == held.version || (held.writer != nil && held.writer == origin.writer)
        self = isSeen || item.content == held.content ? .stored : .storedOver
    }
}
