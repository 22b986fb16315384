import TourModel

/// An item as a device keeps it, and what the device knows of the server's. Every change of one goes through here.
/// Source: `Protocol/12-notebook.md`, "On a device".
package struct LocalItem: Hashable, Sendable {
    package let id: NotebookID
    package let kind: NotebookKind
    /// Nil for what was deleted: only that is remembered.
    package var content: NotebookContent?
    package var version: Int64
    /// The server's version that the first of the edits not sent yet began from, 0 for none.
    package var base: Int64
    /// The last version that went out, whether an answer came or not; 0 for none.
    package var sent: Int64
    /// Whether the server has yet to hear of it.
    package var isPending: Bool
    /// Whole seconds since 1970, by the writer's clock.
    package var createdAt: Int64
    package var updatedAt: Int64
    /// Why the server does not take it, in its words.
    package var problem: String?

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

    /// One that was written here just now.
    package init(new content: NotebookContent, id: NotebookID, now seconds: Int64) {
        self.init(
            id: id, kind: content.kind, content: content, version: 1, base: 0, sent: 0, isPending: true,
            createdAt: seconds, updatedAt: seconds, problem: nil)
    }

    /// One that came from the server.
    /// - Returns: nil for what no server of this protocol sends.
    package init?(_ item: NotebookItem) {
        guard Self.isSound(item) else { return nil }
        self.init(
            id: item.id, kind: item.kind, content: item.content, version: item.version, base: item.version, sent: 0,
            isPending: false, createdAt: item.createdAt, updatedAt: item.updatedAt, problem: nil)
    }

    package var isDeleted: Bool { content == nil }

    /// - Returns: nil for what was deleted.
    package var item: NotebookItem? {
        content.map {
            NotebookItem(id: id, content: $0, version: version, createdAt: createdAt, updatedAt: updatedAt)
        }
    }

    private static func isSound(_ item: NotebookItem) -> Bool {
        guard (1...Limits.notebookVersionMax).contains(item.version) else { return false }
        return (try? item.content.check()) != nil
    }
}

// What somebody does here.
extension LocalItem {
    /// What was deleted here or elsewhere lives again on this device until the server says no: then it is kept as lost.
    /// - Parameter content: of the item's kind.
    package mutating func edit(_ content: NotebookContent, now seconds: Int64) {
        guard content.kind == kind, content != self.content else { return }
        begin(now: seconds)
        self.content = content
    }

    /// - Returns: false when nobody else ever heard of it, so that nothing is left to be remembered.
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

    /// It goes to another account, as something new there.
    package mutating func unlink() {
        base = 0
        sent = 0
        isPending = true
        problem = nil
    }

    /// The server lost what it had, or some of it: everything is told again.
    package mutating func tellAgain() { isPending = true }
}

/// What an answer says of one item that was sent.
package enum SentOutcome: Hashable, Sendable {
    /// It is there as it was sent.
    case stored
    /// The server has this in its place.
    case held(NotebookItem)
    /// It was deleted meanwhile, and stays so.
    case deleted
    /// The server does not take it, and says why.
    case refused(String)
}

// What an answer does.
extension LocalItem {
    /// - Parameter sent: its content as it went out; nil: its deletion did.
    /// - Parameter version: the version that went out. It may have been edited since.
    package mutating func settle(_ outcome: SentOutcome, sent: NotebookContent?, version: Int64) {
        let isUnchanged = version == self.version
        switch outcome {
        case .stored:
            if isUnchanged { settle() } else { base = version }
        case .held(let item):
            guard item.kind == kind, Self.isSound(item) else { return }
            if isUnchanged { return take(over: item) }
            // What came is what went out: the edit since then began from it.
            if item.content == sent { base = item.version }
            self.version = max(self.version, item.version + 1)
        case .deleted:
            // An edit since then was not sent: it is, and is kept by the server.
            guard isUnchanged else { return }
            content = nil
            settle()
        case .refused(let words):
            if isUnchanged { problem = words }
        }
    }

    /// Something changed at the server, and nothing of this item was sent in the same request.
    package mutating func take(_ item: NotebookItem) {
        guard item.kind == kind, Self.isSound(item) else { return }
        if item.content == content { return take(over: item) }
        // What is pending is sent, and the server judges.
        guard !isPending else { return }
        if content != nil, item.version > version { return take(over: item) }
        // The server has less than it had: it gets the rest again, what was deleted too.
        isPending = true
    }

    /// It was deleted at the server, and nothing of this item was sent in the same request.
    package mutating func takeDeletion() {
        guard !isPending || content == nil else { return }
        content = nil
        settle()
    }

    /// A picture or file of it came to be at the server.
    /// - Parameter item: what the server has since then.
    /// - Parameter sent: the content with which the file went out.
    /// - Parameter version: that content's. It may have been edited since.
    package mutating func settle(upload item: NotebookItem, sent: NotebookContent, version: Int64) {
        guard item.kind == kind, Self.isSound(item) else { return }
        if version == self.version, !isPending { return take(over: item) }
        guard case .bookmark(var came) = item.content, case .bookmark(let before) = sent else { return }
        let known = Set(before.files.map(\.file))
        let new = came.files.filter { !known.contains($0.file) }
        for file in new { came.drop(file.file) }
        // Nothing but files was new there: the edit since then began from it.
        if .bookmark(came) == sent || item.content == sent { base = item.version }
        self.version = max(self.version, item.version + 1)
        guard case .bookmark(var own) = content else { return }
        for (file, address, isPicture) in new {
            own.drop(file)
            if isPicture { own.imageURLs.append(address) } else { own.fileURL = address }
        }
        content = .bookmark(own)
    }

    private mutating func settle() {
        isPending = false
        base = version
        problem = nil
    }

    private mutating func take(over item: NotebookItem) {
        content = item.content
        version = item.version
        createdAt = item.createdAt
        updatedAt = item.updatedAt
        settle()
    }
}
