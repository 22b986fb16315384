import TourModel

/// The owner's view of the seats that this device gives. Shape: `Protocol/Schema/local-api.yaml`.
package struct SeatsView: Encodable, JSONObject {
    /// Whether this device gives seats.
    package var on: Bool
    /// Whether a guide allows it, or the owner is one.
    package var mayGive: Bool
    /// The most guests at a time.
    package var max: Int
    /// The address behind the QR code; nil while there is none.
    @Nullable package var link: String?
    /// The same by http, for phones that do not find the name in `link`; nil where `link` is by http.
    @Nullable package var plainLink: String?
    /// The eight digits that let in who types the address; nil while no guests are let in, or too many wrong ones
    /// were typed.
    @Nullable package var digits: String?
    /// How many the code still lets in.
    package var usesLeft: Int
    /// How long the code holds.
    package var secondsLeft: Int64
    /// The guests of this device, by name; those who are with another one now are not among them.
    package var guests: [Guest]
    /// The devices in the tour that give seats, or may.
    package var hosts: [Host]

    /// A guest.
    package struct Guest: Encodable, JSONObject {
        package var memberID: String
        package var name: String
        /// Whether the phone is here now.
        package var here: Bool
    }

    /// A member who gives seats, or may.
    package struct Host: Encodable, JSONObject {
        package var memberID: String
        package var name: String
        /// How many guests are with it.
        package var guests: Int
        /// Whether it may give more.
        package var mayGive: Bool
    }
}
