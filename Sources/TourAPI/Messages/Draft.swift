import TourJSON
import TourModel

/// A message that the user wants to send. Source: `Protocol/Schema/local-api.yaml`, `Draft`.
package struct Draft: Hashable, Sendable {
    /// The text; for a location its label, which may be empty.
    package var text: String
    /// A position to send instead of a text.
    package var location: Fix?
    /// Whether it is an announcement, which only leaders may send.
    package var isAnnouncement: Bool
    /// The id of the message that it replies to.
    package var replyTo: String?
    /// Whether everybody is asked to confirm it.
    package var urgent: Bool
    /// Its only readers: `guides`, or of a guide's draft a member's name or id; nil: everybody.
    package var alone: String?
    /// After how many seconds it stops mattering; nil: never, or if it is urgent after four hours.
    package var expiresSeconds: Int64?
    /// The id of a message of our own that it stands for from now on: that one is withdrawn with it.
    package var replaces: String?

    package init(
        text: String, isAnnouncement: Bool = false, replyTo: String? = nil, urgent: Bool = false,
        expiresSeconds: Int64? = nil, location: Fix? = nil, replaces: String? = nil, alone: String? = nil
    ) {
        (self.text, self.isAnnouncement, self.replyTo) = (text, isAnnouncement, replyTo)
        (self.urgent, self.expiresSeconds, self.location) = (urgent, expiresSeconds, location)
        (self.replaces, self.alone) = (replaces, alone)
    }
}

extension Draft: JSONObject {
    /// - Throws: for `type` also for a kind of message that this version cannot write: sent as text it would mean
    ///   something else.
    package init(_ members: Members) throws(ContractError) {
        let type: String = try members["type"] ?? "text"
        guard ["text", "announcement", "location"].contains(type) else { throw ContractError("type") }
        let location: Fix? = type == "location" ? try members["location"] : nil
        guard type != "location" || location != nil else { throw ContractError("location", .missing) }
        let content: String? = try members["content"]
        guard let text = content ?? (location == nil ? nil : "") else { throw ContractError("content", .missing) }
        try self.init(
            text: text, isAnnouncement: type == "announcement", replyTo: members["replyTo"],
            urgent: members["urgent"] ?? false, expiresSeconds: members["expiresSeconds"], location: location,
            replaces: members["replaces"], alone: members["alone"])
    }

    /// The draft as a request says it.
    package var json: JSON {
        let type = location != nil ? "location" : isAnnouncement ? "announcement" : "text"
        var members = [JSONMember(name: "content", value: .text(text)), JSONMember(name: "type", value: .text(type))]
        if let location { members.append(JSONMember(name: "location", value: location.json)) }
        if let replyTo { members.append(JSONMember(name: "replyTo", value: .text(replyTo))) }
        if let replaces { members.append(JSONMember(name: "replaces", value: .text(replaces))) }
        if let alone { members.append(JSONMember(name: "alone", value: .text(alone))) }
        if isAnnouncement { members.append(JSONMember(name: "urgent", value: .flag(urgent))) }
        if let expiresSeconds {
            members.append(JSONMember(name: "expiresSeconds", value: .number(String(expiresSeconds))))
        }
        return .object(members)
    }
}
