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
