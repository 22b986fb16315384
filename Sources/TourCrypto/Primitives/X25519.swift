import CSodium
import TourModel

/// The curve's two operations on secrets of 32 bytes.
enum X25519 {
    static func publicKey(of secret: SecretBytes) -> Bytes32 {
        Sodium.start()
        var point = [UInt8](repeating: 0, count: Bytes32.count)
        _ = secret.withPointer { crypto_scalarmult_base(&point, $0) }
        return Bytes32(exactly: point)
    }

    /// - Returns: nil when the shared point is zero: `point` has low order, so the secret would add nothing.
    static func shared(secret: SecretBytes, point: Bytes32) -> SecretBytes? {
        Sodium.start()
        var status: Int32 = 0
        let shared = SecretBytes(count: Bytes32.count) { target in
            status = secret.withPointer { scalar in
                point.withPointer { crypto_scalarmult(target, scalar, $0) }
            }
        }
        return status == 0 ? shared : nil
    }
}
