/// Why a value is no item of a notebook; scope: this item. The field has its JSON name.
package enum NotebookFault: Error, Hashable, Sendable {
    /// The field exceeds `max` bytes of UTF-8, or elements of a list.
    case tooLong(field: String, max: Int)
    /// The field is empty.
    case empty(field: String)
    /// The value is invalid: a place beyond the poles, an unknown colour, the same stop twice.
    case notAllowed(field: String)

    /// The field's name in JSON.
    package var field: String {
        switch self {
        case .tooLong(let field, _), .empty(let field), .notAllowed(let field): field
        }
    }
}

extension NotebookFault {
    /// - Throws: `tooLong`.
    static func check(_ text: String?, _ field: String, _ bytesMax: Int) throws(NotebookFault) {
        guard let text else { return }
        guard text.utf8.count <= bytesMax else { throw .tooLong(field: field, max: bytesMax) }
        // The database and the printer would end the text at a zero byte.
        guard !text.utf8.contains(0) else { throw .notAllowed(field: field) }
    }

    /// - Throws: `empty`, where nothing is visible; `tooLong`.
    static func checkName(_ text: String, _ field: String, _ bytesMax: Int) throws(NotebookFault) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty(field: field) }
        try check(text, field, bytesMax)
    }
}
