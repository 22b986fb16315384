import ArgumentParser
import TourServer

/// Where the operator's page is.
struct AdminPageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Address for the operator's page, which 'admin page' opens (default: none). It speaks plain HTTP, and who \
            reads that is the operator: so it is an address of this machine, such as 127.0.0.1:9465, unless \
            --admin-url says that a proxy of yours with a certificate stands in front.
            """, valueName: "host:port"))
    var adminListen: String?
    @Option(
        help: ArgumentHelp(
            "The address by which you reach the page through such a proxy: https://HOST.", valueName: "url"))
    var adminURL: String?

    func validate() throws { _ = try settings() }

    /// - Returns: nil: there is no page.
    func settings() throws -> ServerSettings.AdminPage? {
        guard let adminListen else {
            guard adminURL == nil else { throw ValidationError("--admin-url wants --admin-listen too.") }
            return nil
        }
        let listener = try ServerSettings.Listener(written: adminListen, option: "--admin-listen")
        guard let page = ServerSettings.AdminPage(listener: listener, url: adminURL) else {
            throw ValidationError(
                """
                --admin-listen wants an address of this machine such as 127.0.0.1:9465; another one only with \
                --admin-url https://HOST, where a proxy of yours with a certificate stands in front.
                """)
        }
        return page
    }
}

extension ServerSettings.Listener {
    /// - Parameter text: `HOST:PORT`, for IPv6 `[ADDRESS]:PORT`.
    /// - Parameter option: named in the error.
    /// - Throws: `ValidationError`.
    init(written text: String, option: String) throws {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else {
            throw ValidationError("\(option) wants HOST:PORT, for IPv6 [ADDRESS]:PORT, not '\(text)'.")
        }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { throw ValidationError("\(option) wants HOST:PORT, not '\(text)'.") }
        self.init(host: String(host), port: Int(port))
    }
}
