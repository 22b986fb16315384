import Testing
import TourCrypto
import TourModel

/// Goal: signatures are Ed25519, and nothing else verifies. Method: the first vector of RFC 8032 and changed bytes.
struct SigningKeyPairTests {
    private let pair = SigningKeyPair(seed: SecretBytes([UInt8](repeating: 3, count: 32)))

    @Test func rfc8032() throws {
        let seed = try #require(Hex.decode("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"))
        let pair = SigningKeyPair(seed: SecretBytes(seed))
        #expect(pair.publicKey.hex == "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
        #expect(
            Hex.encode(pair.sign([UInt8]()))
                == "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                + "d25bf5f0595bbe24655141438e7a100b")
    }

    @Test func changedSignatureOrMessageDoesNotVerify() {
        let message = [UInt8]("meet at the gate".utf8)
        let signature = pair.sign(message)
        #expect(pair.publicKey.verifies(signature, of: message))
        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!pair.publicKey.verifies(changed, of: message))
        }
        #expect(!pair.publicKey.verifies(signature, of: message.dropLast()))
        #expect(!pair.publicKey.verifies(signature.dropLast(), of: message))
        #expect(!pair.publicKey.verifies([UInt8](), of: message))
        #expect(!SigningKeyPair().publicKey.verifies(signature, of: message))
        #expect(!SigningKey(raw: .zero).verifies(signature, of: message))
    }

    @Test func storedSecretComesBack() throws {
        let back = try #require(SigningKeyPair(secret: pair.secret))
        #expect(back.publicKey == pair.publicKey)
        #expect(back.sign([1]) == pair.sign([1]))
    }

    @Test func storedSecretWithAnotherPublicHalfIsRefused() {
        var bytes = pair.secret.exposedCopy()
        bytes[63] ^= 1
        #expect(SigningKeyPair(secret: SecretBytes(bytes)) == nil)
        #expect(SigningKeyPair(secret: pair.secret.prefix(63)) == nil)
    }
}
