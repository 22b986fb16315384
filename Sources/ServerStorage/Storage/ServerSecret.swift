import Glibc
import ServerBase
import TourCrypto
import TourModel

/// A random key beside the database, in a 0600 file: a thief of the database alone can neither read stored answers nor
/// guess codes.
package struct ServerSecret: Sendable {
    private let key: SecretBytes

    /// Reads the file, or creates it.
    /// - Throws: `unavailable` when the file is not of this program's form, or cannot be read or written.
    package init(directory: ServerDirectory) throws(Failure) {
        // Of processes that start together on a new directory, one creates the file and the others read it.
        let lock = try FileLock.waiting(directory.file("keys.lock"))
        defer { withExtendedLifetime(lock) {} }
        if let bytes = try directory.read("server.key", bytesMax: Seal.keyBytes + 1) {
            guard bytes.count == Seal.keyBytes else {
                throw Failure(.unavailable, cause: "server.key is damaged: restore it from a copy, or remove it")
            }
            key = SecretBytes(bytes)
        } else {
            key = SecretBytes.random(count: Seal.keyBytes)
            try directory.replace("server.key", with: key.exposedCopy())
        }
    }

    /// Seals bytes so that they open here alone.\n- Parameter place: what `open` has to name too, such as the row.
    package func seal(_ bytes: [UInt8], for place: [UInt8]) -> [UInt8] {
        Seal.seal(bytes, key: key, associatedData: place)
    }

    /// - Throws: `internal` for bytes that were not sealed here for this place.
    package func open(_ sealed: [UInt8], for place: [UInt8]) throws(Failure) -> [UInt8] {
        do {
            return try Seal.open(sealed, key: key, associatedData: place)
        } catch {
            throw Failure(.internalError, cause: "what was sealed here does not open: server.key is another one")
        }
    }

    /// The refresh token that follows this one in its session: the same each time, so that an answer which was lost can
    /// be given again though the database has no token, and known to nobody who lacks the token or the secret.
    package func refreshToken(after token: String) -> String {
        Base64URL.text(of: Hash.tag(key, .nextRefreshToken, Array(token.utf8)).bytes)
    }

    /// The stored digest of a code that was sent to this e-mail address, for this account.
    package func digest(ofCode code: String, email: String, of account: Int64) -> Bytes32 {
        Hash.tag(key, .mailCode, Array(String(account).utf8), Array(email.utf8), Array(code.utf8))
    }

    /// The stored digest of an address from which an account was used.
    package func digest(ofAddress address: String, account: Int64) -> Bytes32 {
        Hash.tag(key, .knownAddress, Array(String(account).utf8), Array(address.utf8))
    }

    /// The stored digest of a code that was sent to this phone.
    package func digest(ofCode code: String, phone: String) -> Bytes32 {
        Hash.tag(key, .smsCode, Array(phone.utf8), Array(code.utf8))
    }

    /// The stored digest of a code that was mailed to this address for a new password.
    package func digest(ofResetCode code: String, email: String) -> Bytes32 {
        Hash.tag(key, .resetCode, Array(email.utf8), Array(code.utf8))
    }

    /// The stored digest of a code that lets an account into an organisation.
    package func digest(ofOrganisationCode code: [UInt8], organisation: Int64) -> Bytes32 {
        Hash.tag(key, .organisationCode, Array(String(organisation).utf8), code)
    }

    /// The proof in the address of an account's file, which opens it without a token.
    /// - Parameter path: without host and query.
    /// - Parameter until: when the address ends, in whole seconds since 1970.
    package func proof(ofFile path: String, account: Int64, until: Int64) -> Bytes32 {
        let parts = [Array(path.utf8), Array(String(account).utf8), Array(String(until).utf8)]
        return Hash.tag(key, .fileAddress, parts[0], parts[1], parts[2])
    }

    /// The stored digest of a code that lets somebody make an account.
    package func digest(ofAccountInvitation code: [UInt8]) -> Bytes32 { Hash.tag(key, .accountInvitation, code) }

    /// The stored digest of an account's recovery code.
    package func digest(ofRecoveryCode code: [UInt8], account: Int64) -> Bytes32 {
        Hash.tag(key, .recoveryCode, Array(String(account).utf8), code)
    }
}
