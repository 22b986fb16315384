import ServerBase
import ServerStorage
import TourCrypto
import TourModel

/// A code that lets one account into an organisation: 80 random bits, shown to the admin when they are made and stored
/// only as a keyed hash.
struct OrganisationCode: Hashable, Sendable, CustomStringConvertible {
    /// Ten bytes.
    private let bytes: [UInt8]

    private static let byteCount = 10

    static func random() -> OrganisationCode { OrganisationCode(bytes: Randomness.bytes(byteCount)) }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// - Returns: nil unless sixteen letters or digits of RFC 4648's base 32 are left, once dashes and spaces are
    ///   removed.
    init?(_ written: String) {
        guard written.utf8.count <= ServerLimits.secondFactorBytesMax, let values = Base32.values(of: written),
            values.count * 5 == Self.byteCount * 8
        else { return nil }
        bytes = Base32.bytes(of: values)
    }

    /// As people pass it on: `ABCD-EFGH-IJKL-MNOP`.
    var text: String {
        let letters = Array(Base32.encode(bytes))
        return stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<$0 + 4]) }.joined(separator: "-")
    }

    func digest(of organisation: Int64, _ secret: ServerSecret) -> [UInt8] {
        secret.digest(ofOrganisationCode: bytes, organisation: organisation).bytes
    }

    var description: String { "a code of an organisation" }
}
