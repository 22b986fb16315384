import TourCrypto
import TourModel

/// The secret in the QR code of a device that gives seats: who has it may come in.
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

    /// A new pass.
    package init(uses: Int, endsAt: Int64) {
        self.init(secret: Randomness.bytes(Self.secretBytes), uses: uses, endsAt: endsAt)
    }

    private init(secret: [UInt8], uses: Int, endsAt: Int64) {
        self.secret = secret
        usesLeft = uses
        self.endsAt = endsAt
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

    /// The bytes to store: secret, uses, end.
    package var stored: [UInt8] {
        secret + Self.bytes(UInt64(usesLeft)) + Self.bytes(UInt64(clamping: endsAt))
    }

    /// - Returns: nil for other bytes than `stored`.
    package init?(stored bytes: [UInt8]) {
        guard bytes.count == Self.secretBytes + 16 else { return nil }
        func number(_ start: Int) -> UInt64 { bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(
            secret: Array(bytes.prefix(Self.secretBytes)), uses: Int(clamping: number(Self.secretBytes)),
            endsAt: Int64(clamping: number(Self.secretBytes + 8)))
    }

    private static func bytes(_ value: UInt64) -> [UInt8] {
        stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
