import TourJSON
import TourModel
import TourNotebook

extension Message {
    /// Appends the message as an object. Every key is always present, with null for no value, so that readers need
    /// not distinguish absent from empty; `metadata` has only the fields that apply. Source:
    /// `Protocol/Schema/local-api.yaml`.
    package func appendJSON(to bytes: inout [UInt8]) {
        JSONObjectWriter.append(to: &bytes) { object in
            object.text("id", id)
            object.text("tourID", tourID)
            object.text("authorID", authorID)
            object.text("authorName", authorName)
            object.text("authorNamesake", authorNamesake)
            object.text("authorRole", authorRole)
            object.number("seq", seq)
            object.text("type", type)
            object.text("content", content)
            object.object("metadata") { metadata.write(&$0) }
            object.text("sentAt", sentAt)
            object.text("receivedAt", receivedAt)
            object.text("status", status.rawValue)
            object.text("syncedAt", syncedAt)
            object.number("hops", hops)
            object.flag("mine", mine)
            object.flag("unread", unread)
            object.text("replyTo", replyTo)
        }
    }
}

extension Message: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(
            id: members["id"], tourID: members["tourID"], authorID: members["authorID"],
            authorName: members["authorName"], authorNamesake: members["authorNamesake"],
            authorRole: members["authorRole"], seq: members["seq"], type: members["type"],
            content: members["content"], metadata: members["metadata"], sentAt: members["sentAt"],
            receivedAt: members["receivedAt"], status: members["status"], syncedAt: members["syncedAt"],
            hops: members["hops"], mine: members["mine"], unread: members["unread"], replyTo: members["replyTo"])
        // Its parts stand among the metadata, and the type says which.
        let parts: Members = try members["metadata"]
        do {
            switch type {
            case "location", "alarm": metadata.location = parts.has("latitude") ? try parts.among() : nil
            case "image", "file": metadata.file = try parts.among()
            case "meeting": metadata.meeting = metadata.cleared == true ? nil : try parts.among()
            case "note", "place", "itinerary": metadata.shared = try parts.among()
            default: break
            }
        } catch {
            throw error.inside("metadata")
        }
    }
}

extension Message.Metadata: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(
            urgent: members["urgent"], expiresAt: members["expiresAt"], expired: members["expired"],
            clockWrong: members["clockWrong"], reason: members["reason"])
        syncedBy = try members["syncedBy"]
        cleared = try members["cleared"]
        alone = try members["alone"]
    }
}

extension Message.Location: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(fix: members.among(), label: members["label"])
    }
}

extension Message.Meeting: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(
            place: members.has("latitude") ? members.among() : nil, label: members["label"],
            meetAt: members["meetAt"], photo: members["photo"])
    }
}

extension Message.Shared: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        try self.init(
            record: members["record"], version: members["version"], isTakenBack: members["takenBack"] ?? false)
        (stops, url, changes) = try (members["stops"], members["url"], members["changes"])
        place = members.has("latitude") ? try members.among() : nil
    }
}

extension RecordDifference.Summary: JSONObject {
    package init(_ members: Members) throws(ContractError) {
        self.init()
        (stopsAdded, stopsRemoved, stopsMoved) = try (
            members["stopsAdded"], members["stopsRemoved"], members["stopsMoved"]
        )
        (stopsChanged, linesAdded, linesRemoved) = try (
            members["stopsChanged"], members["linesAdded"], members["linesRemoved"]
        )
        fields = try members["fields"]
    }
}

extension FileView {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        object.text("name", name)
        if let media { object.text("media", media) }
        object.number("size", size)
        if let caption { object.text("caption", caption) }
        if let width { object.number("width", width) }
        if let height { object.number("height", height) }
        object.flag("complete", complete)
        object.number("have", have)
        if let thumbnail { object.text("thumbnail", thumbnail) }
    }
}

extension Message.Metadata {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        if let urgent { object.flag("urgent", urgent) }
        if let expiresAt { object.text("expiresAt", expiresAt) }
        if let expired { object.flag("expired", expired) }
        if let clockWrong { object.flag("clockWrong", clockWrong) }
        if let syncedBy { object.text("syncedBy", syncedBy) }
        location?.write(&object)
        file?.write(&object)
        meeting?.write(&object)
        shared?.write(&object)
        if let cleared { object.flag("cleared", cleared) }
        if let reason { object.text("reason", reason.rawValue) }
        if let alone {
            object.object("alone") {
                $0.text("memberID", alone.memberID)
                $0.text("name", alone.name)
            }
        }
    }
}

extension Message.Location {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        fix.write(&object)
        if let label { object.text("label", label) }
    }
}

extension Message.Meeting {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        if let place {
            object.number("latitude", text: place.latitudeText)
            object.number("longitude", text: place.longitudeText)
        }
        if let label { object.text("label", label) }
        if let meetAt { object.text("meetAt", meetAt) }
        if let photo { object.object("photo") { photo.write(&$0) } }
    }
}

extension Message.Shared {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        object.text("record", record)
        object.number("version", version)
        if isTakenBack { object.flag("takenBack", true) }
        if let stops { object.number("stops", stops) }
        if let url { object.text("url", url) }
        if let place {
            object.number("latitude", text: place.latitudeText)
            object.number("longitude", text: place.longitudeText)
        }
        if let changes { object.object("changes") { changes.write(&$0) } }
    }
}

extension RecordDifference.Summary {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        object.number("stopsAdded", stopsAdded)
        object.number("stopsRemoved", stopsRemoved)
        object.number("stopsMoved", stopsMoved)
        object.number("stopsChanged", stopsChanged)
        object.number("linesAdded", linesAdded)
        object.number("linesRemoved", linesRemoved)
        object.texts("fields", fields)
    }
}
