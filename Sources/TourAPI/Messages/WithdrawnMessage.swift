import TourModel

/// A withdrawal that was sent.
package struct WithdrawnMessage: Encodable, JSONObject {
    package var id: String
    /// How far the withdrawal has come.
    package var status: MessageStatus
}
