import HTTPTypes
import Testing
import TourWeb
import TourWords

/// Goal: a phone that asks whether there is internet is led to the page, by whatever name and path it asks; one whose
/// guest said that it shall stay hears what its maker's server would say; the page's own requests are left alone.
/// Method: the pure type, with tables of what the systems ask, and times that the test gives.
@Suite struct CaptivePortalTests {
    private static let begin = ContinuousClock.now
    private static let door = "10.42.0.1:8480"
    private static let phone = "10.42.0.17"

    /// Host, path, and what the maker's server answers there: status, and a part of the body.
    private static let probes: [(host: String, path: String, status: Int, body: String)] = [
        ("connectivitycheck.gstatic.com", "/generate_204", 204, ""),
        ("clients3.google.com", "/generate_204", 204, ""), ("play.googleapis.com", "/gen_204", 204, ""),
        ("captive.apple.com", "/hotspot-detect.html", 200, "<BODY>Success</BODY>"),
        ("captive.apple.com", "/library/test/success.html", 200, "<TITLE>Success</TITLE>"),
        ("www.msftconnecttest.com", "/connecttest.txt", 200, "Microsoft Connect Test"),
        ("www.msftncsi.com", "/ncsi.txt", 200, "Microsoft NCSI"),
        ("detectportal.firefox.com", "/canonical.html", 200, "support.mozilla.org/kb/captive-portal"),
        ("detectportal.firefox.com", "/success.txt", 200, "success\n"),
        ("nmcheck.gnome.org", "/check_network_status.txt", 200, "NetworkManager is online"),
        ("network-test.debian.org", "/nm", 200, "NetworkManager is online"),
        ("spectrum.s3.amazonaws.com", "/kindle-wifi/wifistub.html", 200, "81ce4465-7167-4dcb-835b-dcc9e44c112a"),
    ]

    private static func question(
        _ path: String, by method: HTTPRequest.Method = .get, host: String? = door, phone: String = phone,
        isGuest: Bool = false, https: String? = nil, language: Language = .english
    ) -> CaptivePortal.Question {
        CaptivePortal.Question(
            method, path, host: host, door: door, https: https, phone: phone, isGuest: isGuest, language: language)
    }

    /// Who came in by https is a guest at that address alone.
    @Test func whoWasInFindsThePageByHTTPSToo() throws {
        var portal = Self.stayed()
        let both = portal.answer(
            Self.question(CaptivePortal.welcome, https: "guide.tours.test:8443"), now: Self.begin)
        let welcome = try #require(both)
        #expect(welcome.body.contains("https://guide.tours.test:8443/"))
        #expect(welcome.body.contains("http://10.42.0.1:8480/"))
        let one = portal.answer(Self.question(CaptivePortal.welcome), now: Self.begin)
        let plain = try #require(one)
        #expect(!plain.body.contains("https://"))
    }

    /// A portal where this phone stays from the beginning on.
    private static func stayed() -> CaptivePortal {
        var portal = CaptivePortal()
        _ = portal.answer(question(CaptivePortal.welcome, by: .post), now: begin)
        return portal
    }

    @Test func eachQuestionLeadsToTheWelcome() throws {
        var portal = CaptivePortal()
        let others = [("www.msftconnecttest.com", "/redirect"), ("example.org", "/any?thing=1"), ("10.9.9.9", "/")]
        for (host, path) in Self.probes.map({ ($0.host, $0.path) }) + others {
            for method in [HTTPRequest.Method.get, .head] {
                let found = portal.answer(Self.question(path, by: method, host: host), now: Self.begin)
                let answer = try #require(found)
                #expect(answer.status == .found, "\(host)\(path)")
                #expect(answer.fields[.location] == "http://10.42.0.1:8480/welcome", "\(host)\(path)")
                #expect(answer.fields[.cacheControl] == "no-store")
            }
        }
    }

