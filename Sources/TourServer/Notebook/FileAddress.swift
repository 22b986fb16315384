import Foundation
import TourNotebook

/// Where a file of a notebook is fetched. The storage holds the path alone, so that the server may get another name;
/// what goes out has the name under which the client asked.
struct FileAddress: Hashable, Sendable {
    static let folder = "/api/v1/files/"

    let id: NotebookID

    init(_ id: NotebookID) { self.id = id }

    /// - Parameter text: an address of any host, or the path alone.
    init?(_ text: String) {
        guard let place = text.range(of: Self.folder, options: .backwards),
            let id = NotebookID(text[place.upperBound...])
        else { return nil }
        self.id = id
    }

    var path: String { Self.folder + id.text }

    /// The files that an item names.
    static func files(in item: NotebookRow) throws(Failure) -> Set<NotebookID> {
        // Nearly all items name none, and need not be read.
        guard item.body.contains(folder) else { return [] }
        return try item.content().bookmark?.files ?? []
    }
}
