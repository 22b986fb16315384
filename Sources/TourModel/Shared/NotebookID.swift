/// Names an item of a notebook on every device and at the server, and the shared record that is published of it: a
/// UUID, so that two devices without a network never choose the same.
/// Sources: RFC 9562; `Protocol/12-notebook.md`, "Shared records".
package struct NotebookID: Hashable, Comparable, Sendable {
    /// The first eight bytes, big-endian.
    package let high: UInt64
    /// The last eight bytes, big-endian.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Returns: nil unless there are sixteen bytes.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Parameter text: a UUID with its four dashes, or only its 32 digits, in either case.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        if bytes.count == 36 {
            let dashes = [8, 13, 18, 23]
            guard dashes.allSatisfy({ bytes[$0] == UInt8(ascii: "-") }) else { return nil }
            self.init(digits: bytes.enumerated().filter { !dashes.contains($0.offset) }.map(\.element))
        } else {
            self.init(digits: bytes)
        }
    }

    private init?(digits: [UInt8]) {
        guard digits.count == 32, let bytes = Hex.decode(String(decoding: digits, as: UTF8.self)) else { return nil }
        self.init(bytes)
    }

    /// A new id: version 4, variant 2.
    package static func random(using rng: inout some RandomNumberGenerator) -> NotebookID {
        NotebookID(
            high: rng.next() & 0xffff_ffff_ffff_0fff | 0x4000, low: rng.next() & (1 << 62 - 1) | 1 << 63)
    }

    /// The sixteen bytes.
    package var bytes: [UInt8] {
        (0..<16).map { UInt8(truncatingIfNeeded: ($0 < 8 ? high : low) >> UInt64(56 - $0 % 8 * 8)) }
    }

    /// The 32 digits, lower case, without dashes: the text after `col_` and `sample_`.
    package var digits: String { Hex.encode(bytes) }

    /// `8-4-4-4-12` digits, lower case.
    package var text: String {
        var text = digits
        for place in [20, 16, 12, 8] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
        return text
    }

    package static func < (left: NotebookID, right: NotebookID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension NotebookID: Codable {
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let id = NotebookID(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no UUID")
        }
        self = id
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension NotebookID: CustomStringConvertible {
    package var description: String { text }
}
