import TourModel
import TourPresentation
import TourWords

/// A telephone number as people write it, converted for the server: `+`, the country's code, and the rest.
package enum PhoneNumber {
    /// - Parameters:
    ///   - text: spaces, dashes, dots, slashes, brackets and marks that nobody sees are ignored in it.
    ///   - region: two letters of the country to assume for a number without one; nil: not known.
    /// - Returns: nil where the country is missing and not known, or the text is no number.
    package static func international(_ text: String, region: String?) -> String? {
        var dense = text.withoutInvisibleMarks.filter { !$0.isWhitespace && !"-–./()".contains($0) }
        if dense.hasPrefix("00") { dense = "+\(dense.dropFirst(2))" }
        if dense.hasPrefix("+") {
            let digits = dense.dropFirst()
            return isNumber(digits) && !digits.hasPrefix("0") ? dense : nil
        }
        guard isNumber(dense), let plan = region.flatMap({ plans[$0] }) else { return nil }
        guard let trunk = plan.trunk else { return "+\(plan.code)\(dense)" }
        return dense.hasPrefix(trunk) ? "+\(plan.code)\(dense.dropFirst(trunk.count))" : nil
    }

    /// The country of the user's locale: `LC_ALL`, `LC_MESSAGES`, `LANG`, the first that is set.
    /// - Parameter environment: looks up a variable; an empty one counts as not set.
    package static func region(_ environment: (String) -> String?) -> String? {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap(environment).first { !$0.isEmpty }
        let parts = (locale ?? "").prefix { $0 != "." && $0 != "@" }.split { $0 == "_" || $0 == "-" }
        guard parts.count == 2, parts[1].count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            return nil
        }
        return String(parts[1])
    }

    /// A country as the user names it: two letters, or its code, `+49`.
    /// - Returns: the two letters; nil for an unknown country.
    package static func region(named text: String) -> String? {
        let dense = text.filter { !$0.isWhitespace }.uppercased()
        if plans[dense] != nil { return dense }
        let code = dense.hasPrefix("+") ? String(dense.dropFirst()) : dense
        return plans.filter { $0.value.code == code }.keys.min()
    }

    private static func isNumber(_ digits: some StringProtocol) -> Bool {
        (4...15).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }

    /// The dialling plan of a country.
    private struct Plan {
        let code: String
        /// The prefix of a number inside the country, which is omitted from abroad; nil: none.
        var trunk: String? = "0"
    }

    /// Source: ITU-T E.164, annex to the operational bulletin, and E.164 national numbering plans.
    private static let plans: [String: Plan] = [
        "AE": Plan(code: "971"), "AT": Plan(code: "43"), "AU": Plan(code: "61"), "BE": Plan(code: "32"),
        "BG": Plan(code: "359"), "BR": Plan(code: "55"), "CA": Plan(code: "1", trunk: nil), "CH": Plan(code: "41"),
        "CN": Plan(code: "86"), "CZ": Plan(code: "420", trunk: nil), "DE": Plan(code: "49"),
        "DK": Plan(code: "45", trunk: nil), "DZ": Plan(code: "213"), "EG": Plan(code: "20"),
        "ES": Plan(code: "34", trunk: nil), "FI": Plan(code: "358"), "FR": Plan(code: "33"), "GB": Plan(code: "44"),
        "GR": Plan(code: "30", trunk: nil), "HR": Plan(code: "385"), "IE": Plan(code: "353"), "IL": Plan(code: "972"),
        "IN": Plan(code: "91"), "IT": Plan(code: "39", trunk: nil), "JO": Plan(code: "962"), "JP": Plan(code: "81"),
        "KR": Plan(code: "82"), "LB": Plan(code: "961"), "LU": Plan(code: "352", trunk: nil), "MA": Plan(code: "212"),
        "MX": Plan(code: "52", trunk: nil), "NL": Plan(code: "31"), "NO": Plan(code: "47", trunk: nil),
        "NZ": Plan(code: "64"), "PL": Plan(code: "48", trunk: nil), "PT": Plan(code: "351", trunk: nil),
        "RO": Plan(code: "40"), "RS": Plan(code: "381"), "SA": Plan(code: "966"), "SE": Plan(code: "46"),
        "SI": Plan(code: "386"), "SK": Plan(code: "421"), "TN": Plan(code: "216", trunk: nil),
        "TR": Plan(code: "90"), "UA": Plan(code: "380"), "US": Plan(code: "1", trunk: nil), "ZA": Plan(code: "27"),
    ]
}

extension CommandFailure {
    /// A number that the server cannot use without a country.
    package static func phoneWithoutCountry(_ number: String) -> CommandFailure {
        CommandFailure(
            code: "phone-country",
            message: Phrase("'\(number)' does not say its country"),
            advice: .addCountry)
    }
}
