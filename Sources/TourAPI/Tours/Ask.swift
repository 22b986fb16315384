import TourModel

/// What this node asks to be let into. Source: `Protocol/Schema/local-api.yaml`, `Ask`.
package struct Ask: Encodable, Hashable, JSONObject {
    /// `none`, `connecting`, `waiting`, `admitted`, `refused` or `joining`.
    package var state: String
    @Nullable package var label: String?
    /// To be compared with the member's screen.
    @Nullable package var words: [String]?
    /// What the tour is called, as the other side says.
    @Nullable package var tour: String?
    /// Why nobody let us in, as a word for programs.
    @Nullable package var refusal: String?
    /// The same for the reader.
    @Nullable package var sentence: String?
    @Nullable package var secondsLeft: Int?
}
