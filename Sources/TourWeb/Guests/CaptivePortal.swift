import HTTPTypes
import TourWords

/// Leads phones that enter the hotspot to the guest page. A phone asks servers of its maker whether a network has
/// internet; in a hotspot without any, the machine answers for these names, and the questions arrive at the page's
/// door. There they are answered with the way to a page of welcome, until the guest says that the phone shall stay.
/// Source: `Documentation/network.md`, "Phones that enter the hotspot".
package struct CaptivePortal: Sendable {
    /// A moment of a clock that never steps.
    package typealias Time = ContinuousClock.Instant

    /// What the door answers, with these fields in place of its own.
    package struct Answer: Equatable, Sendable {
        package var status: HTTPResponse.Status
        package var fields: HTTPFields
        package var body: String
    }

    /// What the door knows of a request.
    package struct Question: Sendable {
        package var method: HTTPRequest.Method
        /// Perhaps with a query.
        package var path: String
        /// As the `Host` field says it; nil, or as `door`, where it is a name of the page.
        package var host: String?
        /// The address and port of this machine at which the request arrived, as in a URL: `10.42.0.1:8480`.
        package var door: String
        /// `NAME:PORT`, where the page is by https; nil: it is by http alone.
        package var https: String?
        /// The phone's address, without its port.
        package var phone: String
        /// Whether a guest has a channel from this address.
        package var isGuest: Bool
        package var language: Language

        package init(
            _ method: HTTPRequest.Method, _ path: String, host: String?, door: String, https: String? = nil,
            phone: String, isGuest: Bool = false, language: Language = .english
        ) {
            self.method = method
            self.path = path
            self.host = host
            self.door = door
            self.https = https
            self.phone = phone
            self.isGuest = isGuest
            self.language = language
        }
    }

    /// The path of the page of welcome.
    package static let welcome = "/welcome"
    /// How many phones are known to stay; the one that said so first makes room. The hotspot has 245 addresses.
    package static let stayingMax = 512
    /// After this time a phone is asked anew: its address may be another one's by then. As long as a pass is good.
    package static let stayTime: Duration = .seconds(12 * 3_600)

    private var staying = [String: Time]()

    package init() {}

    /// - Returns: nil for a request that is none of the portal's: it is for the page.
    package mutating func answer(_ question: Question, now: Time) -> Answer? {
        let path = String(question.path.prefix { $0 != "?" })
        guard isOurs(question) else {
            guard question.method == .get || question.method == .head else { return nil }
            let isFree = question.isGuest || stays(question.phone, now)
            return isFree ? Probe.success(path) ?? Self.way(to: question.door) : Self.way(to: question.door)
        }
        guard path == Self.welcome else { return nil }
        switch question.method {
        case .get, .head:
            let isFree = question.isGuest || stays(question.phone, now)
            return WelcomePage(
                door: question.door, https: question.https, stays: isFree, language: question.language
            ).answer
        case .post:
            keep(question.phone, now)
            return Self.way(to: question.door, status: .seeOther)
        default: return nil
        }
    }

    /// Whoever names no host is no browser, and no phone that asks for the internet.
    private func isOurs(_ question: Question) -> Bool {
        question.host.map { $0.lowercased() == question.door } ?? true
    }

    private func stays(_ phone: String, _ now: Time) -> Bool {
        staying[phone].map { $0.duration(to: now) < Self.stayTime } ?? false
    }

    private mutating func keep(_ phone: String, _ now: Time) {
        if staying.count >= Self.stayingMax, staying[phone] == nil,
            let first = staying.min(by: { $0.value < $1.value })?.key
        {
            staying[first] = nil
        }
        staying[phone] = now
    }

    /// A redirection to the page of welcome, at an address: the names of this answer are the phone maker's.
    private static func way(to door: String, status: HTTPResponse.Status = .found) -> Answer {
        let place = "http://\(door)\(welcome)"
        return Answer(
            status: status,
            fields: [.location: place, .contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            // Some phones show what an answer says in place of following it.
            body: "<!doctype html><title>Tour Chat</title><a href=\"\(place)\">\(place)</a>\n")
    }
}

/// What servers of phone makers answer where there is internet.
private enum Probe {
    /// - Returns: nil for a path that is no question of this kind.
    static func success(_ path: String) -> CaptivePortal.Answer? {
        switch path {
        // Android, ChromeOS, and most Linux desktops.
        case "/generate_204", "/gen_204": answer(.noContent, "", "text/plain")
        // iOS and macOS.
        case "/hotspot-detect.html", "/library/test/success.html":
            answer(.ok, "<HTML><HEAD><TITLE>Success</TITLE></HEAD><BODY>Success</BODY></HTML>", "text/html")
        // Windows.
        case "/connecttest.txt": answer(.ok, "Microsoft Connect Test", "text/plain")
        case "/ncsi.txt": answer(.ok, "Microsoft NCSI", "text/plain")
        // Firefox.
        case "/canonical.html":
            answer(
                .ok, "<meta http-equiv=\"refresh\" content=\"0;url=https://support.mozilla.org/kb/captive-portal\"/>",
                "text/html")
        case "/success.txt": answer(.ok, "success\n", "text/plain")
        // NetworkManager, of GNOME and of Debian.
        case "/check_network_status.txt", "/nm": answer(.ok, "NetworkManager is online\n", "text/plain")
        // Kindle.
        case "/kindle-wifi/wifistub.html":
            answer(.ok, "<html><body>81ce4465-7167-4dcb-835b-dcc9e44c112a</body></html>\n", "text/html")
        default: nil
        }
    }

    private static func answer(
        _ status: HTTPResponse.Status, _ body: String, _ mediaType: String
    ) -> CaptivePortal.Answer {
        var fields: HTTPFields = [.cacheControl: "no-store"]
        if status != .noContent { fields[.contentType] = mediaType }
        return CaptivePortal.Answer(status: status, fields: fields, body: body)
    }
}

/// The page of welcome: without scripts or storage, for the small window that a phone opens for a network's sign-in.
/// That window has no camera, and forgets everything when it closes; so the guest goes on in the phone's own browser.
private struct WelcomePage {
    let door: String
    let https: String?
    let stays: Bool
    let language: Language

    private static let stay = Phrase("If your phone asks whether to stay in a network without internet, let it stay.")
    private static let fields: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
        .contentSecurityPolicy:
            "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; "
            + "base-uri 'none'",
    ]

    var answer: CaptivePortal.Answer { CaptivePortal.Answer(status: .ok, fields: Self.fields, body: html) }

    private var html: String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)"\(language == .arabic ? " dir=\"rtl\"" : "")><head><meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1"><title>Tour Chat</title>
        <style>
        :root { color-scheme: light dark }
        body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 32rem; margin: 2rem auto; padding: 0 1rem }
        button { font: inherit; padding: .75rem 1.5rem }
        </style></head><body>
        <h1>\(said(Phrase("You are in the tour's network")))</h1>
        \(stays ? next : question)
        </body></html>

        """
    }

    /// A button needs no script: each of these windows can send a form. Some close at once then, so all is said before.
    private var question: String {
        """
        <p>\(said(Phrase("It has no internet, and the tour needs none.")))</p>
        <form method="post" action="\(CaptivePortal.welcome)">
        <button>\(said(Phrase("Stay in this network")))</button></form>
        <p>\(said(Self.stay))</p>
        <p>\(said(Phrase("Then scan the guide's code for guests with your camera.")))</p>
        """
    }

    private var next: String {
        // By which of them a guest came in, its browser alone knows.
        let pages = [https.map { "https://\($0)/" }, "http://\(door)/"].compactMap(\.self)
        let address = Phrase(verbatim: pages.joined(separator: " | "))
        return """
            <p>\(said(Self.stay))</p>
            <p>\(said(Phrase("Now close this window, and scan the guide's code for guests with your camera.")))</p>
            <p>\(said(Phrase("Were you in already? Then open \(address) in your browser.")))</p>
            """
    }

    private func said(_ phrase: Phrase) -> String {
        phrase.said(in: language).replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
