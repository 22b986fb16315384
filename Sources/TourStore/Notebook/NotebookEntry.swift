import TourModel
import TourNotebook

/// An item of the notebook, and how it stands with the server.
package struct NotebookEntry: Hashable, Sendable {
    package var item: NotebookItem
    /// Something of it is not at the server yet.
    package var isPending: Bool
    /// Why the server does not take it, in its words.
    package var problem: String?
    /// Pictures and files, those that are at the server alone among them.
    package var files: [NotebookAttachment]

    package init(item: NotebookItem, isPending: Bool, problem: String?, files: [NotebookAttachment]) {
        self.item = item
        self.isPending = isPending
        self.problem = problem
        self.files = files
    }
}

/// A picture or file of a saved place.
package struct NotebookAttachment: Hashable, Sendable {
    package enum Role: String, Codable, Sendable {
        case picture, file
    }

    package var id: NotebookID
    package var role: Role
    /// For people; empty where it is not known.
    package var name: String
    /// As in `Content-Type`; empty where it is not known.
    package var media: String
    /// How many there are; 0 while none are on this device.
    package var bytes: Int
    /// Where the server has it; nil before it does.
    package var url: String?

    package init(id: NotebookID, role: Role, name: String, media: String, bytes: Int, url: String? = nil) {
        self.id = id
        self.role = role
        self.name = name
        self.media = media
        self.bytes = bytes
        self.url = url
    }
}

/// One change of the notebook, made here.
package enum NotebookEdit: Sendable {
    case put(NotebookID, NotebookContent)
    /// A stop leaves every itinerary. What is not there is passed over.
    case delete(NotebookID)
    /// To a saved place. A file takes the place of the one before it.
    case attach(NotebookID, NotebookAttachment, [UInt8])
    case detach(NotebookID, attachment: NotebookID)
}
