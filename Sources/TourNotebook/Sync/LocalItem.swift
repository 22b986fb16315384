import TourModel

/// An item on a device, with the device's knowledge of the server's version. Every change of an item goes through this
/// type.
/// Source: `Protocol/12-notebook.md`, "On a device".
package struct LocalItem: Hashable, Sendable {
    /// The highest version of an item: a higher one cannot be a count of edits, and its successor must still be a
    /// number.
    package static let versionMax: Int64 = 1 << 53

    /// The item's id.
    package let id: NotebookID
    /// The item's kind.
    package let kind: NotebookKind
    /// The content; nil for a deleted item, of which only the deletion is kept.
    package var content: NotebookContent?
    /// The device's version.
    package var version: Int64
    /// The server's version on which the first unsent edit is based, 0 for none.
    package var base: Int64
    /// The last version sent, whether or not an answer arrived; 0 for none.
    package var sent: Int64
    /// Whether the server does not have it yet.
    package var isPending: Bool
    /// When it was created, in whole seconds since 1970, by the writer's clock.
    package var createdAt: Int64
    /// When it was last changed, likewise.
    package var updatedAt: Int64
    /// Why the server rejects it, in the server's words.
    package var problem: String?

    /// An item with its stored state.
    package init(
        id: NotebookID, kind: NotebookKind, content: NotebookContent?, version: Int64, base: Int64, sent: Int64,
        isPending: Bool, createdAt: Int64, updatedAt: Int64, problem: String?
    ) {
        self.id = id
        self.kind = kind
        self.content = content
        self.version = version
        self.base = base
        self.sent = sent
        self.isPending = isPending
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.problem = problem
    }

    /// A new item, just written here.
    package init(new content: NotebookContent, id: NotebookID, now seconds: Int64) {
        self.init(
            id: id, kind: content.kind, content: content, version: 1, base: 0, sent: 0, isPending: true,
            createdAt: seconds, updatedAt: seconds, problem: nil)
    }

    /// An item received from the server.
    /// - Returns: nil for an item that no server of this protocol sends.
    package init?(_ item: NotebookItem) {
        guard Self.isSound(item) else { return nil }
        self.init(
            id: item.id, kind: item.kind, content: item.content, version: item.version, base: item.version, sent: 0,
            isPending: false, createdAt: item.createdAt, updatedAt: item.updatedAt, problem: nil)
    }

    /// Whether it was deleted.
    package var isDeleted: Bool { content == nil }

    /// The item; nil if it was deleted.
    package var item: NotebookItem? {
        content.map {
            NotebookItem(id: id, content: $0, version: version, createdAt: createdAt, updatedAt: updatedAt)
        }
    }

    private static func isSound(_ item: NotebookItem) -> Bool {
        guard (1...Self.versionMax).contains(item.version) else { return false }
        return (try? item.content.check()) != nil
    }
}

// Local changes.
extension LocalItem {
    /// Applies a local edit. An item that was deleted here or elsewhere exists again on this device until the server
    /// refuses: then the edit is kept as lost.
    /// - Parameter content: of the item's kind.
    package mutating func edit(_ content: NotebookContent, now seconds: Int64) {
        guard content.kind == kind, content != self.content else { return }
        begin(now: seconds)
        self.content = content
    }

    /// - Returns: false when no other device or server ever had it, so that no deletion need be kept.
    package mutating func delete(now seconds: Int64) -> Bool {
        guard base > 0 || sent > 0 else { return false }
        guard content != nil else { return true }
        begin(now: seconds)
        content = nil
        return true
    }

    private mutating func begin(now seconds: Int64) {
        if !isPending { base = version }
        version += 1
        isPending = true
        updatedAt = seconds
        problem = nil
    }

    /// Prepares the item for another account, where it is new.
    package mutating func unlink() {
        base = 0
        sent = 0
        isPending = true
        problem = nil
    }
}

/// The outcome of an answer for one item that was sent.
package enum SentOutcome: Hashable, Sendable {
    /// The server has it as it was sent.
    case stored
    /// The server has this item in its place.
    case held(NotebookItem)
    /// It was deleted meanwhile, and stays deleted.
    case deleted
    /// The server rejects it, for this reason.
    case refused(String)
}

// The effects of an answer.
extension LocalItem {
    /// - Parameter sent: the content that was sent; nil: its deletion was.
    /// - Parameter version: the version that was sent. The item may have been edited since.
    package mutating func settle(_ outcome: SentOutcome, sent: NotebookContent?, version: Int64) {
        let isUnchanged = version == self.version
        switch outcome {
        case .stored:
            if isUnchanged { settle() } else { base = version }
        case .held(let item):
            guard item.kind == kind, Self.isSound(item) else { return }
            if isUnchanged { return overwrite(with: item) }
            // The server's content is what was sent: the later edit is based on it.
            if item.content == sent { base = item.version }
            self.version = max(self.version, item.version + 1)
        case .deleted:
            // A later edit was not sent yet: it will be, and the server keeps it.
            guard isUnchanged else { return }
            content = nil
            settle()
        case .refused(let words):
            if isUnchanged { problem = words }
        }
    }

    /// Applies the server's change of an item that was not in the same request.
    package mutating func apply(_ item: NotebookItem) {
        guard item.kind == kind, Self.isSound(item) else { return }
        if item.content == content { return overwrite(with: item) }
        // The pending edit will be sent, and the server decides.
        guard !isPending else { return }
        if content != nil, item.version > version { return overwrite(with: item) }
        // The server has lost data: it gets the item again, or its deletion.
        isPending = true
    }

    /// Applies the server's deletion of an item that was not in the same request.
    package mutating func applyDeletion() {
        guard !isPending || content == nil else { return }
        content = nil
        settle()
    }

    /// Records that one of the item's pictures or files is at the server.
    /// - Parameter item: the server's item since then.
    /// - Parameter sent: the content with which the file was sent.
    /// - Parameter version: the version of that content. The item may have been edited since.
    package mutating func settle(upload item: NotebookItem, sent: NotebookContent, version: Int64) {
        guard item.kind == kind, Self.isSound(item) else { return }
        if version == self.version, !isPending { return overwrite(with: item) }
        guard case .place(var came) = item.content, case .place(let before) = sent else { return }
        let known = Set(before.files.map(\.file))
        let new = came.files.filter { !known.contains($0.file) }
        for file in new { came.drop(file.file) }
        // Only files were new there: the later edit is based on this version.
        if .place(came) == sent || item.content == sent { base = item.version }
        self.version = max(self.version, item.version + 1)
        guard case .place(var own) = content else { return }
        for (file, address, isPicture) in new {
            own.drop(file)
            if isPicture { own.imageURLs.append(address) } else { own.fileURL = address }
        }
        content = .place(own)
    }

    private mutating func settle() {
        isPending = false
        base = version
        problem = nil
    }

    private mutating func overwrite(with item: NotebookItem) {
        content = item.content
        version = item.version
        createdAt = item.createdAt
        updatedAt = item.updatedAt
        settle()
    }
}
