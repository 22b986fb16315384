import TourModel
import TourNotebook

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

    /// The number of pictures and files, wherever they are.
    var addressCount: Int { imageURLs.count + (fileURL == nil ? 0 : 1) }

    /// The files that the saved place refers to.
    var files: Set<NotebookID> {
        Set((imageURLs + [fileURL].compactMap(\.self)).compactMap { FileAddress($0)?.id })
    }
}
