import TourModel

/// A server's name for a picture or file of a saved place: the id at the end of its address. The host in the address is
/// the name by which the server was asked, and not part of the file's identity. Source: `Protocol/12-notebook.md`,
/// "Files".
package struct PlaceFile: Hashable, Sendable {
    /// The path before the id.
    package static let folder = "/api/v1/files/"

    /// The file's id at the server.
    package let id: NotebookID

    /// The file with this id.
    package init(id: NotebookID) { self.id = id }

    /// - Returns: nil for an address of another form.
    package init?(address: String) {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count >= 5, parts.suffix(4).dropLast() == ["api", "v1", "files"],
            let id = parts.last.flatMap({ NotebookID($0) })
        else { return nil }
        self.id = id
    }

    /// The path from the server's base.
    package var path: String { Self.folder + id.text }
}

extension SavedPlace {
    /// Pictures first, the file last, each with its address.
    package var files: [(file: PlaceFile, address: String, isPicture: Bool)] {
        let pictures = imageURLs.map { ($0, true) } + (fileURL.map { [($0, false)] } ?? [])
        return pictures.compactMap { address, isPicture in
            PlaceFile(address: address).map { ($0, address, isPicture) }
        }
    }

    /// Removes this picture or file from the place.
    package mutating func drop(_ file: PlaceFile) {
        imageURLs.removeAll { PlaceFile(address: $0) == file }
        if let address = fileURL, PlaceFile(address: address) == file { fileURL = nil }
    }
}
