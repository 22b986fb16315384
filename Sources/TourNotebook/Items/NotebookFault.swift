/// Why something is no item of a notebook; scope: this item. The field is named as JSON names it.
package enum NotebookFault: Error, Hashable, Sendable {
    /// In bytes of UTF-8, or in elements of a list.
    case tooLong(field: String, max: Int)
    case empty(field: String)
    /// No such value: a place beyond the poles, a colour that is none, the same stop twice.
    case notAllowed(field: String)

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
        // The database and the printer would end the text there.
        guard !text.utf8.contains(0) else { throw .notAllowed(field: field) }
    }

    /// - Throws: `empty`, where there is nothing to see; `tooLong`.
    static func checkName(_ text: String, _ field: String, _ bytesMax: Int) throws(NotebookFault) {
        guard text.contains(where: { !$0.isWhitespace }) else { throw .empty(field: field) }
        try check(text, field, bytesMax)
    }
}
