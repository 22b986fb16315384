import ServerBase
import ServerRequests
import TourCrypto
import TourGroup
import TourModel

/// A link to join a tour, made by a member's device, which the server passes to one person and does not store.
/// Source: `Protocol/10-server.md`, "Invitations".
struct JoinLink: Sendable {
    let text: String
    private let code: InviteCode

    private static let start = "tour-chat://join/"

    /// Takes the code out of the link; the addresses that a node adds to it (`?a=…`) are of no use elsewhere.
    /// - Returns: nil for anything but a code of this tour: it goes out under the server's name.
    init?(_ text: String, for tour: TourID) {
        let code = text.dropFirst(Self.start.count).prefix { $0 != "?" }
        guard text.hasPrefix(Self.start), text.utf8.count <= ServerLimits.joinLinkBytesMax,
            let code = try? InviteCode(parsing: String(code)), code.names(tour)
        else { return nil }
        self.code = code
        self.text = Self.start + code.compact
    }

    /// Whether the code is known to open nothing any more, as every one of before a removal.
    /// - Parameter now: microseconds since 1970.
    func isOver(in group: TourGroup?, now: Int64) -> Bool {
        guard let secret = InviteSecret(seed: code.seed), let group else { return false }
        // One that the server has not heard of is new.
        return group.roster.invites[secret.invitePair.publicKey]?.isOpen(wallMilliseconds: now / 1_000) == false
    }

    func message(in language: Language) -> String {
        switch language {
        case .english: "You are invited to a tour in Tour Chat. To join: \(text)"
        case .turkish: "Tour Chat'te bir tura davetlisiniz. Katılmak için: \(text)"
        }
    }

    func mail(to email: EmailAddress, by account: Int64, in language: Language) -> Mail {
        let subject =
            switch language {
            case .english: "An invitation to a tour"
            case .turkish: "Bir tura davet"
            }
        return Mail(
            to: email.text, subject: subject, text: message(in: language) + "\r\n", need: .invitation,
            account: account)
    }
}

extension RequestParts {
    /// Sends the link to whom the invitation is for. What one account has sent is bounded, and so is what one person
    /// gets. It counts among what the server sends to strangers: logins from known addresses have their own.
    /// - Throws: `banned`; `tooManyRequests`; `smsFailed`, `mailFailed`: then the same request may come again.
    func send(
        _ link: JoinLink, to invitation: Invitation, by account: Account, _ call: Call
    ) async throws(Failure) {
        let sender = (RateLimit.invitationsPerAccount, "account:\(account.id)")
        if let phone = invitation.phone.flatMap({ PhoneNumber($0) }) {
            try bans.refuse(contact: phone.text, now: now())
            let who = phone.text + " invitations"
            try await smsBudget.requireRoom(for: phone, of: .strangers, now: now())
            try await rates.count([sender, (.smsPerPhone, who), (.smsPerPhoneAndDay, who)], now: call.now)
            try await smsBudget.spend(on: phone, for: .strangers, now: now())
            try await send(link.message(in: call.language), to: phone)
        } else if let email = invitation.email.flatMap({ EmailAddress($0) }) {
            try bans.refuse(contact: email.text, now: now())
            let who = email.text + " invitations"
            try await rates.count(
                [sender, (.mailPerAddress, who), (.mailPerAddressAndDay, who), MailShare.strangers.limit],
                now: call.now)
            try await send(link.mail(to: email, by: account.id, in: call.language))
        }
    }
}

extension RateLimit {
    /// Links that one account sends: enough for a full bus in one morning.
    static let invitationsPerAccount = RateLimit("invitations-account", burst: 60, every: .seconds(600))
}
