import HTTPTypes
import Hummingbird

/// The origins whose pages may call the server from a browser; at first none but its own. No cookie is a caller's proof
/// here, so a page has what its own token gives it, and nothing that another page left behind.
/// Source: Fetch Standard, "CORS protocol".
package struct AllowedOrigins: Sendable, Hashable {
    /// The most that an operator may name.
    package static let countMax = 32
    /// Seconds for which a browser need not ask again; Chromium takes two hours at most.
    private static let askedAgainSeconds = 7200
    private static let asked = HTTPField.Name("Access-Control-Request-Method")!
    /// The headers that the contract names, beside those that a page may send and read anyway.
    private static let taken =
        "Authorization, Content-Range, Content-Type, Idempotency-Key, If-None-Match, If-Range, Range"
    private static let shown =
        "Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Retry-After, Upload-Offset, X-Request-Id"

    private var origins: Set<String> = []
    private var isAny = false

    /// None.
    package init() {}

    /// - Parameter origins: `https://HOST[:PORT]`, as browsers write it: in lower case, without the port that is meant
    ///   without one, and without a path; by plain HTTP only for this machine, where a company writes its app; or `*`.
    /// - Returns: nil where one is something else, or for more than `countMax`.
    package init?(_ origins: [String]) {
        guard origins.count <= Self.countMax else { return nil }
        for origin in origins where origin != "*" {
            let form = /https:\/\/[a-z0-9.\-\[\]:]+|http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?/
            guard origin.wholeMatch(of: form) != nil, !origin.hasSuffix(":443"), !origin.hasSuffix(":") else {
                return nil
            }
        }
        isAny = origins.contains("*")
        self.origins = Set(origins)
    }

    private func allows(_ origin: String?) -> Bool {
        guard let origin else { return false }
        return isAny || origins.contains(origin)
    }

    /// Whether a page of another site sends the request, one that may not call. A browser asks no question before some
    /// requests of such a page: those with a body of no type, or of a form's.
    func isForeign(_ head: HTTPRequest, to served: ServedAddress) -> Bool {
        guard let origin = head.headerFields[.origin], !allows(origin) else { return false }
        // `https://example.org:8443`; a page without an origin of its own says `null`.
        let parts = origin.lowercased().split(separator: "/")
        guard parts.count == 2 else { return true }
        return ![head.authority ?? "", served.host(of: head)].contains { $0.lowercased() == parts[1] }
    }

    /// The answer to the question that a browser asks before a request of a page; nil: it is none, or of a page that
    /// may not call.
    func preflight(_ head: HTTPRequest) -> Response? {
        guard head.method == .options, head.headerFields[Self.asked] != nil,
            allows(head.headerFields[.origin])
        else { return nil }
        var headers = HTTPFields()
        headers[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, PATCH, DELETE"
        headers[.accessControlAllowHeaders] = Self.taken
        headers[.accessControlMaxAge] = String(Self.askedAgainSeconds)
        return Response(status: .noContent, headers: headers)
    }

    /// Lets the page that a request is from read the answer.
    func mark(_ headers: inout HTTPFields, for head: HTTPRequest) {
        guard isAny || !origins.isEmpty else { return }
        // A cache must not give one page what another may read.
        headers[.vary] = headers[.vary].map { "\($0), Origin" } ?? "Origin"
        guard let origin = head.headerFields[.origin], allows(origin) else { return }
        headers[.accessControlAllowOrigin] = isAny ? "*" : origin
        headers[.accessControlExposeHeaders] = Self.shown
    }
}
