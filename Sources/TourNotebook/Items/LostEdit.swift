import TourModel

/// An edit that a conflict would have lost: the item as its writer left it, kept on every device until somebody
/// dismisses it.
/// Source: `Protocol/12-notebook.md`, "Conflicts".
package struct LostEdit: Hashable, Sendable {
    /// Why the edit lost.
    package enum Reason: String, Codable, Sendable {
        /// Another version of the item was kept.
        case overruled
        /// The item was deleted meanwhile.
        case deleted
    }

    /// The item; never a `lost` one itself.
    package var item: NotebookItem
    /// Why the edit lost.
    package var reason: Reason

    /// - Returns: nil for an item that is already a lost edit.
    package init?(_ item: NotebookItem, _ reason: Reason) {
        guard item.kind != .lost else { return nil }
        self.item = item
        self.reason = reason
    }

    func check() throws(NotebookFault) { try item.content.check() }
}
