import TourModel

/// Errors of keys and sealed bytes. They never give a detailed reason, which would help an attacker to guess.
package enum CryptoError: Fault {
    /// Wrong key, wrong associated data, or bytes that were changed or cut; the error does not say which.
    case decryptionFailed
    /// A key of the wrong length.
    case badKey
    /// Passphrase parameters outside the bounds of `Passphrase.Parameters`: the key file is not ours.
    case badPassphraseParameters
    /// The machine lacks the memory that the passphrase parameters require.
    case outOfMemory

    package var scope: FaultScope {
        switch self {
        case .decryptionFailed, .badKey: .record
        case .badPassphraseParameters, .outOfMemory: .node
        }
    }

    package var code: String {
        switch self {
        case .decryptionFailed: "decryption-failed"
        case .badKey: "bad-key"
        case .badPassphraseParameters: "bad-passphrase-parameters"
        case .outOfMemory: "out-of-memory"
        }
    }
}
