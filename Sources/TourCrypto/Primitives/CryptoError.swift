import TourModel

/// What can go wrong with keys and sealed bytes. Never says more: a reason would help whoever is guessing.
package enum CryptoError: Fault {
    /// Wrong key, wrong associated data, or bytes that were changed or cut: not told apart.
    case decryptionFailed
    /// A key of the wrong length.
    case badKey
    /// Passphrase parameters outside `Passphrase.Parameters`' bounds: the key file is not ours.
    case badPassphraseParameters
    /// The machine could not give the memory that the passphrase parameters ask for.
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
