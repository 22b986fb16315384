import TourModel

/// Eight decimal digits that somebody reads aloud: the short secret of CPace on an ask link.
/// Source: `Protocol/14-asking.md`, "By digits".
package struct SpokenDigits: Hashable, Sendable, CustomStringConvertible {
    /// How many digits there are.
    package static let count = 8

    /// The digits without a space.
    package let text: String

    /// - Returns: nil unless there are eight digits; spaces and dashes between them do not matter.
    package init?(parsing text: String) {
        let digits = text.filter { $0 != "-" && !$0.isWhitespace }
        guard digits.utf8.count == Self.count, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        self.text = digits
    }

    /// New digits.
    package static func random() -> SpokenDigits {
        SpokenDigits(text: (0..<count).map { _ in String(randomDigit()) }.joined())
    }

    private init(text: String) { self.text = text }

    /// Bytes above 249 would make some digits likelier than others.
    private static func randomDigit() -> UInt8 {
        while true {
            if let byte = Randomness.bytes(1).first, byte < 250 { return byte % 10 }
        }
    }

    /// Two groups of four, as people read them.
    package var grouped: String { "\(text.prefix(4)) \(text.suffix(4))" }

    /// Keeps the digits out of logs.
    package var description: String { "spoken digits" }

    /// A run of CPace on an ask link.
    /// - Parameter handshakeHash: 64 bytes.
    package func run(handshakeHash: [UInt8], isAsker: Bool) -> CPace {
        CPace(inputs(handshakeHash: handshakeHash), isInitiator: isAsker)
    }

    /// - Parameter scalar: 32 bytes, drawn for this run alone.
    package func run(handshakeHash: [UInt8], isAsker: Bool, scalar: SecretBytes) -> CPace {
        CPace(inputs(handshakeHash: handshakeHash), isInitiator: isAsker, scalar: scalar)
    }

    private func inputs(handshakeHash: [UInt8]) -> CPace.Inputs {
        CPace.Inputs(
            prs: SecretBytes(Array(text.utf8)), ci: Array("tour-chat/1/ask-code".utf8), sid: handshakeHash,
            ada: Array("asker".utf8), adb: Array("member".utf8))
    }
}
