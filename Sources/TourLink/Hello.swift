import TourCrypto
import TourModel

/// The first frame: it shows which secret the initiator holds without revealing it. Source: `Protocol/03-handshake.md`,
/// "Hello".
///
/// ```
/// offset size
///      0    1  version (1)
///      1   16  random salt
///     17   16  first 16 bytes of K(psk, "hello", salt)
/// ```
package struct Hello: Hashable, Sendable {
    /// The protocol version in the first byte.
    package static let version: UInt8 = 1
    /// The salt's length in bytes.
    package static let saltLength = 16
    /// A hello's length in bytes.
    package static let length = 33
    private static let prologuePrefix = Array("tour-chat/1".utf8)

    /// The exact bytes.
    package let bytes: [UInt8]

    package init(secret: SecretBytes, salt: [UInt8]) {
        precondition(salt.count == Self.saltLength, "a hello's salt has 16 bytes")
        bytes = [Self.version] + salt + Self.tag(secret, salt)
    }

    /// A salt for a new hello. Machines get it as an argument, so that they can be replayed.
    package static func randomSalt() -> [UInt8] { Randomness.bytes(saltLength) }

    /// - Throws: `malformed` for a wrong length, `unknownVersion` (scope link).
    package init(decoding bytes: [UInt8]) throws(LinkFault) {
        guard let version = bytes.first else { throw .malformed }
        guard version == Self.version else { throw .unknownVersion }
        guard bytes.count == Self.length else { throw .malformed }
        self.bytes = bytes
    }

    /// The random salt.
    package var salt: ArraySlice<UInt8> { bytes[1...Self.saltLength] }

    /// The bytes that both sides mix into the handshake before its first message.
    package var prologue: [UInt8] { Self.prologuePrefix + bytes }

    /// Whether this hello was made with `secret`; costs one hash.
    package func matches(_ secret: SecretBytes) -> Bool {
        bytes[(1 + Self.saltLength)...].elementsEqual(Self.tag(secret, Array(salt)))
    }

    private static func tag(_ secret: SecretBytes, _ salt: [UInt8]) -> [UInt8] {
        Array(Hash.tag(secret, .hello, salt).bytes.prefix(16))
    }
}
