import CSodium
import TourModel

/// The keys of one cast: one member's sending of a blob in one epoch. A datagram of a cast is version 3, tag 8, block
/// 2, symbol 1, ciphertext, tag 16; the bytes before the ciphertext are its associated data. The blob's id fixes the
/// contents for each block and number, so that a nonce never seals two contents, and a repeated datagram has the same
/// bytes. Source: `Protocol/11-blobs.md`, "Datagrams of a cast".
package struct CastSeal: Sendable {
    /// The contents of a cast's datagram.
    package struct Symbol: Hashable, Sendable {
        /// 0…65,535; the caller checks whether the blob has such a block.
        package let block: Int
        /// 0…255.
        package let number: Int
        /// The contents: `Limits.castSymbolBytes` bytes.
        package let bytes: [UInt8]

        package init(block: Int, number: Int, bytes: [UInt8]) {
            self.block = block
            self.number = number
            self.bytes = bytes
        }
    }

    private static let version: UInt8 = 3
    private static let headerBytes = 12
    private static let sealBytes = 16
    private static let datagramBytes = headerBytes + Limits.castSymbolBytes + sealBytes

    /// The first bytes of the cast's datagrams.
    package let tag: UInt64
    private let key: SecretBytes

    /// K(epoch key, "cast", blob id || caster's member id).
    package init(epoch: EpochKey, blob: BlobID, caster: MemberID) {
        tag = Self.tag(epoch: epoch, blob: blob, caster: caster)
        key = Hash.keyed(epoch.key, .cast, blob.bytes + caster.bytes)
    }

    /// First 8 bytes of K(epoch key, "cast-tag", blob id || caster's member id).
    package static func tag(epoch: EpochKey, blob: BlobID, caster: MemberID) -> UInt64 {
        Hash.tag(epoch.key, .castTag, blob.bytes + caster.bytes).prefix
    }

    /// The tag at the start of a datagram; nil for other kinds of datagrams.
    package static func tag(of datagram: [UInt8]) -> UInt64? {
        guard datagram.count == datagramBytes, datagram[0] == version else { return nil }
        return datagram[1..<9].reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// - Parameter symbol: within the bounds of its properties; others are a caller error.
    package func seal(_ symbol: Symbol) -> [UInt8] {
        let bytes = symbol.bytes
        precondition(bytes.count == Limits.castSymbolBytes, "a whole symbol")
        var datagram = [Self.version]
        datagram.reserveCapacity(Self.datagramBytes)
        datagram.append(bigEndian: tag)
        datagram.append(bigEndian: UInt16(symbol.block))
        datagram.append(UInt8(symbol.number))
        let nonce = Self.nonce(datagram)
        datagram += [UInt8](unsafeUninitializedCapacity: bytes.count + Self.sealBytes) { buffer, initialized in
            guard let target = buffer.baseAddress else { return }
            key.withPointer { secret in
                bytes.withBytes { source in
                    _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                        target, nil, source.baseAddress, UInt64(source.count), datagram, UInt64(datagram.count), nil,
                        nonce, secret)
                }
            }
            initialized = bytes.count + Self.sealBytes
        }
        return datagram
    }

    /// - Returns: nil for a datagram that this key did not seal.
    package func open(_ datagram: [UInt8]) -> Symbol? {
        guard Self.tag(of: datagram) == tag else { return nil }
        let nonce = Self.nonce(datagram)
        var status: Int32 = -1
        let bytes = [UInt8](unsafeUninitializedCapacity: Limits.castSymbolBytes) { buffer, initialized in
            status = key.withPointer { secret in
                datagram.withBytes { source in
                    guard let start = source.baseAddress else { return -1 }
                    return crypto_aead_chacha20poly1305_ietf_decrypt(
                        buffer.baseAddress, nil, nil, start + Self.headerBytes,
                        UInt64(source.count - Self.headerBytes), start, UInt64(Self.headerBytes), nonce, secret)
                }
            }
            initialized = status == 0 ? Limits.castSymbolBytes : 0
        }
        guard status == 0 else { return nil }
        return Symbol(block: Int(datagram[9]) << 8 | Int(datagram[10]), number: Int(datagram[11]), bytes: bytes)
    }

    /// Nine zero bytes, then block and number as in the header.
    private static func nonce(_ datagram: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 9) + datagram[9..<headerBytes]
    }
}
