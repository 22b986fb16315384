import TourModel

/// Names the device with which a guest is.
package struct GuestHost: Encodable, Hashable, Sendable {
    package var memberID: String
    package var name: String
}
