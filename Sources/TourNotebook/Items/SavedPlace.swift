import TourModel

/// A saved place or link. Source: seed 001, `CloudBookmark`.
package struct SavedPlace: Hashable, Sendable {
    /// An app's name for it before it had its id; kept for the app.
    package var localID: NotebookID?
    /// The category; an id that is missing (any more) counts as none.
    package var categoryID: NotebookID?
    /// The title.
    package var title: String
    /// A link, or for a place `geo:LAT,LON` (RFC 5870).
    package var url: String?
    /// The user's note.
    package var note: String?
    /// The origin that the app states: `manual`, `import`, `share`.
    package var source: String
    /// Whether the user has read the link.
    package var isRead: Bool
    /// Whether it is a favourite.
    package var isFavorite: Bool
    /// The user's tags.
    package var tags: [String]
    /// The addresses of pictures at the server. Pictures that a device adds are listed only once they are sent.
    package var imageURLs: [String]
    /// The address of a file at the server, likewise.
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

    /// The position, if the address is a `geo:` address.
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

extension SavedPlace: Codable {
    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case title, url, note, source, tags
        case localID = "local_id"
        case categoryID = "category_id"
        case isRead = "is_read"
        case isFavorite = "is_favorite"
        case imageURLs = "image_urls"
        case fileURL = "file_url"
    }

    /// Missing or null fields get the values of a new place: the seed's app may omit them.
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
