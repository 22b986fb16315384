import TourCrypto
import TourModel

extension SMSCode {
    /// A random code; no value is likelier than another by more than one part in 10^13.
    static func random() -> SMSCode {
        let number = Randomness.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        return SMSCode(exactly: String(repeating: "0", count: 6 - digits.count) + digits)
    }

    /// The text of the SMS.
    func message(in language: Language) -> String {
        let minutes = ServerLimits.smsCodeLifetime / 60
        return switch language {
        case .english: "Your tour-chat code is \(digits). It is good for \(minutes) minutes. Give it to nobody."
        case .turkish: "tour-chat kodunuz \(digits). \(minutes) dakika geçerlidir. Kimseye vermeyin."
        }
    }
}

// Reads and writes codes inside one transaction: at most one is outstanding per phone and requesting address, and only
// its keyed hash is stored.
extension SQL {
    /// - Parameter requester: the client's address.
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

    /// Whether this is an outstanding code of the phone. Each try counts, so the caller commits the transaction either
    /// way. Tries from addresses that did not request the code are counted apart: nobody uses up another's tries.
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
