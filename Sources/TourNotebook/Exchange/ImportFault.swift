/// Why a whole file is rejected; scope: this file. Faults of single entries are in `ImportedNotebook.skipped`.
package enum ImportFault: Error, Hashable, Sendable {
    /// No text, or another format.
    case unreadable
    /// XML that says that it is in an encoding that is not read, by its name there, at most 40 letters.
    case encoding(name: String)
    /// The file is truncated, or breaks the rules of its format; with the line, from 1, where that shows.
    case malformed(line: Int)
    /// A table whose first line names no column of titles.
    case noHeader
    /// XML that declares entities, which can expand without bound, or that nests more deeply than any list of places.
    case notAllowed
    /// More entries than a notebook holds.
    case tooMany
    /// A document of a later version.
    case newer
    /// The library that reads XML is not installed.
    case noParser
}

extension NotebookFault {
    /// Whether the maximum is a number of elements, not of bytes.
    package var isOfList: Bool { Self.lists.contains(field) }

    private static let lists: Set = ["samples", "tags", "image_urls"]
}
