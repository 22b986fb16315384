import CSodium
import TourModel

/// One end of the sealed channel between a guest's page and its host: X25519, HKDF-SHA-512 and `crypto_secretbox`.
/// Source: `Protocol/15-seats.md`, "Channel".
package struct SeatChannel: Sendable {
    /// The length of a hello in bytes: version and the guest's ephemeral key.
    package static let helloBytes = 33
    /// The length of the answer to it in bytes: the host's ephemeral key, the session and the proof.
    package static let answerBytes = Bytes32.count + sessionBytes + tagBytes
    /// The length of a session's name in bytes.
    package static let sessionBytes = 16
    /// What sealing adds in bytes.
    package static let tagBytes = 16
    /// How far below the highest number a request may come.
    package static let windowMax: UInt64 = 1_024
    private static let version: UInt8 = 1
    private static let label = Array("tour-chat/1/seat-channel".utf8)

    /// The purpose of a box: the first byte of its nonce.
    private enum Kind: UInt8 {
        case proof = 0
        case request = 1
        case answer = 2
        case frame = 3
    }

    private let sending: SecretBytes
    private let receiving: SecretBytes
    private var highest: UInt64 = 0
    /// The numbers above `highest - windowMax` that were used.
    private var used: Set<UInt64> = []

    private init(sending: SecretBytes, receiving: SecretBytes) {
        self.sending = sending
        self.receiving = receiving
    }

    // MARK: - The host's end

    /// Answers a guest's hello.
    /// - Parameters:
    ///   - key: the channel key, whose public half is in the QR code.
    ///   - ephemeral: drawn for this channel alone.
    ///   - session: `sessionBytes` random bytes.
    /// - Returns: nil for a hello of another length or version, or whose point has low order.
    package static func accept(
        hello: [UInt8], key: LinkKeyPair, ephemeral: LinkKeyPair = LinkKeyPair(),
        session: [UInt8] = Randomness.bytes(sessionBytes)
    ) -> (answer: [UInt8], channel: SeatChannel)? {
        guard hello.count == helloBytes, hello[0] == version, let point = Bytes32(hello.dropFirst()),
            let fixed = X25519.shared(secret: key.secret, point: point),
            let fresh = X25519.shared(secret: ephemeral.secret, point: point)
        else { return nil }
        let keys = keys(
            key.publicKey.bytes + point.bytes + ephemeral.publicKey.bytes, fixed: fixed, fresh: fresh)
        let channel = SeatChannel(sending: keys.toGuest, receiving: keys.toHost)
        let proof = channel.seal([], Self.nonce(.proof, 0, 0))
        return (ephemeral.publicKey.bytes + session + proof, channel)
    }

    // MARK: - The guest's end

    /// The hello of a guest.
    package static func hello(_ ephemeral: LinkKeyPair) -> [UInt8] { [version] + ephemeral.publicKey.bytes }

    /// - Returns: nil unless whoever answered has the private half of the channel key.
    package static func begin(
        _ answer: [UInt8], key: LinkKey, ephemeral: LinkKeyPair
    ) -> (session: [UInt8], channel: SeatChannel)? {
        guard answer.count == answerBytes, let point = Bytes32(answer.prefix(Bytes32.count)),
            let static32 = Bytes32(key.bytes),
            let fixed = X25519.shared(secret: ephemeral.secret, point: static32),
            let fresh = X25519.shared(secret: ephemeral.secret, point: point)
        else { return nil }
        let keys = keys(key.bytes + ephemeral.publicKey.bytes + point.bytes, fixed: fixed, fresh: fresh)
        let channel = SeatChannel(sending: keys.toHost, receiving: keys.toGuest)
        let proof = Array(answer.suffix(tagBytes))
        guard channel.open(proof, nonce(.proof, 0, 0)) != nil else { return nil }
        return (Array(answer[Bytes32.count..<Bytes32.count + sessionBytes]), channel)
    }

    // MARK: - Boxes

    /// Seals a request of a guest.
    package func seal(request plaintext: [UInt8], number: UInt64) -> [UInt8] {
        seal(plaintext, Self.nonce(.request, number, 0))
    }

    /// Opens a request; its number counts as used.
    /// - Returns: nil for a number that was used or is too old, and for a box that does not open.
    package mutating func open(request box: [UInt8], number: UInt64) -> [UInt8]? {
        guard number > 0, number.addingReportingOverflow(Self.windowMax).partialValue > highest,
            number < .max - Self.windowMax, !used.contains(number),
            let plaintext = open(box, Self.nonce(.request, number, 0))
        else { return nil }
        used.insert(number)
        if number > highest {
            highest = number
            used = used.filter { $0 + Self.windowMax > number }
        }
        return plaintext
    }

    /// Seals the answer to a request.
    package func seal(answer plaintext: [UInt8], number: UInt64) -> [UInt8] {
        seal(plaintext, Self.nonce(.answer, number, 0))
    }

    /// Opens the answer to a request.
    package func open(answer box: [UInt8], number: UInt64) -> [UInt8]? { open(box, Self.nonce(.answer, number, 0)) }

    /// Seals one frame of the news that a request asked for.
    package func seal(frame plaintext: [UInt8], number: UInt64, index: UInt64) -> [UInt8] {
        seal(plaintext, Self.nonce(.frame, number, index))
    }

    /// Opens one frame of the news that a request asked for.
    package func open(frame box: [UInt8], number: UInt64, index: UInt64) -> [UInt8]? {
        open(box, Self.nonce(.frame, number, index))
    }

    private func seal(_ plaintext: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        let count = plaintext.count + Self.tagBytes
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            _ = sending.withPointer { key in
                crypto_secretbox_easy(target, plaintext, UInt64(plaintext.count), nonce, key)
            }
            initialized = count
        }
    }

    private func open(_ box: [UInt8], _ nonce: [UInt8]) -> [UInt8]? {
        guard box.count >= Self.tagBytes else { return nil }
        let count = box.count - Self.tagBytes
        var status: Int32 = -1
        // One spare byte, so that an empty plaintext has an address too.
        let plaintext = [UInt8](unsafeUninitializedCapacity: count + 1) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            status = receiving.withPointer { crypto_secretbox_open_easy(target, box, UInt64(box.count), nonce, $0) }
            initialized = status == 0 ? count : 0
        }
        return status == 0 ? plaintext : nil
    }

    // MARK: - Keys

    /// HKDF-SHA-512: the salt is everything that both sides said, the first half of the output seals to the host.
    private static func keys(
        _ said: [UInt8], fixed: SecretBytes, fresh: SecretBytes
    ) -> (toHost: SecretBytes, toGuest: SecretBytes) {
        Sodium.start()
        var secret = fixed.withBytes { Array($0) } + fresh.withBytes { Array($0) }
        let extracted = SHA512.authenticator(of: secret, key: SecretBytes(label + said))
        sodium_memzero(&secret, secret.count)
        let expanded = SHA512.authenticator(of: Array("keys".utf8) + [1], key: SecretBytes(extracted))
        return (SecretBytes(expanded.prefix(Bytes32.count)), SecretBytes(expanded.suffix(Bytes32.count)))
    }

    private static func nonce(_ kind: Kind, _ number: UInt64, _ index: UInt64) -> [UInt8] {
        var nonce = [kind.rawValue]
        for value in [number, index] {
            for shift in stride(from: 56, through: 0, by: -8) {
                nonce.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return nonce + [UInt8](repeating: 0, count: 24 - nonce.count)
    }
}
