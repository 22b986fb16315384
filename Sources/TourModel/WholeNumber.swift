/// A whole number in JSON. For a number with a fraction, or out of range, `Int` itself would make Foundation's decoder
/// call the whole document bad, without the field.
package struct WholeNumber: Decodable, Sendable {
    /// The number.
    package let value: Int64

    /// - Throws: `DecodingError`, naming the field.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let value = try? container.decode(Int64.self) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no whole number")
        }
        self.value = value
    }
}
