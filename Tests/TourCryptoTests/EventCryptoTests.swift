import Testing
import TourCrypto
import TourModel

/// Goal: the id covers the signature, and a signature covers every byte of the header. Method: changed bytes.
struct EventCryptoTests {
    private let author = SigningKeyPair(seed: SecretBytes([UInt8](repeating: 9, count: 32)))
    private let header = (0..<EventHeader.length).map { UInt8($0) }

    @Test func everyHeaderByteIsSigned() {
        let signature = EventCrypto.sign(header, by: author)
        #expect(EventCrypto.verify(header, signature: signature, author: author.publicKey))
        #expect(!EventCrypto.verify(header, signature: signature, author: SigningKeyPair().publicKey))
        for index in header.indices {
            var changed = header
            changed[index] ^= 1
            #expect(!EventCrypto.verify(changed, signature: signature, author: author.publicKey))
        }
    }

    @Test func idCoversHeaderAndSignature() {
        let signature = EventCrypto.sign(header, by: author)
        let id = EventCrypto.id(headerBytes: header[...], signature: signature)
        #expect(id.raw == Hash.of(.eventID, header, signature))
        var changed = signature
        changed[63] ^= 1
        #expect(EventCrypto.id(headerBytes: header, signature: changed) != id)
    }

    @Test func signedMessageIsNeitherBodyHashNorID() {
        #expect(EventCrypto.bodyHash(header) != EventCrypto.signatureMessage(header))
    }
}
