import TourCrypto
import TourGroup
import TourModel

/// A guest who is being let in: its keys, until its log has them.
final class SeatNewcomer {
    let secret: SecretBytes
    let name: String
    /// The pass by which it came.
    let pass: [UInt8]
    let licence: SeatLicence
    let seed: SecretBytes
    let pair: SigningKeyPair
    let member: MemberID
    /// Its key under the phone's secret, once it is to be in its log.
    var keys: [UInt8]?
    /// Whether its admission is written.
    var isAdmitted = false
    /// The work in progress.
    var work: Task<Void, any Error>?

    init(secret: SecretBytes, name: String, pass: [UInt8], licence: SeatLicence) {
        (self.secret, self.name, self.pass, self.licence) = (secret, name, pass, licence)
        seed = SecretBytes.random(count: SigningKeyPair.seedBytes)
        pair = SigningKeyPair(seed: seed)
        member = MemberID(identity: pair.publicKey)
    }
}
