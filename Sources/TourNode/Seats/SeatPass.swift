import TourCrypto
import TourModel

/// The secret in the QR code of a device that gives seats, and the eight digits beside it: who has either may come in.
/// Source: `Protocol/15-seats.md`, "Pass".
package struct SeatPass: Equatable, Sendable {
    /// The length in bytes.
    package static let secretBytes = 16

    /// The secret.
    package let secret: [UInt8]
    /// How many it still lets in.
    package private(set) var usesLeft: Int
    /// When it ends, in milliseconds since 1970.
    package let endsAt: Int64
    /// What guests type who cannot scan.
    package let digits: SpokenDigits
    /// How many wrong digits it still takes, of everybody together.
    package private(set) var digitTriesLeft: Int

    /// A new pass.
    package init(uses: Int, endsAt: Int64) {
        self.init(
            secret: Randomness.bytes(Self.secretBytes), uses: uses, endsAt: endsAt, digits: .random(),
            digitTries: SeatLimits.digitTriesMax)
    }

    private init(secret: [UInt8], uses: Int, endsAt: Int64, digits: SpokenDigits, digitTries: Int) {
        self.secret = secret
        usesLeft = uses
        self.endsAt = endsAt
        self.digits = digits
        digitTriesLeft = digitTries
    }

    /// Whether the digits let nobody in any more: too many wrong ones were typed. The secret still does.
    package var areDigitsSpent: Bool { digitTriesLeft <= 0 }

    /// Gives the secret to somebody who typed the digits. A wrong try counts, whoever made it.
    package mutating func secret(for typed: SpokenDigits, wallMilliseconds: Int64) throws(NodeError) -> [UInt8] {
        guard wallMilliseconds < endsAt else { throw .seat(.passExpired) }
        guard usesLeft > 0 else { throw .seat(.passUsedUp) }
        guard !areDigitsSpent else { throw .seat(.digitsSpent) }
        guard SecretBytes(Array(typed.text.utf8)) == SecretBytes(Array(digits.text.utf8)) else {
            digitTriesLeft -= 1
            throw .seat(areDigitsSpent ? .digitsSpent : .wrongDigits)
        }
        return secret
    }

    /// Lets one in.
    package mutating func use(_ shown: [UInt8], wallMilliseconds: Int64) throws(NodeError) {
        guard SecretBytes(shown) == SecretBytes(secret) else { throw .seat(.badPass) }
        guard wallMilliseconds < endsAt else { throw .seat(.passExpired) }
        guard usesLeft > 0 else { throw .seat(.passUsedUp) }
        usesLeft -= 1
    }

    /// Whoever was let in did not come in after all.
    package mutating func giveBack() { usesLeft += 1 }

    /// The bytes to store: secret, uses, end, digits, tries.
    package var stored: [UInt8] {
        secret + Self.bytes(UInt64(usesLeft)) + Self.bytes(UInt64(clamping: endsAt)) + Array(digits.text.utf8)
            + Self.bytes(UInt64(digitTriesLeft))
    }

    /// Earlier versions stored no digits.
    private static let bytesWithoutDigits = secretBytes + 16

    /// - Returns: nil for other bytes than `stored`.
    package init?(stored bytes: [UInt8]) {
        let head = Self.bytesWithoutDigits
        guard bytes.count == head || bytes.count == head + SpokenDigits.count + 8 else { return nil }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        var (digits, tries) = (SpokenDigits.random(), SeatLimits.digitTriesMax)
        if bytes.count > head {
            let text = String(decoding: bytes[head..<head + SpokenDigits.count], as: UTF8.self)
            guard let stored = SpokenDigits(parsing: text) else { return nil }
            (digits, tries) = (stored, min(tries, Int(clamping: number(head + SpokenDigits.count))))
        }
        self.init(
            secret: Array(bytes.prefix(Self.secretBytes)), uses: Int(clamping: number(Self.secretBytes)),
            endsAt: Int64(clamping: number(Self.secretBytes + 8)), digits: digits, digitTries: tries)
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
