import Testing
import TourCrypto
import TourModel

/// Goal: hashes and authenticators are those that other services compute.
/// Method: the vectors of RFC 6234 and RFC 4231; a message in pieces of every length.
struct SHA256Tests {
    /// Source: RFC 6234, section 8.5, tests 1 to 3, and the hash of nothing.
    @Test(arguments: [
        ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
    ])
    func messagesHaveTheirHash(text: String, times: Int, hash: String) {
        #expect(Hex.encode(SHA256.hash(Array(String(repeating: text, count: times).utf8))) == hash)
    }

    @Test func piecesHaveTheHashOfTheWhole() {
        let message = (0..<200).map { UInt8($0) }
        for length in 1...message.count {
            var hash = SHA256()
            for start in stride(from: 0, to: message.count, by: length) {
                hash.update(message[start..<min(start + length, message.count)])
            }
            #expect(hash.finish() == SHA256.hash(message))
        }
    }

    /// Source: RFC 4231, sections 4.2 to 4.8 without 4.6, which is cut off.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 20), [UInt8](repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            Array(1...25), [UInt8](repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131),
            Array(
                ("This is a test using a larger than block-size key and a larger than block-size data. The key needs"
                    + " to be hashed before being used by the HMAC algorithm.").utf8),
            "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
        ),
    ])
    func messagesHaveTheirAuthenticator(key: [UInt8], message: [UInt8], authenticator: String) {
        #expect(Hex.encode(SHA256.authenticator(of: message, key: key)) == authenticator)
    }

    @Test func nothingUnderNoKeyHasAnAuthenticatorToo() {
        let authenticator = SHA256.authenticator(of: [], key: [])
        #expect(
            Hex.encode(authenticator) == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
    }
}
