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
    private var path = FolderPath()
    /// The open lists inside the deepest folder that counts.
    private var passedOver = 0
    /// The name of the folder whose list comes next. Texts are kept as they are decoded, one byte above their limits at
    /// most.
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
            if passedOver > 0 || !path.open(next) { passedOver += 1 }
            next = ""
        case "/dl":
            finish()
            if passedOver > 0 { passedOver -= 1 } else { path.close() }
        case "/a", "/h3", "/h1": target = .nothing
        case "br" where target == .note: add("\n")
        case "dt", "hr": finish()
        default: break
        }
    }

    private mutating func add(_ text: some StringProtocol) {
        switch target {
        case .nothing: break
        case .title: mark?.title.add(html: text, bytesMax: Limits.notebookTitleBytesMax + 1)
        case .note: mark?.note.add(html: text, bytesMax: Limits.notebookTextBytesMax + 1)
        case .folder: next.add(html: text, bytesMax: Limits.notebookTitleBytesMax + 1)
        }
    }

    private mutating func finish() {
        target = .nothing
        guard let done = mark else { return }
        mark = nil
        let title = done.title.trimmed
        let address = done.address.trimmed
        let scheme = address.prefix { $0 != ":" }.lowercased()
        guard Self.schemes.contains(scheme), scheme.count < address.count else {
            return imported.skipped.append(.init(number: number, title: title, fault: .noAddress))
        }
        let note = done.note.trimmed
        let tags = done.tags.map { $0.split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } }
        let place = SavedPlace(
            title: title.isEmpty ? SavedPlace.title(for: address, nil) : title, url: address,
            note: note.isEmpty ? nil : note, source: "import", tags: tags ?? [])
        var entry = ImportedNotebook.Entry(content: .place(place), category: path.text, number: number)
        entry.kept = [.localID, .files, .read, .favorite, .source]
        // Few browsers write these: what is missing here was not taken away there.
        if note.isEmpty { entry.kept.insert(.note) }
        if tags == nil { entry.kept.insert(.tags) }
        if path.text == nil { entry.kept.insert(.category) }
        imported.add(entry)
    }
}

extension String {
    /// Appends the characters of a piece of a page, without blanks at the beginning, as far as there is room. A
    /// character that the end divides counts as its replacement, which is no shorter.
    fileprivate mutating func add(html piece: some StringProtocol, bytesMax: Int) {
        let room = bytesMax - utf8.count
        guard room > 0 else { return }
        let decoded = HTMLText.decoded(piece)
        let text = isEmpty ? decoded.drop(while: \.isWhitespace) : decoded[...]
        self += text.utf8.count <= room ? String(text) : String(decoding: text.utf8.prefix(room), as: UTF8.self)
    }
}
