import TourJSON
import TourModel

/// A message that was stored and sent. Source: `Protocol/Schema/local-api.yaml`, `Sent`.
package struct SentMessage: Hashable, JSONObject {
    package var id: String
    /// Its sequence in our log.
    package var seq: UInt64
    package var status: MessageStatus

    package func appendJSON(to bytes: inout [UInt8]) {
        JSONObjectWriter.append(to: &bytes) { object in
            object.text("id", id)
            object.number("seq", seq)
            object.text("status", status.rawValue)
        }
    }
}
