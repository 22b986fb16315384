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

extension NotebookFault {
    /// The most is a number of elements, not of bytes.
    package var isOfList: Bool { Self.lists.contains(field) }

    private static let lists: Set = ["samples", "tags", "image_urls"]
}
