import ServerBase
import ServerRequests
import TourCrypto

extension SMSCode {
    /// A random code; no value is likelier than another by more than one part in 10^13.
    package static func random() -> SMSCode {
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
