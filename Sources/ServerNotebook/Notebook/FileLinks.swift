import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourModel

/// The addresses of an account's files in one answer. An app that gives no name may show them where no token can be
/// sent, as in an `<img>`: its addresses have a proof in them, and an end. A device with a name sends its token, and
/// gets addresses that never change.
/// Source: `Protocol/12-notebook.md`, "Files".
struct FileLinks: Sendable {
    private let base: String
    private let account: Int64
    private let secret: ServerSecret
    /// When the addresses end, in whole seconds since 1970; nil: they have no proof.
    private let until: Int64?

    /// - Parameter device: the name that the device gives itself.
    /// - Throws: `unauthenticated`.
    init(_ call: Call, _ parts: RequestParts, for device: String?) throws(Failure) {
        base = parts.served.base(of: call.head)
        account = try call.requireAccount().id
        secret = parts.secret
        // The same address for hours, so that an app's cache knows it again.
        let step = ServerLimits.fileAddressLifetime / 2
        until = device == nil ? (call.now / 1_000_000 / step + 2) * step : nil
    }

    /// - Parameter path: as the database stores it.
    func address(of path: String) -> String {
        guard let until else { return base + path }
        let proof = secret.proof(ofFile: path, account: account, until: until)
        return "\(base)\(path)?until=\(until)&proof=\(Base64URL.text(of: proof.bytes))"
    }
}

/// The proof in an address that a request names.
struct FileProof: Sendable {
    private let until: Int64
    private let proof: [UInt8]

    /// - Returns: nil for an address without one. A proof of another form is one that opens nothing.
    init?(_ call: Call) {
        guard let text = call.query("proof") else { return nil }
        until = call.query("until").flatMap { Int64($0) } ?? 0
        proof = Base64URL.bytes(of: text.utf8) ?? []
    }

    /// - Parameter now: microseconds since 1970.
    func opens(_ file: NotebookFile, _ secret: ServerSecret, now: Int64) -> Bool {
        let path = FileAddress(file.id).path
        let wanted = secret.proof(ofFile: path, account: file.account, until: until).bytes
        guard now / 1_000_000 < until, proof.count == wanted.count else { return false }
        return SecretBytes(proof) == SecretBytes(wanted)
    }
}
