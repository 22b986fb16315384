import TourCrypto
import TourModel

extension SMSCode {
    /// Six digits, each value as likely as the others to one part in 10^13.
    static func random() -> SMSCode {
        let number = Randomness.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        return SMSCode(exactly: String(repeating: "0", count: 6 - digits.count) + digits)
    }

    /// The text that goes to the phone.
    func message(in language: Language) -> String {
        let minutes = ServerLimits.smsCodeLifetime / 60
        return switch language {
        case .english: "Your tour-chat code is \(digits). It is good for \(minutes) minutes. Give it to nobody."
        case .turkish: "tour-chat kodunuz \(digits). \(minutes) dakika geçerlidir. Kimseye vermeyin."
        }
    }
}

// Codes inside one transaction: one outstanding for each phone and address that asks, and only a keyed hash of it.
extension SQL {
    /// - Parameter requester: the address that asks for it.
    func setCode(
        _ code: SMSCode, of phone: PhoneNumber, for requester: String, _ secret: ServerSecret, now: Int64
    ) throws(Failure) {
        try run(
            """
            INSERT INTO sms_codes (phone, requester, digest, expires, tries, tries_elsewhere)
            VALUES ($1, $2, $3, $4, 0, 0)
            ON CONFLICT (phone, requester) DO UPDATE SET digest = excluded.digest, expires = excluded.expires,
                tries = 0, tries_elsewhere = 0
            """,
            [
                .text(phone.text), .text(requester),
                .bytes(secret.digest(ofCode: code.digits, phone: phone.text).bytes),
                .integer(now / 1_000_000 + ServerLimits.smsCodeLifetime),
            ])
    }

    /// Whether this is a code that was sent. Each try counts, so the transaction must be committed either way. Tries
    /// from where it was not asked for have a number of their own: nobody uses up somebody else's.
    func tryCode(
        _ code: SMSCode, of phone: PhoneNumber, from requester: String, _ secret: ServerSecret, now: Int64
    ) throws(Failure) -> Bool {
        let names: [SQLValue] = [.text(phone.text), .text(requester)]
        let own = try rows(
            """
            UPDATE sms_codes SET tries = tries + 1 WHERE phone = $1 AND requester = $2
            RETURNING digest, expires, tries
            """, names)
        let others = try rows(
            """
            UPDATE sms_codes SET tries_elsewhere = tries_elsewhere + 1 WHERE phone = $1 AND requester <> $2
            RETURNING digest, expires, tries_elsewhere
            """, names)
        let digest = secret.digest(ofCode: code.digits, phone: phone.text).bytes
        for row in own + others {
            guard try row.integer(1) > now / 1_000_000, try row.integer(2) <= ServerLimits.smsTriesMax else { continue }
            if try row.bytes(0) == digest { return true }
        }
        return false
    }

    func removeCodes(of phone: PhoneNumber) throws(Failure) {
        try run("DELETE FROM sms_codes WHERE phone = $1", [.text(phone.text)])
    }
}
