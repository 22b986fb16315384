import TourModel

/// The keys of one link's datagrams: version 2, path 8, counter 8, ciphertext, tag 16. The bytes before the ciphertext
/// are its associated data. Source: `Protocol/08-datagrams.md`, "Paths".
///
/// A class: two copies would use one counter twice. Belongs to one connection, and is used only where that is.
package final class DatagramPath {
    /// One side's part of the agreement, from its `Bind`.
    package struct Side: Hashable, Sendable {
        /// 32 random bytes, which nobody else sees.
        package var share: Bytes32
        /// The path number at the start of datagrams to this side.
        package var path: UInt64

        package init(share: Bytes32, path: UInt64) {
            self.share = share
            self.path = path
        }
    }

    private static let version: UInt8 = 2
    private static let headerBytes = 17
    /// Counters from this one on are not used.
    private static let counterEnd = UInt64.max - (1 << 13) + 1

    /// The path number at the start of datagrams to us.
    package let ownPath: UInt64
    private let peerPath: UInt64
    private let sendingKey: SecretBytes
    private let receivingKey: SecretBytes
    private var counter: UInt64 = 0
    private var window = CounterWindow()

    /// K(initiator's share || responder's share, "datagram", sender's role).
    package init(own: Side, peer: Side, isInitiator: Bool) {
        let (first, second) = isInitiator ? (own, peer) : (peer, own)
        let shares = SecretBytes(first.share.bytes + second.share.bytes)
        let roles: (initiator: UInt8, responder: UInt8) =
            (HandshakeState.Role.initiator.rawValue, HandshakeState.Role.responder.rawValue)
        sendingKey = Hash.keyed(shares, .datagram, [isInitiator ? roles.initiator : roles.responder])
        receivingKey = Hash.keyed(shares, .datagram, [isInitiator ? roles.responder : roles.initiator])
        ownPath = own.path
        peerPath = peer.path
    }

    /// The path number at the start of a datagram; nil for other kinds of datagrams.
    package static func path(of datagram: [UInt8]) -> UInt64? {
        guard datagram.count >= headerBytes + CipherState.tagBytes, datagram.count <= Limits.datagramBytesMax,
            datagram[0] == version
        else { return nil }
        return number(datagram[1..<9])
    }

    /// - Returns: nil when all counters have been used.
    package func seal(_ plaintext: [UInt8]) -> [UInt8]? {
        guard counter < Self.counterEnd else { return nil }
        var datagram = [Self.version]
        datagram.append(bigEndian: peerPath)
        datagram.append(bigEndian: counter)
        var cipher = CipherState(key: sendingKey, nonce: counter)
        guard let sealed = try? cipher.encrypt(plaintext, associatedData: datagram) else { return nil }
        counter += 1
        return datagram + sealed
    }

    /// - Returns: nil for a datagram that the peer did not seal, a repeat, and one too old to track. `isNewest`: no
    ///   later datagram arrived before it.
    package func open(_ datagram: [UInt8]) -> (plaintext: [UInt8], isNewest: Bool)? {
        guard Self.path(of: datagram) == ownPath else { return nil }
        let header = datagram.prefix(Self.headerBytes)
        let counter = Self.number(header[9..<17])
        guard counter < Self.counterEnd, window.admits(counter) else { return nil }
        var cipher = CipherState(key: receivingKey, nonce: counter)
        guard let plaintext = try? cipher.decrypt(datagram.dropFirst(Self.headerBytes), associatedData: header) else {
            return nil
        }
        return (plaintext, window.insert(counter))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}

/// The recent counters that arrived: each is admitted once, in any order. Source: RFC 6479.
package struct CounterWindow: Hashable, Sendable {
    /// How far behind the newest a counter may be and still be tracked.
    package static let count = 2_048

    /// A ring: bit c modulo the ring's length is for counter c. One word more than the window, so that a word is
    /// cleared as a whole before its counters enter the window.
    private var words = [UInt64](repeating: 0, count: count / 64 + 1)
    /// The newest counter plus one; 0 before any arrived.
    private var end: UInt64 = 0

    package init() {}

    /// Whether this counter is new and not too old to track.
    package func admits(_ counter: UInt64) -> Bool {
        guard counter < end else { return true }
        return end - counter <= UInt64(Self.count) && words[word(counter)] & bit(counter) == 0
    }

    /// Records an admitted counter.
    /// - Returns: whether it is newer than all others.
    package mutating func insert(_ counter: UInt64) -> Bool {
        let isNewest = counter >= end
        if isNewest {
            let last = end == 0 ? 0 : (end - 1) / 64
            let steps = min(counter / 64 - last, UInt64(words.count))
            for step in 0..<steps { words[Int((counter / 64 - step) % UInt64(words.count))] = 0 }
            end = counter + 1
        }
        words[word(counter)] |= bit(counter)
        return isNewest
    }

    private func word(_ counter: UInt64) -> Int { Int(counter / 64 % UInt64(words.count)) }

    private func bit(_ counter: UInt64) -> UInt64 { 1 << (counter % 64) }
}
