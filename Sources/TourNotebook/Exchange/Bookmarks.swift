import TourModel

/// The bookmarks of a browser, as the file that all of them export. Source: Microsoft Learn, "Netscape Bookmark File
/// Format".
package enum Bookmarks {
    /// - Throws: `unreadable` for another page, `tooMany`; addresses that no other program opens are listed as skipped.
    package static func read(_ bytes: [UInt8]) throws(ImportFault) -> ImportedNotebook {
        let text = try FileText(bytes)
        let page = String(decoding: text.utf8, as: UTF8.self)
        guard page.prefix(1_024).lowercased().contains("netscape-bookmark-file") else { throw .unreadable }
        var reader = BookmarkReader()
        reader.imported.remarks.isEncodingGuessed = text.isGuessed
        try reader.read(page)
        return reader.imported
    }
}

private struct BookmarkReader {
    var imported = ImportedNotebook()
    private var number = 0
    private var folders: [String] = []
    /// The name of the folder whose list comes next.
    private var next = ""
    private var mark: (address: String, tags: String?, title: String, note: String)?
    private var target = Target.nothing

    /// Where the text goes that is being read.
    private enum Target { case nothing, title, note, folder }

    private static let schemes: Set = ["http", "https", "geo", "mailto", "tel", "ftp"]

    mutating func read(_ page: String) throws(ImportFault) {
        var rest = page[...]
        while let open = rest.firstIndex(of: "<") {
            add(rest[..<open])
            rest = rest[open...]
            guard let tag = HTMLTag(&rest) else {
                add("<")
                rest = rest.dropFirst()
                continue
            }
            try begin(tag)
        }
        add(rest)
        finish()
    }

    private mutating func begin(_ tag: HTMLTag) throws(ImportFault) {
        switch tag.name {
        case "a":
            finish()
            number += 1
            guard number <= Limits.notebookItemsMax else { throw .tooMany }
            mark = (tag.attribute("href") ?? "", tag.attribute("tags"), "", "")
            target = .title
        case "h3":
            finish()
            (next, target) = ("", .folder)
        case "dd": target = mark == nil ? .nothing : .note
        case "dl":
            finish()
            folders.append(HTMLText.decoded(next).trimmed)
            next = ""
        case "/dl":
            finish()
            _ = folders.popLast()
        case "/a", "/h3", "/h1": target = .nothing
        case "br" where target == .note: add("\n")
        case "dt", "hr": finish()
        default: break
        }
    }

    private mutating func add(_ text: some StringProtocol) {
        switch target {
        case .nothing: break
        case .title: mark?.title += text
        case .note: mark?.note += text
        case .folder: next += text
        }
    }

    private mutating func finish() {
        target = .nothing
        guard let done = mark else { return }
        mark = nil
        let title = HTMLText.decoded(done.title).trimmed
        let address = done.address.trimmed
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard Self.schemes.contains(scheme), scheme.count < address.count else {
            return imported.skipped.append(.init(number: number, title: title, fault: .noAddress))
        }
        let note = HTMLText.decoded(done.note).trimmed
        let tags = done.tags.map { $0.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }
        let place = SavedPlace(
            title: title.isEmpty ? SavedPlace.title(for: address, nil) : title, url: address,
            note: note.isEmpty ? nil : note, source: "import", tags: tags ?? [])
        let path = folders.filter { !$0.isEmpty }
        var entry = ImportedNotebook.Entry(
            content: .place(place), category: path.isEmpty ? nil : path.joined(separator: " / "), number: number)
        entry.kept = [.localID, .files, .read, .favorite, .source]
        // Few browsers write these: what is missing here was not taken away there.
        if note.isEmpty { entry.kept.insert(.note) }
        if tags == nil { entry.kept.insert(.tags) }
        if path.isEmpty { entry.kept.insert(.category) }
        imported.add(entry)
    }
}
