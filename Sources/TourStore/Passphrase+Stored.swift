import Glibc
import TourCrypto

// The stored parameters of a passphrase: passes u32 | memory bytes u64 | salt 16, big-endian.
extension Passphrase.Parameters {
    static let encodedBytes = 4 + 8 + saltBytes

    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(clamping: operations))
        bytes.append(bigEndian: UInt64(clamping: memoryBytes))
        return bytes + salt
    }

    /// - Returns: nil for another length, and for parameters that take minutes or the machine's memory.
    init?(stored bytes: ArraySlice<UInt8>) {
        guard bytes.count == Self.encodedBytes else { return nil }
        func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        let bounded = try? Passphrase.Parameters(
            operations: integer(bytes.prefix(4)),
            memoryBytes: Int(clamping: integer(bytes.dropFirst(4).prefix(8))), salt: Array(bytes.dropFirst(12)))
        guard let parameters = bounded else { return nil }
        self = parameters
    }
}

extension Passphrase {
    /// Like `key`; here lack of memory is a store error.
    static func storeKey(_ passphrase: [UInt8], _ parameters: Parameters) throws(StoreError) -> SecretBytes {
        do {
            return try key(passphrase, parameters)
        } catch {
            throw .io(code: ENOMEM)
        }
    }
}

extension [UInt8] {
    mutating func append(bigEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
    }
}
