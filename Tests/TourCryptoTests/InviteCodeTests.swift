import Testing
import TourCrypto
import TourModel

/// Goal: a code survives being read aloud and typed, and each mistake is named. Method: the published vectors, then
/// every single wrong letter of one code.
struct InviteCodeTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")

    @Test func vectors() throws {
        for vector in try Vectors.cases("invite-code.json") {
            let typed = try vector.text("code")
            guard try vector.isValid() else {
                let error = #expect(throws: InviteCodeError.self) { try InviteCode(parsing: typed) }
                #expect(error?.code == (try vector.text("error")))
                continue
            }
            let code = try InviteCode(parsing: typed)
            #expect(code.compact == (try vector.text("compact")))
            #expect(code.text == (try vector.text("text")))
            #expect(Hex.encode(code.seed) == (try vector.text("seed")))
            #expect(Hex.encode(code.tourPrefix) == (try vector.text("tourPrefix")))
            let secret = InviteSecret(code: code)
            #expect(secret.invitePair.publicKey.hex == (try vector.text("inviteKey")))
            #expect(Hex.encode(secret.joinSecret.exposedCopy()) == (try vector.text("joinSecret")))
        }
    }

    @Test func roundTrips() throws {
        for number in UInt8(0)..<100 {
            let tour = TourID(genesis: [number])
            let secret = try #require(InviteSecret(seed: Hash.of(.body, [number]).bytes.prefix(16)))
            let code = InviteCode(secret: secret, tour: tour)
            #expect(code.text.count == 56 + 13)
            #expect(code.names(tour) && !code.names(.none))
            #expect(try InviteCode(parsing: code.text) == code)
            #expect(try InviteCode(parsing: code.compact.lowercased()) == code)
            #expect(InviteSecret(code: code) == secret)
        }
    }

    @Test func dashesBlanksAndLookAlikesDoNotMatter() throws {
        let code = InviteCode(secret: .random(), tour: .none)
        let typed = code.text.replacing("O", with: "0").replacing("I", with: "1").replacing("B", with: "8")
        #expect(try InviteCode(parsing: typed) == code)
        for dash in ["–", "—", " ", "\n", "\t", "\u{A0}", "\u{2212}", ""] {
            #expect(try InviteCode(parsing: " " + typed.replacing("-", with: dash) + "\n") == code)
        }
    }

    @Test(arguments: [
        "\u{202A}", "\u{202C}", "\u{2066}", "\u{2069}", "\u{200E}", "\u{200F}", "\u{200B}", "\u{2060}", "\u{FEFF}",
        "\u{AD}",
        "\u{61C}", "\u{FE0F}",
    ])
    func marksThatNobodySeesDoNotMatter(mark: String) throws {
        let code = InviteCode(secret: .random(), tour: .none)
        #expect(try InviteCode(parsing: mark + code.text.replacing("-", with: mark + "-") + mark) == code)
    }

    @Test func everySingleWrongLetterIsRefused() throws {
        let secret = try #require(InviteSecret(seed: [UInt8](0..<16)))
        let right = Array(InviteCode(secret: secret, tour: TourID(genesis: [1])).compact)
        for index in right.indices {
            for letter in Self.alphabet where letter != right[index] {
                var wrong = right
                wrong[index] = letter
                #expect(throws: InviteCodeError.mistyped) { try InviteCode(parsing: String(wrong)) }
            }
        }
    }

    @Test func eachMistakeHasItsOwnError() {
        let code = InviteCode(secret: .random(), tour: .none).compact
        #expect(throws: InviteCodeError.notBase32) { try InviteCode(parsing: code.dropLast() + "9") }
        #expect(throws: InviteCodeError.notBase32) { try InviteCode(parsing: code + "é") }
        #expect(throws: InviteCodeError.wrongLength) { try InviteCode(parsing: String(code.dropLast())) }
        #expect(throws: InviteCodeError.wrongLength) { try InviteCode(parsing: code + "A") }
        #expect(throws: InviteCodeError.wrongLength) { try InviteCode(parsing: "") }
    }

    @Test func neverPrintsItsSeed() throws {
        let secret = try #require(InviteSecret(seed: [UInt8](repeating: 0xAB, count: 16)))
        let code = InviteCode(secret: secret, tour: .none)
        #expect(!"\(code)".contains("ab") && !"\(code)".contains(code.compact.prefix(8)))
    }

    @Test func seedsOfOtherLengthsAreRefused() {
        for count in [0, 15, 17] { #expect(InviteSecret(seed: [UInt8](repeating: 0, count: count)) == nil) }
    }
}
