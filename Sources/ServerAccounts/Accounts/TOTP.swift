import Foundation
import ServerBase
import ServerRequests
import TourCrypto

/// Time-based one-time passwords, as authenticator apps make them: HMAC-SHA-1, since many apps know no other.
/// Source: RFC 6238; RFC 4226 for the digits.
package enum TOTP {
    /// The secret's length in bytes. Source: RFC 4226, section 4, R6.
    package static let secretBytes = 20
    /// The seconds in a step.
    static let stepSeconds: Int64 = 30
    /// The steps before and after the present one whose codes are accepted: clocks differ, and people type slowly.
    /// Source: RFC 6238, section 5.2.
    static let stepsApart: Int64 = 1
    /// The digits of a code.
    package static let digits = 6

    /// The step of a moment.
    /// - Parameter now: microseconds since 1970.
    package static func step(at now: Int64) -> Int64 { now / 1_000_000 / stepSeconds }

    /// The code of a step.
    /// - Parameter digits: 1 to 9.
    /// - Throws: `unavailable` without libcrypto.
    package static func code(_ secret: [UInt8], step: Int64, digits: Int = digits) throws(Failure) -> String {
        let counter = withUnsafeBytes(of: UInt64(max(step, 0)).bigEndian) { Array($0) }
        let mac = try Libcrypto.authenticator(of: counter, key: secret)
        // Source: RFC 4226, section 5.3.
        let offset = Int(mac[mac.count - 1] & 15)
        let number = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        let modulus = (0..<digits).reduce(UInt32(1)) { product, _ in product * 10 }
        let text = String(number % modulus)
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// The step that a code belongs to, around the present one; nil for a wrong code. Every code is compared, in
    /// constant time.
    /// - Parameter now: microseconds since 1970.
    /// - Throws: `unavailable` without libcrypto.
    package static func step(of code: String, _ secret: [UInt8], now: Int64) throws(Failure) -> Int64? {
        let present = step(at: now)
        let typed = SecretBytes(Array(code.utf8))
        var found: Int64?
        for step in present - stepsApart...present + stepsApart {
            if SecretBytes(Array(try Self.code(secret, step: step).utf8)) == typed { found = step }
        }
        return found
    }

    /// The address that authenticator apps read from a QR code.
    /// Source: the key URI format of Google Authenticator.
    package static func address(_ secret: [UInt8], account: String, host: String) -> String {
        let issuer = host.isEmpty ? "tour-chat" : "tour-chat " + host
        return "otpauth://totp/\(escaped(issuer)):\(escaped(account))?secret=\(Base32.encode(secret))"
            + "&issuer=\(escaped(issuer))&algorithm=SHA1&digits=\(digits)&period=\(stepSeconds)"
    }

    private static func escaped(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "!"..."~")))
            ?? ""
    }
}
