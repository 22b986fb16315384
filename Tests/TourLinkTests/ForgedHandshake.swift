import CSodium
import TourCrypto
import TourLink
import TourModel

/// The steps of `Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b` by hand, for somebody who sends another's static key than its
/// own: our own handshake cannot be told to lie. Source: Noise revision 34, section 5.
struct ForgedHandshake {
    private var hash: [UInt8]
    private var chain: [UInt8]
    private var key: [UInt8] = []
    private var nonce: UInt64 = 0
    private let ephemeral: LinkKeyPair
    private(set) var remoteEphemeral: [UInt8] = []

    init(_ hello: Hello, psk: SecretBytes, ephemeral: LinkKeyPair) {
        let name = Array("Noise_XXpsk0_25519_ChaChaPoly_BLAKE2b".utf8)
        hash = name + [UInt8](repeating: 0, count: 64 - name.count)
        chain = hash
        self.ephemeral = ephemeral
        mixHash(hello.prologue)
        let parts = Self.derive(chain, psk.exposedCopy(), count: 3)
        chain = parts[0]
        mixHash(parts[1])
        take(parts[2])
    }

    /// Token e, ours.
    mutating func writeEphemeral() -> [UInt8] {
        let bytes = ephemeral.publicKey.bytes
        mixHash(bytes)
        mixKey(bytes)
        return bytes
    }

    /// Token e, theirs.
    mutating func readEphemeral(_ bytes: [UInt8]) {
        remoteEphemeral = bytes
        mixHash(bytes)
        mixKey(bytes)
    }

    mutating func mixKey(_ secret: [UInt8]) {
        let parts = Self.derive(chain, secret, count: 2)
        chain = parts[0]
        take(parts[1])
    }

    /// EncryptAndHash.
    mutating func write(_ plaintext: [UInt8]) -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: plaintext.count + 16)
        _ = crypto_aead_chacha20poly1305_ietf_encrypt(
            &sealed, nil, plaintext, UInt64(plaintext.count), hash, UInt64(hash.count), nil, nextNonce(), key)
        mixHash(sealed)
        return sealed
    }

    /// DecryptAndHash; what does not verify reads as zeros.
    mutating func read(_ sealed: [UInt8]) -> [UInt8] {
        var plaintext = [UInt8](repeating: 0, count: max(sealed.count - 16, 1))
        _ = crypto_aead_chacha20poly1305_ietf_decrypt(
            &plaintext, nil, nil, sealed, UInt64(sealed.count), hash, UInt64(hash.count), nextNonce(), key)
        mixHash(sealed)
        return Array(plaintext.prefix(sealed.count - 16))
    }

    /// DH of our ephemeral key.
    func shared(with point: [UInt8]) -> [UInt8] { Self.shared(ephemeral.secret, point) }

    static func shared(_ secret: SecretBytes, _ point: [UInt8]) -> [UInt8] {
        var result = [UInt8](repeating: 0, count: 32)
        _ = crypto_scalarmult(&result, secret.exposedCopy(), point)
        return result
    }

    private mutating func take(_ bytes: [UInt8]) {
        key = Array(bytes.prefix(32))
        nonce = 0
    }

    private mutating func nextNonce() -> [UInt8] {
        defer { nonce += 1 }
        return [0, 0, 0, 0] + (0..<8).map { UInt8(truncatingIfNeeded: nonce >> (8 * $0)) }
    }

    private mutating func mixHash(_ bytes: [UInt8]) { hash = Self.blake(hash + bytes) }

    private static func blake(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        _ = crypto_generichash(&digest, digest.count, bytes, UInt64(bytes.count), nil, 0)
        return digest
    }

    /// HMAC of the unkeyed hash, blocks of 128 bytes.
    private static func authenticate(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        let block = key + [UInt8](repeating: 0, count: 128 - key.count)
        return blake(block.map { $0 ^ 0x5C } + blake(block.map { $0 ^ 0x36 } + bytes))
    }

    private static func derive(_ chain: [UInt8], _ input: [UInt8], count: Int) -> [[UInt8]] {
        let secret = authenticate(chain, input)
        var outputs = [[UInt8]]()
        for number in 1...count { outputs.append(authenticate(secret, (outputs.last ?? []) + [UInt8(number)])) }
        return outputs
    }
}
