import TourJSON
import TourModel
import TourNode
import TourNotebook

extension MessageView {
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

extension MessageView.Metadata {
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
    }
}

extension MessageView.Location {
    fileprivate func write(_ object: inout JSONObjectWriter) {
        fix.write(&object)
        if let label { object.text("label", label) }
    }
}

extension MessageView.Meeting {
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

extension MessageView.Shared {
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
