import TourCrypto
import TourGroup
import TourLink

/// An attempt to come in by a code. It has one set of keys, whoever is asked: a member may have let them in already.
final class JoinAttempt {
    let code: InviteCode
    let keys = MemberKeys.random()
    let ticket: JoinTicket

    init(_ code: InviteCode) {
        self.code = code
        ticket = JoinTicket(
            secret: InviteSecret(code: code), tourPrefix: code.tourPrefix,
            keys: LinkKeys(identity: keys.identity, link: keys.link), wrappingKey: keys.wrapping.publicKey)
    }
}
