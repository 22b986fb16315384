import Foundation
import TourModel
import TourNotebook

/// An item as a device sends it.
struct PushedItem: Sendable {
    var item: NotebookItem
    /// See `NotebookOrigin.base`.
    let base: Int64?
    /// Whether the item has the fields for pictures and the file of a saved place. A missing field changes nothing.
    let saysPictures: Bool
    let saysFile: Bool
    /// Whether the item referred to files that are not this server's.
    let namesOthers: Bool
    /// Seconds since 1970; nil where the app sends none.
    let createdAt: Int64?
    let updatedAt: Int64?
    /// The content in the database's form, for the case that the server changes nothing in it.
    let body: String

    private enum CodingKeys: String, CodingKey {
        case base = "base_version"
        case pictures = "image_urls"
        case file = "file_url"
    }

    /// Marks a time that was left out.
    private static let unsaid = Int64.min

    /// - Throws: `DecodingError` naming the field; a `Failure` for a value out of bounds.
    init(from decoder: any Decoder, kind: NotebookKind) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        base = try fields.decodeIfPresent(Int64.self, forKey: .base)
        saysPictures = fields.contains(.pictures)
        saysFile = fields.contains(.file)
        item = try NotebookItem(from: decoder, kind: kind, now: Self.unsaid)
        createdAt = item.createdAt == Self.unsaid ? nil : item.createdAt
        updatedAt = item.updatedAt == Self.unsaid ? nil : item.updatedAt
        guard (0...ServerLimits.itemVersionMax).contains(item.version) else {
            throw Failure.invalid(NotebookItem.versionField)
        }
        guard base.map({ (0...ServerLimits.itemVersionMax).contains($0) }) ?? true else {
            throw Failure.invalid(CodingKeys.base.rawValue)
        }
        try item.content.checked()
        let content = item.content.changingPlace { $0.keepFiles { _ in true } }
        namesOthers = content.savedPlace?.files.count != item.content.savedPlace?.addressCount
        item.content = content
        body = try NotebookBody.text(of: item.content)
    }
}

extension NotebookItem {
    fileprivate static let versionField = "sync_version"
}

/// One element of a list of items: the item, or why it is none.
struct DeltaEntry: Sendable {
    let kind: NotebookKind
    /// The index in its list, from 0.
    let index: Int
    let content: Result<PushedItem, Failure>
    /// The id; nil where it cannot be read. It may be readable although the item is not.
    let id: String?

    /// `bookmarks[3].title`.
    func field(_ name: String) -> String { "\(kind.rawValue)[\(index)].\(name)" }

    private struct ListKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }
        init(_ kind: NotebookKind) { stringValue = kind.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private struct Named: Decodable { var id: String? }

    /// The elements of all lists that the object has, in the order of `kinds`.
    /// - Throws: `DecodingError` for a field that is no list, never for an element.
    static func all(in decoder: any Decoder, kinds: [NotebookKind]) throws -> [DeltaEntry] {
        let fields = try decoder.container(keyedBy: ListKey.self)
        var entries = [DeltaEntry]()
        for kind in kinds {
            let key = ListKey(kind)
            guard fields.contains(key), try !fields.decodeNil(forKey: key) else { continue }
            var list = try fields.nestedUnkeyedContainer(forKey: key)
            while !list.isAtEnd {
                let index = list.currentIndex
                entries.append(DeltaEntry(try list.superDecoder(), kind: kind, index: index))
            }
        }
        return entries
    }

    private init(_ decoder: any Decoder, kind: NotebookKind, index: Int) {
        self.kind = kind
        self.index = index
        do {
            let pushed = try PushedItem(from: decoder, kind: kind)
            content = .success(pushed)
            id = pushed.item.id.text
        } catch let failure as Failure {
            let prefix = "\(kind.rawValue)[\(index)]."
            content = .failure(Failure(failure.code, field: failure.field.map { prefix + $0 }, cause: failure.cause))
            id = Self.id(decoder)
        } catch {
            content = .failure(Failure(reading: error))
            id = Self.id(decoder)
        }
    }

    private static func id(_ decoder: any Decoder) -> String? {
        guard let named = try? Named(from: decoder) else { return nil }
        return named.id.flatMap { NotebookID($0)?.text }
    }
}

extension NotebookContent {
    /// Applies the change to the saved place, if this is one or a lost edit of one.
    func changingPlace(_ change: (inout SavedPlace) -> Void) -> NotebookContent {
        switch self {
        case .place(var place):
            change(&place)
            return .place(place)
        case .lost(var edit):
            edit.item.content = edit.item.content.changingPlace(change)
            return .lost(edit)
        default: return self
        }
    }

    /// The saved place, if this is one or a lost edit of one.
    var savedPlace: SavedPlace? {
        switch self {
        case .place(let place): place
        case .lost(let edit): edit.item.content.savedPlace
        default: nil
        }
    }
}

extension SavedPlace {
    /// Keeps only the addresses of this server's files, as the database stores them: the path alone.
    mutating func keepFiles(_ isKept: (NotebookID) -> Bool) {
        imageURLs = imageURLs.compactMap { FileAddress($0) }.filter { isKept($0.id) }.map(\.path)
        fileURL = fileURL.flatMap { FileAddress($0) }.flatMap { isKept($0.id) ? $0.path : nil }
    }

    fileprivate var addressCount: Int { imageURLs.count + (fileURL == nil ? 0 : 1) }

    /// The files that the saved place refers to.
    var files: Set<NotebookID> {
        Set((imageURLs + [fileURL].compactMap(\.self)).compactMap { FileAddress($0)?.id })
    }
}