    @Test func aPhoneThatStaysHearsWhatItAskedFor() throws {
        var portal = Self.stayed()
        for probe in Self.probes {
            let question = Self.question(probe.path + "?x=1", host: probe.host)
            let found = portal.answer(question, now: Self.begin + .seconds(1))
            let answer = try #require(found)
            #expect(answer.status.code == probe.status, "\(probe)")
            #expect(answer.body.contains(probe.body) && (probe.status != 204 || answer.body.isEmpty), "\(probe)")
            #expect(answer.fields[.cacheControl] == "no-store")
        }
        // What is no such question is led to the page all the same, and another phone is asked.
        let redirect = portal.answer(Self.question("/redirect", host: "www.msftconnecttest.com"), now: Self.begin)
        #expect(redirect?.status == .found)
        let other = portal.answer(
            Self.question("/generate_204", host: "clients3.google.com", phone: "10.42.0.18"), now: Self.begin)
        #expect(other?.status == .found)
    }

    @Test func aGuestIsFree() {
        var portal = CaptivePortal()
        let asked = Self.question("/generate_204", host: "connectivitycheck.gstatic.com", isGuest: true)
        let answer = portal.answer(asked, now: Self.begin)
        #expect(answer?.status == .noContent)
    }

    @Test func stayingEnds() {
        var portal = Self.stayed()
        let asked = Self.question("/generate_204", host: "connectivitycheck.gstatic.com")
        let last = portal.answer(asked, now: Self.begin + CaptivePortal.stayTime - .seconds(1))
        #expect(last?.status == .noContent)
        let over = portal.answer(asked, now: Self.begin + CaptivePortal.stayTime)
        #expect(over?.status == .found)
    }

    @Test func theTableOfThoseWhoStayIsBounded() {
        var portal = Self.stayed()
        for index in 0..<CaptivePortal.stayingMax {
            let other = Self.question(CaptivePortal.welcome, by: .post, phone: "10.9.\(index / 256).\(index % 256)")
            _ = portal.answer(other, now: Self.begin + .seconds(1 + index))
        }
        let now = Self.begin + .seconds(1_000)
        func status(_ phone: String) -> Int? {
            portal.answer(Self.question("/gen_204", host: "play.googleapis.com", phone: phone), now: now)?.status.code
        }
        let statuses = [Self.phone, "10.9.0.0", "10.9.1.255"].map { status($0) }
        #expect(statuses == [302, 204, 204])
    }

    @Test func thePagesOwnRequestsAreLeftAlone() {
        var portal = CaptivePortal()
        let left = [
            Self.question("/"), Self.question("/generate_204"), Self.question("/seat/hello", by: .post),
            Self.question("/", host: nil), Self.question(CaptivePortal.welcome, by: .put),
            // Another site's name that points here; the door refuses it.
            Self.question("/seat/ask", by: .post, host: "example.org"),
        ]
        for question in left {
            let answer = portal.answer(question, now: Self.begin)
            #expect(answer == nil, "\(question.method) \(question.path) \(question.host ?? "-")")
        }
    }

    @Test(arguments: Language.allCases) func theWelcomeAsksThenSaysHowToGoOn(in language: Language) throws {
        var portal = CaptivePortal()
        let shown = Self.question(CaptivePortal.welcome, language: language)
        let asking = portal.answer(shown, now: Self.begin)
        let first = try #require(asking)
        #expect(first.status == .ok && first.fields[.contentType] == "text/html; charset=utf-8")
        #expect(first.body.contains("<html lang=\"\(language.rawValue)\""))
        #expect(first.body.contains("<form method=\"post\" action=\"/welcome\">"))
        #expect(!first.body.contains("<script") && first.body.utf8.count < 3_000)
        #expect(first.fields[.init("Content-Security-Policy")!]?.hasPrefix("default-src 'none'") == true)

        let pressed = portal.answer(
            Self.question(CaptivePortal.welcome, by: .post, language: language), now: Self.begin)
        #expect(pressed?.status == .seeOther)
        #expect(pressed?.fields[.location] == "http://10.42.0.1:8480/welcome")
        let after = portal.answer(shown, now: Self.begin)
        let second = try #require(after)
        #expect(second.body.contains("http://10.42.0.1:8480/") && !second.body.contains("<form"))
        #expect(second.body.utf8.count < 3_000)
    }
}
