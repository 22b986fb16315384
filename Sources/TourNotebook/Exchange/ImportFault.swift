/// Why a whole file is not taken; scope: this file. What is wrong with single entries of it is in
/// `ImportedNotebook.skipped`.
package enum ImportFault: Error, Hashable, Sendable {
    /// Not UTF-8, or no such format at all.
    case unreadable
    /// It ends in the middle, or breaks the rules of its format; the line, from 1, where that shows.
    case malformed(line: Int)
    /// A table whose first line does not say which column holds the titles.
    case noHeader
    /// XML that declares entities, which can grow without bound, or nests deeper than any list of places does.
    case notAllowed
    /// More entries than a notebook holds.
    case tooMany
    /// A document of a later version.
    case newer
    /// The library that reads XML is not installed.
    case noParser
}

extension ImportFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unreadable: "this is no such file: its text is not UTF-8, or says something else"
        case .malformed(let line): "the file is damaged or cut short (line \(line))"
        case .noHeader: "the first line has to name the columns, one of them “title”"
        case .notAllowed: "the file declares entities or nests without end: it is no list of places"
        case .tooMany: "the file holds more than a notebook does"
        case .newer: "the file was written by a later version: update tour-chat"
        case .noParser: "libexpat.so.1 is missing, which reads such files: install libexpat1"
        }
    }
}

extension NotebookFault {
    /// In words for whoever wrote it: `title: longer than 1024 bytes`.
    package var reason: String {
        switch self {
        case .tooLong(let field, let max) where Self.lists.contains(field): "\(field): more than \(max)"
        case .tooLong(let field, let max): "\(field): longer than \(max) bytes"
        case .empty(let field): "\(field): empty"
        case .notAllowed(let field): "\(field): cannot be that"
        }
    }

    private static let lists: Set = ["samples", "tags", "image_urls"]
}
