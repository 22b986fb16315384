import CSodium
import TourModel

/// The operations of the group ristretto255 (RFC 9496) that CPace needs, on encoded elements of 32 bytes.
enum Ristretto255 {
    /// A scalar, uniform between 1 and the group's order.
    static func randomScalar() -> SecretBytes {
        Sodium.start()
        return SecretBytes(count: Bytes32.count) { crypto_core_ristretto255_scalar_random($0) }
    }

    /// The element that 64 uniform bytes derive.
    static func element(from uniform: SecretBytes) -> SecretBytes {
        precondition(uniform.count == SHA512.count, "an element derives from 64 bytes")
        Sodium.start()
        return SecretBytes(count: Bytes32.count) { target in
            _ = uniform.withPointer { crypto_core_ristretto255_from_hash(target, $0) }
        }
    }

    /// - Returns: nil when `element` encodes none, or the product is the identity.
    static func product(_ scalar: SecretBytes, _ element: SecretBytes) -> SecretBytes? {
        Sodium.start()
        // Libsodium ignores the highest bit, which no encoding has (RFC 9496, 4.3.1).
        guard element.count == Bytes32.count, element.withBytes({ $0[Bytes32.count - 1] < 0x80 }) else { return nil }
        var status: Int32 = 0
        let product = SecretBytes(count: Bytes32.count) { target in
            status = scalar.withPointer { scalar in
                element.withPointer { crypto_scalarmult_ristretto255(target, scalar, $0) }
            }
        }
        return status == 0 ? product : nil
    }
}
