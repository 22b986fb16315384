import TourModel
import TourNotebook

/// An id in the form of seed 000: a prefix for the kind, and 32 hexadecimal digits.
enum ResourceName {
    static func text(_ item: NotebookItem) -> String { (prefix(of: item.kind) ?? "") + item.id.digits }

    static func stop(_ id: NotebookID) -> String { "sample_" + id.digits }

    static func user(_ id: NotebookID) -> String { "user_" + id.digits }

    /// - Returns: nil for a text that names no item of that kind.
    static func id(_ text: String, _ kind: NotebookKind) -> NotebookID? {
        guard let prefix = prefix(of: kind), text.hasPrefix(prefix) else { return nil }
        let digits = text.dropFirst(prefix.count)
        return digits.utf8.count == 32 ? NotebookID(digits) : nil
    }

    private static func prefix(of kind: NotebookKind) -> String? {
        switch kind {
        case .itinerary: "col_"
        case .stop: "sample_"
        case .note, .place, .category, .lost: nil
        }
    }
}

extension NotebookID {
    /// A random id for an item that the server creates.
    static func fresh() -> NotebookID {
        var system = SystemRandomNumberGenerator()
        return .random(using: &system)
    }
}

extension SQL {
    /// The caller's own item of that name, not deleted.
    /// - Parameter field: the request field with the name; nil for a name in the path.
    /// - Throws: `notFound`; `forbidden` for an item of another account.
    func owned(
        _ name: String, _ kind: NotebookKind, of account: Int64, field: String? = nil
    ) throws(Failure) -> NotebookItem {
        guard let id = ResourceName.id(name, kind) else { throw Failure(.notFound, field: field) }
        let held = try notebookRow(id, of: account)
        if let held, !held.isDeleted, held.kind == kind { return try held.item() }
        guard held == nil, try notebookOwner(of: id, kind) != nil else { throw Failure(.notFound, field: field) }
        throw Failure(.forbidden, field: field)
    }
}
