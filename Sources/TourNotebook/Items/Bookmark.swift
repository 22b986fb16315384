import TourModel

/// A saved place or link. Source: seed 001, `CloudBookmark`.
package struct Bookmark: Hashable, Sendable {
    /// What an app called it before it had its id; kept for the app.
    package var localID: NotebookID?
    /// One that is not there (any more) is as none.
    package var categoryID: NotebookID?
    package var title: String
    /// A link, or for a place `geo:LAT,LON` (RFC 5870).
    package var url: String?
    package var note: String?
    /// Where it came from, as the app says: `manual`, `import`, `share`.
    package var source: String
    package var isRead: Bool
    package var isFavorite: Bool
    package var tags: [String]
    /// Pictures and a file at the server. What a device adds is not among them before it was sent.
    package var imageURLs: [String]
    package var fileURL: String?

    package init(
        localID: NotebookID? = nil, categoryID: NotebookID? = nil, title: String, url: String? = nil,
        note: String? = nil, source: String = "manual", isRead: Bool = false, isFavorite: Bool = false,
        tags: [String] = [], imageURLs: [String] = [], fileURL: String? = nil
    ) {
        self.localID = localID
        self.categoryID = categoryID
        self.title = title
        self.url = url
        self.note = note
        self.source = source
        self.isRead = isRead
        self.isFavorite = isFavorite
        self.tags = tags
        self.imageURLs = imageURLs
        self.fileURL = fileURL
    }

    /// Where it is, if its address says so.
    package var coordinate: Coordinate? { url.flatMap { GeoAddress($0)?.coordinate } }

    func check() throws(NotebookFault) {
        try NotebookFault.checkName(title, "title", Limits.notebookTitleBytesMax)
        try NotebookFault.check(url, "url", Limits.notebookURLBytesMax)
        try NotebookFault.check(note, "note", Limits.notebookTextBytesMax)
        try NotebookFault.check(source, "source", Limits.notebookWordBytesMax)
        guard tags.count <= Limits.notebookTagsMax else {
            throw .tooLong(field: "tags", max: Limits.notebookTagsMax)
        }
        for tag in tags { try NotebookFault.checkName(tag, "tags", Limits.notebookWordBytesMax) }
        guard imageURLs.count <= Limits.notebookPicturesMax else {
            throw .tooLong(field: "image_urls", max: Limits.notebookPicturesMax)
        }
        for url in imageURLs { try NotebookFault.check(url, "image_urls", Limits.notebookURLBytesMax) }
        try NotebookFault.check(fileURL, "file_url", Limits.notebookURLBytesMax)
    }
}

extension Bookmark: Codable {
    package enum CodingKeys: String, CodingKey {
        case title, url, note, source, tags
        case localID = "local_id"
        case categoryID = "category_id"
        case isRead = "is_read"
        case isFavorite = "is_favorite"
        case imageURLs = "image_urls"
        case fileURL = "file_url"
    }

    /// What the seed's app may leave out, or sends as null, is as it is in a new one.
    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            localID: try fields.decodeIfPresent(NotebookID.self, forKey: .localID),
            categoryID: try fields.decodeIfPresent(NotebookID.self, forKey: .categoryID),
            title: try fields.decode(String.self, forKey: .title),
            url: try fields.decodeIfPresent(String.self, forKey: .url),
            note: try fields.decodeIfPresent(String.self, forKey: .note),
            source: try fields.decodeIfPresent(String.self, forKey: .source) ?? "manual",
            isRead: try fields.decodeIfPresent(Bool.self, forKey: .isRead) ?? false,
            isFavorite: try fields.decodeIfPresent(Bool.self, forKey: .isFavorite) ?? false,
            tags: try fields.decodeIfPresent([String].self, forKey: .tags) ?? [],
            imageURLs: try fields.decodeIfPresent([String].self, forKey: .imageURLs) ?? [],
            fileURL: try fields.decodeIfPresent(String.self, forKey: .fileURL))
    }
}
