import TourModel
import TourNotebook

/// An id as clients of seed 000 write it: what kind of thing it is, and 32 digits.
enum ResourceName {
    static func text(_ item: NotebookItem) -> String { (prefix(of: item.kind) ?? "") + item.id.digits }

    static func sample(_ id: NotebookID) -> String { "sample_" + id.digits }

    static func user(_ id: NotebookID) -> String { "user_" + id.digits }

    /// - Returns: nil for what names no thing of that kind.
    static func id(_ text: String, _ kind: NotebookKind) -> NotebookID? {
        guard let prefix = prefix(of: kind), text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count)
        return digits.utf8.count == 32 ? NotebookID(digits) : nil
    }

    private static func prefix(of kind: NotebookKind) -> String? {
        switch kind {
        case .collection: "col_"
        case .sample: "sample_"
        case .note, .bookmark, .category, .lost: nil
        }
    }
}

extension NotebookID {
    /// For what is made here.
    static func fresh() -> NotebookID {
        var system = SystemRandomNumberGenerator()
        return .random(using: &system)
    }
}

extension SQL {
    /// The caller's own thing of that name.
    /// - Parameter field: where the name stood in the request; nil in its path.
    /// - Throws: `notFound`; `forbidden` for what is somebody else's.
    func owned(
        _ name: String, _ kind: NotebookKind, of account: Int64, field: String? = nil
    ) throws(Failure) -> StoredItem {
        guard let id = ResourceName.id(name, kind) else { throw Failure(.notFound, field: field) }
        let held = try notebookItem(id, of: account)
        if let held, !held.isDeleted, held.item.kind == kind { return held }
        guard held == nil, try notebookOwner(of: id, kind) != nil else { throw Failure(.notFound, field: field) }
        throw Failure(.forbidden, field: field)
    }
}
