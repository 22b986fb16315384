import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// A code that stands in for the second factor once: 80 random bits, shown when they are made and stored only as a
/// keyed hash.
package struct RecoveryCode: Hashable, Sendable, CustomStringConvertible {
    /// Ten bytes.
    private let bytes: [UInt8]

    private static let byteCount = 10

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil unless sixteen letters or digits of RFC 4648's base 32 are left, once dashes and spaces are
    ///   removed.
    init?(_ written: String) {
        guard written.utf8.count <= ServerLimits.secondFactorBytesMax, let values = Base32.values(of: written),
            values.count * 5 == Self.byteCount * 8
        else { return nil }
        bytes = Base32.bytes(of: values)
    }

    /// Codes for one account.
    static func random() -> [RecoveryCode] {
        (0..<ServerLimits.recoveryCodes).map { _ in RecoveryCode(bytes: Randomness.bytes(byteCount)) }
    }

    /// As the owner writes it down: `ABCD-EFGH-IJKL-MNOP`.
    var text: String {
        let letters = Array(Base32.encode(bytes))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    func digest(of account: Int64, _ secret: ServerSecret) -> [UInt8] {
        secret.digest(ofRecoveryCode: bytes, account: account).bytes
    }

    package var description: String { "a recovery code" }
}
