import TourModel

/// A category of saved places. Source: seed 001, `CloudCategory`.
package struct PlaceCategory: Hashable, Sendable {
    /// An app's name for it before it had its id; kept for the app.
    package var localID: NotebookID?
    /// The name.
    package var name: String
    /// An app's name for the icon.
    package var icon: String
    /// An app's name for the colour.
    package var color: String
    /// The position among the categories: lower numbers first, equal ones by name.
    package var order: Int

    package init(localID: NotebookID? = nil, name: String, icon: String, color: String, order: Int) {
        self.localID = localID
        self.name = name
        self.icon = icon
        self.color = color
        self.order = order
    }

    func check() throws(NotebookFault) {
        try NotebookFault.checkName(name, "name", Limits.notebookTitleBytesMax)
        try NotebookFault.check(icon, "icon", Limits.notebookWordBytesMax)
        try NotebookFault.check(color, "color", Limits.notebookWordBytesMax)
    }
}

extension PlaceCategory: Codable {
    /// The names in JSON.
    package enum CodingKeys: String, CodingKey {
        case name, icon, color, order
        case localID = "local_id"
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            localID: try fields.decodeIfPresent(NotebookID.self, forKey: .localID),
            name: try fields.decode(String.self, forKey: .name),
            icon: try fields.decodeIfPresent(String.self, forKey: .icon) ?? "",
            color: try fields.decodeIfPresent(String.self, forKey: .color) ?? "",
            order: try fields.decodeIfPresent(WholeNumber.self, forKey: .order).map { Int($0.value) } ?? 0)
    }
}
