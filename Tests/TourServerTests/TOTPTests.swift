import ServerAccounts
import ServerBase
import ServerRequests
import Testing
import TourCrypto

/// Goal: the codes are those of every authenticator app, and what a session is known by tells no more than it should.
/// Method: the vectors of RFC 6238 and RFC 4226; headers and addresses with what they are to become.
struct TOTPTests {
    /// Of both papers.
    private static let secret = Array("12345678901234567890".utf8)

    /// Source: RFC 6238, appendix B, SHA-1.
    @Test(arguments: [
        (Int64(59), "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func timesHaveTheirCodes(seconds: Int64, code: String) throws {
        #expect(try TOTP.code(Self.secret, step: TOTP.step(at: seconds * 1_000_000), digits: 8) == code)
    }

    /// Source: RFC 4226, appendix D.
    @Test func countersHaveTheirCodes() throws {
        let codes = try (0..<10).map { try TOTP.code(Self.secret, step: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
            ])
    }

    @Test func oneStepBeforeAndAfterIsTaken() throws {
        let now: Int64 = 1_780_272_015_000_000
        let step = TOTP.step(at: now)
        for apart in Int64(-3)...3 {
            let found = try TOTP.step(of: TOTP.code(Self.secret, step: step + apart), Self.secret, now: now)
            #expect(found == (abs(apart) <= 1 ? step + apart : nil), "\(apart) steps away")
        }
        for text in ["", "12345", "1234567", "abcdef"] {
            #expect(try TOTP.step(of: text, Self.secret, now: now) == nil)
        }
        #expect(try TOTP.step(of: TOTP.code(Self.secret, step: 0), Self.secret, now: 0) == 0)
    }

    @Test func appsReadTheAddress() {
        let address = TOTP.address(Self.secret, account: "ayşe@example.org", host: "tours.example:8443")
        #expect(
            address == "otpauth://totp/tour%2Dchat%20tours%2Eexample%3A8443:ay%C5%9Fe%40example%2Eorg"
                + "?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=tour%2Dchat%20tours%2Eexample%3A8443"
                + "&algorithm=SHA1&digits=6&period=30")
    }

    @Test(arguments: [
        ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox, Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 "
                + "Safari/537.36 Edg/138.0", "Edge, Windows"
        ),
        (
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/18.5 Mobile/15E148 Safari/604.1", "Safari, iPhone"
        ),
        ("NotesApp/1 CFNetwork/3826.500.131 Darwin/24.5.0", "NotesApp, Apple"),
        ("tour-chat (Linux)", "tour-chat, Linux"), ("tour-chat", "tour-chat"), ("curl/8.5.0", "curl"),
    ])
    func devicesHaveWords(header: String, words: String) {
        #expect(DeviceWords.of(header) == words)
    }

    @Test func otherHeadersHaveNoneOrFew() {
        for header in ["", " ", "Mozilla/5.0", "/", "(", "ğ"] { #expect(DeviceWords.of(header) == nil) }
        #expect(DeviceWords.of("\u{1b}[2J") == "2J", "nothing that a terminal obeys")
        let long = DeviceWords.of(String(repeating: "x", count: 10_000)) ?? ""
        #expect(long.count == ServerLimits.deviceWordsMax)
        #expect(DeviceWords.of("<b>x</b>\u{202e}/1 Linux") == "bx, Linux")
    }

    @Test(arguments: [
        ("203.0.113.77", "203.0.113.0/24"), ("127.0.0.1", "127.0.0.0/24"), ("2001:db8:1:2::/64", "2001:db8:1::/48"),
        ("::1", "::1/128"),
    ])
    func networksAreCoarse(address: String, network: String) {
        #expect(SessionOrigin.network(of: address) == network)
    }

    @Test func anAddressThatCannotBeReadIsNoNetwork() {
        for text in ["unknown", "", "1.2.3", "1.2.3.4.5", "1.2.3.999", "a.b.c.d"] {
            #expect(SessionOrigin.network(of: text) == nil)
        }
    }
}
