import Foundation
import ServerBase
import TourModel
import TourNotebook

/// The address of a notebook's file. The database stores the path alone, so that the server's name may change; answers
/// carry the name under which the client reached the server.
package struct FileAddress: Hashable, Sendable {
    static let folder = "/api/v1/files/"

    let id: NotebookID

    package init(_ id: NotebookID) { self.id = id }

    /// - Parameter text: an address of any host, or the path alone; what is behind a question mark does not count.
    init?(_ text: String) {
        guard let place = text.range(of: Self.folder, options: .backwards),
            let id = NotebookID(text[place.upperBound...].prefix { $0 != "?" })
        else { return nil }
        self.id = id
    }

    /// The path, without a host.
    package var path: String { Self.folder + id.text }

    /// The files that an item refers to.
    static func files(in item: NotebookRow) throws(Failure) -> Set<NotebookID> {
        // Nearly all items refer to no file, and need not be decoded.
        guard item.body.contains(folder) else { return [] }
        return try item.content().savedPlace?.files ?? []
    }
}
