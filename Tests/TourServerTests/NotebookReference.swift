import TourModel
import TourNotebook

/// What a notebook must be in the end, told from what people did and saw, without versions, stamps or a server.
///
/// Every edit that somebody makes has a number of its own, which is the title of what it leaves.
struct NotebookReference {
    /// The edits, and the items that they were made on; what is restored is on two.
    private(set) var homes: [Int: Set<NotebookID>] = [:]
    /// Edits over which somebody wrote, or which somebody deleted or dismissed, who had them in front of him.
    private(set) var seen: Set<Int> = []
    private(set) var created: Set<NotebookID> = []
    private(set) var deleted: Set<NotebookID> = []
    private var last = 0

    /// An edit that nobody has made yet.
    mutating func nextEdit() -> Int {
        last += 1
        return last
    }

    /// Somebody wrote it.
    /// - Parameter before: what the item was on that device, as its title says; nil where there was none.
    mutating func wrote(_ edit: Int, on id: NotebookID, over before: NotebookContent?) {
        homes[edit, default: []].insert(id)
        if before == nil, !deleted.contains(id) { created.insert(id) }
        if let before = before.flatMap(Self.edit), before != edit { seen.insert(before) }
    }

    /// Somebody deleted it, or dismissed what was lost.
    mutating func deleted(_ id: NotebookID, _ content: NotebookContent) {
        deleted.insert(id)
        if let edit = Self.edit(of: content) { seen.insert(edit) }
    }

    /// Somebody made what was lost a new item.
    mutating func restored(_ lost: NotebookID, as id: NotebookID, _ content: NotebookContent) {
        deleted.insert(lost)
        created.insert(id)
        if let edit = Self.edit(of: content) { homes[edit, default: []].insert(id) }
    }

    static func edit(of content: NotebookContent) -> Int? { Int(content.title) }

    /// What is wrong with the end, in words; empty when all is well.
    /// - Parameter items: what all devices have.
    func faults(in items: [NotebookItem]) -> [String] {
        var faults: [String] = []
        let live = items.filter { $0.kind != .lost }
        let there = Set(live.map(\.id))
        for id in there.intersection(deleted) { faults.append("\(id) was deleted and is back") }
        for id in there.subtracting(created) { faults.append("\(id) was never made") }
        for id in created.subtracting(deleted).subtracting(there) { faults.append("\(id) is gone") }
        for item in items where (try? item.content.check()) == nil { faults.append("\(item.id) is no sound item") }
        for item in live {
            guard let edit = Self.edit(of: item.content), homes[edit]?.contains(item.id) == true else {
                faults.append("\(item.id) says what nobody wrote on it: \(item.content.title)")
                continue
            }
        }
        let current = Set(items.compactMap { Self.edit(of: $0.content) })
        for edit in Set(homes.keys).subtracting(current).subtracting(seen) {
            faults.append("edit \(edit) is lost, and nobody saw it")
        }
        return faults
    }
}
