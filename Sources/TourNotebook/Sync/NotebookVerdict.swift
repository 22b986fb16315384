/// A server's decision about an item that a device sends. The higher version wins, of equal ones the server's, unless
/// an app that counts no versions sent the other: its edit also replaces a higher version that its own session wrote,
/// since the answer with that version may have been lost. A deleted item stays deleted; the losing edit is kept as a
/// `LostEdit`.
/// Source: `Protocol/12-notebook.md`, "Conflicts".
package enum NotebookVerdict: Hashable, Sendable {
    /// The item is stored, one above the held version unless it is above that already. It replaces nothing that its
    /// writer had not seen.
    case stored
    /// The item is stored, likewise; the replaced one, which its writer may not have seen, is kept as lost.
    case storedOver
    /// The server already has the same content.
    case known
    /// The server's item stays, and goes back to the writer. The received one is kept as lost if it is an edit.
    case overruled
    /// The item was deleted. The received one is kept as lost if it is an edit.
    case deleted
}

/// A device's statement about an item it sends.
package struct NotebookOrigin: Hashable, Sendable {
    /// A name for the device; nil where nothing tells it from others.
    package var writer: String?
    /// The server's version on which the edit is based, 0 for a new item; nil for apps that give none: then the server
    /// cannot know whether the item is an edit.
    package var base: Int64?
    /// Whether it knows how versions are counted. Apps that give neither a name nor a base may send an edit under the
    /// version that they received.
    package var counts: Bool

    package init(writer: String?, base: Int64?, counts: Bool) {
        self.writer = writer
        self.base = base
        self.counts = counts
    }
}

extension NotebookVerdict {
    /// The server's item under the id.
    package struct Held: Sendable {
        /// The content.
        package var content: NotebookContent
        /// The version.
        package var version: Int64
        /// Its writer, as `NotebookOrigin.writer`.
        package var writer: String?

        package init(content: NotebookContent, version: Int64, writer: String?) {
            self.content = content
            self.version = version
            self.writer = writer
        }
    }

    /// - Parameter held: nil when the server never had such an item.
    package init(_ item: NotebookItem, _ origin: NotebookOrigin, held: Held?) {
        guard let held else {
            self = .stored
            return
        }
        // A device has seen its own earlier writes, even if the answer to them was lost.
        let isOwn = held.writer != nil && held.writer == origin.writer
        if item.content == held.content {
            self = item.version > held.version ? .stored : .known
        } else if item.version > held.version {
            self = isOwn || origin.base == nil || origin.base == held.version ? .stored : .storedOver
        } else if item.version == held.version, !origin.counts {
            self = isOwn ? .stored : .storedOver
        } else if isOwn, !origin.counts {
            self = .storedOver
        } else {
            self = .overruled
        }
    }
}
