/// Names the device with which a guest is.
package struct GuestHost: Encodable, Hashable, JSONObject {
    package var memberID: String
    package var name: String
}
