import ServerBase

/// How many text messages the operator pays for, in a day of UTC. Of each number half is for requests from addresses
/// where the account is known, and half for all others: strangers use up nothing that the server's users need.
package struct SMSCaps: Hashable, Sendable {
    /// Messages of the whole server.
    package var perDay = ServerLimits.smsPerDay
    /// Messages to the numbers of any one prefix; nil: as many as the server sends.
    package var perPrefix: Int?
    /// In its place, for these prefixes; 0: none at all.
    package var ofPrefixes: [CountryPrefix: Int] = [:]

    /// The defaults: only the whole server has a cap.
    package init() {}

    /// - Parameter prefixes: as the operator writes them: `100`, for any one prefix, or `90=1000`, for this one.
    /// - Returns: nil if one of them is neither, or stands twice.
    package init?(perDay: Int, prefixes: [String]) {
        self.perDay = perDay
        for written in prefixes {
            let parts = written.split(separator: "=", omittingEmptySubsequences: false)
            guard let last = parts.last, let count = Int(last), (0...ServerLimits.smsPerDayMax).contains(count) else {
                return nil
            }
            switch parts.count {
            case 1:
                guard perPrefix == nil else { return nil }
                perPrefix = count
            case 2:
                guard let prefix = CountryPrefix(String(parts[0])), ofPrefixes[prefix] == nil else { return nil }
                ofPrefixes[prefix] = count
            default: return nil
            }
        }
    }

    func count(of prefix: CountryPrefix) -> Int { ofPrefixes[prefix] ?? perPrefix ?? perDay }
}

/// The side of those who ask for a text message.
package enum SMSSide: String, CaseIterable, Sendable {
    /// At an address where the account is known.
    case known
    /// Everybody else.
    case strangers

    /// This side's part of a cap.
    func share(of cap: Int) -> Int { self == .strangers ? cap / 2 : cap - cap / 2 }
}

/// The country of a phone number as far as its first digits tell, which is what a message costs by: fraud sends many to
/// the numbers of one dear country.
///
/// Codes are 1, 7, those of two digits below, and three digits for all others, so that no code begins another one.
/// Parts of 1 and 7 that are other countries have prefixes of their own: calls to the Caribbean share 1 with the United
/// States and Canada, and are a favourite of fraud.
/// Source: ITU-T E.164, list of assigned country codes (1 November 2016); NANPA, area codes by country.
package struct CountryPrefix: Hashable, Sendable {
    /// Without the `+`.
    package let digits: String

    /// The prefix of a number.
    package init(of phone: PhoneNumber) { self.init(beginning: String(phone.text.dropFirst())) }

    /// - Parameter written: `90` or `+90`.
    /// - Returns: nil for what is no whole prefix.
    package init?(_ written: String) {
        let digits = written.hasPrefix("+") ? String(written.dropFirst()) : written
        guard (1...4).contains(digits.utf8.count), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.first != "0"
        else { return nil }
        self.init(beginning: digits + "000")
        guard self.digits == digits else { return nil }
    }

    private init(beginning digits: String) {
        let length = (1...4).reversed().first { Self.short.contains(digits.prefix($0)) } ?? 3
        self.digits = String(digits.prefix(length))
    }

    private static let short = Set(
        """
        1 7 76 77
        20 27 30 31 32 33 34 36 39 40 41 43 44 45 46 47 48 49 51 52 53 54 55 56 57 58
        60 61 62 63 64 65 66 81 82 84 86 90 91 92 93 94 95 98
        1242 1246 1264 1268 1284 1340 1345 1441 1473 1649 1658 1664 1670 1671 1684 1721 1758 1767 1784 1787
        1809 1829 1849 1868 1869 1876 1939
        """.split { $0 == " " || $0 == "\n" })
}
