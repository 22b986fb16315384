import FuzzDriver
import FuzzSupport
import TourCrypto
import TourModel

/// A code as somebody types it; and codes of any seed, typed with noise between the letters.
enum InviteCodeHarness {
    static func run(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let code = roundTrip(
            bytes, decode: { parse(String(decoding: $0, as: UTF8.self)) }, encode: { Array($0.text.utf8) })
        if let code { check(parse(code.compact) == code, "the compact code of \(text) is another") }
        var program = ByteProgram(bytes)
        guard let secret = InviteSecret(seed: program.take(InviteCode.seedBytes)),
            let tour = TourID(program.take(Bytes32.count))
        else { return }
        let made = InviteCode(secret: secret, tour: tour)
        check(parse(typed(made.compact, &program)) == made && made.names(tour), "a code cannot be typed")
    }

    private static func parse(_ text: String) -> InviteCode? { try? InviteCode(parsing: text) }

    /// The same code with another case, blanks and dashes, and digits for the letters that they look like.
    private static func typed(_ letters: String, _ program: inout ByteProgram) -> String {
        var text = ""
        for letter in letters {
            switch program.number(below: 6) {
            case 0: text += letter.lowercased()
            case 1: text += "\(letter) \u{2013}\n"
            case 2: text += ["O": "0", "I": "1", "B": "8"][letter] ?? String(letter)
            default: text.append(letter)
            }
        }
        return text
    }
}
