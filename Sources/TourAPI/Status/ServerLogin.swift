import TourModel

/// How the node is logged in.
package struct ServerLogin: Encodable, JSONObject {
    /// The server's address.
    package var server: String
    /// The account that is logged in; nil after a code was sent.
    @Nullable package var account: String?
    /// A code is on its way to the phone.
    package var codeSent: Bool
}
