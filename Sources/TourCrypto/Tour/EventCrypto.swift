import TourModel

/// Hashes and signatures of events, over exact bytes. Source: `Protocol/05-events.md`.
package enum EventCrypto {
    /// H("body", body), for the header.
    package static func bodyHash(_ body: some Collection<UInt8>) -> Bytes32 { Hash.of(.body, body) }

    /// H("event", header): the bytes that are signed.
    package static func signatureMessage(_ headerBytes: some Collection<UInt8>) -> Bytes32 {
        Hash.of(.event, headerBytes)
    }

    /// H("event-id", header, signature).
    package static func id(headerBytes: some Collection<UInt8>, signature: some Collection<UInt8>) -> EventID {
        EventID(raw: Hash.of(.eventID, headerBytes, signature))
    }

    /// - Returns: 64 bytes.
    package static func sign(_ headerBytes: some Collection<UInt8>, by author: SigningKeyPair) -> [UInt8] {
        author.sign(signatureMessage(headerBytes).bytes)
    }

    /// Whether `author` signed this header. The caller checks that the key belongs to the header's author.
    package static func verify(
        _ headerBytes: some Collection<UInt8>, signature: some Collection<UInt8>, author: SigningKey
    ) -> Bool {
        author.verifies(signature, of: signatureMessage(headerBytes).bytes)
    }
}
