import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage

/// Decides whether a request is the operator's page's own: whether it comes to a name that only leads here, from the
/// page rather than from another site in the same browser, and with both secrets of an open session.
struct AdminDoor: Sendable {
    private let storage: any Storage
    /// `https://admin.example.org`; nil without a proxy in front.
    private let url: String?

    init(_ page: ServerSettings.AdminPage, storage: any Storage) {
        self.storage = storage
        url = page.url?.lowercased()
    }

    /// The cookie's name; every port of a host shares its cookies.
    private static let cookieName = "tour-server-admin"
    /// Browsers let other sites send no header of this name here.
    private static let keyName = HTTPField.Name("X-Admin-Key")!
    private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!

    /// A site may have its own name lead to this machine, so that its page reads the answers: the name then is not one
    /// of these.
    /// - Throws: `forbidden`.
    func requireOwnName(_ head: HTTPRequest) throws(Failure) {
        let authority = (head.authority ?? "").lowercased()
        if let url, url.hasSuffix("://" + authority) { return }
        guard PageAddress.isThisMachine(Self.host(of: authority)) else {
            throw Failure(.forbidden, cause: "the page is at its own address alone")
        }
    }

    /// - Parameter isChange: a request that changes something must name the site that sends it: browsers do.
    /// - Throws: `forbidden`.
    func requireOwnSite(_ head: HTTPRequest, isChange: Bool) throws(Failure) {
        try requireOwnName(head)
        let origin = head.headerFields[.origin]?.lowercased()
        let own = ["http://" + (head.authority ?? "").lowercased(), url]
        let isOwn = origin.map { own.contains($0) } ?? !isChange
        let site = head.headerFields[Self.fetchSite] ?? "same-origin"
        guard isOwn, ["same-origin", "none"].contains(site) else {
            throw Failure(.forbidden, cause: "another site's page has sent this")
        }
    }

    /// - Throws: `unauthenticated` without both secrets of a session that is open.
    func session(of call: Call) async throws(Failure) -> (session: PageSession, secrets: PageKeys.Secrets) {
        guard let cookie = Self.cookie(of: call.head), let key = call.head.headerFields[Self.keyName] else {
            throw Failure(.unauthenticated)
        }
        let secrets = PageKeys.Secrets(cookie: cookie, key: key)
        let session = try await storage.lookUp { sql throws(Failure) in
            try PageKeys(sql: sql).session(secrets, now: call.now)
        }
        guard let session else { throw Failure(.unauthenticated) }
        return (session, secrets)
    }

    /// The header that gives the browser a session's cookie; with nil takes it back.
    func cookie(_ secrets: PageKeys.Secrets?, for head: HTTPRequest) -> String {
        let lifetime = secrets == nil ? 0 : ServerLimits.pageSessionLifetime
        // A proxy in front has TLS, and this listener has not.
        let isSecure = head.headerFields[.origin]?.lowercased().hasPrefix("https://") == true
        return "\(Self.cookieName)=\(secrets?.cookie ?? ""); Max-Age=\(lifetime); Path=/; HttpOnly; SameSite=Strict"
            + (isSecure ? "; Secure" : "")
    }

    private static func cookie(of head: HTTPRequest) -> String? {
        for pair in (head.headerFields[.cookie] ?? "").split(separator: ";") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].filter({ $0 != " " }) == cookieName else { continue }
            return String(parts[1])
        }
        return nil
    }

    /// Without port and brackets.
    private static func host(of authority: String) -> String {
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }
}
