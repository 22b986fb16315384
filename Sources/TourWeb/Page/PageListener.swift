import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import TourNode
import TourPresentation
import TourWords

/// The page's door: a port of 127.0.0.1 that every program on this machine can reach, and every page in the user's
/// browser too. `Protocol/threat-model.md` describes its guards: the token, and the headers that a browser adds and
/// no page can change.
final class PageListener: Sendable {
    private struct State {
        var record: PageRecord
        var isOpen = false
        /// The door will not open any more.
        var isOver = false
        var waiting: [CheckedContinuation<String?, Never>] = []
    }

    private let state: Mutex<State>
    let tickets = DownloadTickets<Ticket>()
    /// Tickets for programs that open the page in a browser: the token itself would be visible among their arguments.
    private let entries = DownloadTickets<Void>()

    init(_ record: PageRecord) { state = Mutex(State(record: record)) }

    var record: PageRecord { state.withLock { $0.record } }

    /// Makes a new token: from here on the old one is worthless to anybody who learnt it.
    func renew() { state.withLock { $0.record = PageRecord(port: $0.record.port) } }

    /// The door listens from here on.
    func open(port: UInt16) {
        settle { state in
            state.record = state.record.moved(to: port)
            state.isOpen = true
        }
    }

    /// The door does not listen, or no longer does.
    func close() {
        settle { state in
            state.isOpen = false
            state.isOver = true
        }
    }

    /// Waits until the door listens.
    /// - Returns: the page's address with its token, to be opened as it is; nil when the door never opens.
    func address() async -> String? {
        await withCheckedContinuation { waiting in
            let answer = state.withLock { state -> String?? in
                if state.isOpen { return .some(Self.address(state.record)) }
                if state.isOver { return .some(nil) }
                state.waiting.append(waiting)
                return nil
            }
            if let answer { waiting.resume(returning: answer) }
        }
    }

    /// - Returns: nil while the door does not listen.
    var openAddress: String? { state.withLock { $0.isOpen ? Self.address($0.record) : nil } }

    /// An address that opens the page once.
    /// - Parameter route: a view of the page, such as `/chat/ID`; empty: the first one.
    /// - Returns: nil while the door does not listen.
    func entryAddress(route: String = "") -> String? {
        let (isOpen, port) = state.withLock { ($0.isOpen, $0.record.port) }
        return isOpen ? "http://127.0.0.1:\(port)/#ticket=\(entries.issue(()))\(route)" : nil
    }

    /// - Returns: the token.
    /// - Throws: `unknown-ticket`.
    func enter(ticket: String) throws(WebError) -> String {
        guard entries.redeem(ticket) != nil else {
            let action = Reader.current.surface.name(of: .openPage)
            throw WebError(
                "unknown-ticket", Phrase("This link was good once, and for a minute: open the page with \(action)."))
        }
        return record.token
    }

    private func settle(_ change: (inout State) -> Void) {
        let (waiting, address) = state.withLock { state in
            change(&state)
            defer { state.waiting = [] }
            return (state.waiting, state.isOpen ? Self.address(state.record) : nil)
        }
        for continuation in waiting { continuation.resume(returning: address) }
    }

    private static func address(_ record: PageRecord) -> String {
        "http://127.0.0.1:\(record.port)/#token=\(record.token)"
    }

    /// Checks every request, whatever it asks for: these headers reveal another site's name that was made to point
    /// here, and a page of another site that sends requests here.
    /// - Throws: `wrong-host`, `wrong-origin`.
    func checkSource(of request: Request) throws(WebError) {
        let port = record.port
        let host = request.head.authority?.lowercased() ?? ""
        guard ["127.0.0.1:\(port)", "localhost:\(port)"].contains(host) else {
            throw WebError("wrong-host", Phrase("This is the page of 127.0.0.1:\(port), and of no other name."))
        }
        guard request.headers[values: .origin].allSatisfy({ $0 == "http://" + host }),
            request.headers[values: .secFetchSite].allSatisfy({ $0 == "same-origin" || $0 == "none" })
        else {
            throw WebError("wrong-origin", Phrase("Another site may ask nothing here."))
        }
    }

    /// - Throws: `unauthorized`.
    func checkToken(of request: Request) throws(WebError) {
        guard hasToken(request.headers) else {
            let action = Reader.current.surface.name(of: .openPage)
            throw WebError(
                "unauthorized", Phrase("This page was opened without its key: \(action) opens it with the right one."))
        }
    }

    /// Whether the request carries the token, or a ticket for a download.
    func isKnown(_ head: HTTPRequest) -> Bool {
        hasToken(head.headerFields)
            || head.path?.hasPrefix(LocalAPI.downloads) == true
                && tickets.holds(String(head.path?.dropFirst(LocalAPI.downloads.count) ?? ""))
    }

    private func hasToken(_ fields: HTTPFields) -> Bool {
        let scheme = "bearer "
        let given = fields[.authorization] ?? ""
        let isBearer = given.prefix(scheme.count).lowercased() == scheme
        return isBearer && Self.isEqual(given.dropFirst(scheme.count).utf8, record.token.utf8)
    }

    /// Takes equally long for every wrong token, so that the time does not show how much of it was right.
    private static func isEqual(_ given: some Sequence<UInt8>, _ known: some Sequence<UInt8>) -> Bool {
        let given = Array(given)
        let known = Array(known)
        guard given.count == known.count else { return false }
        return zip(given, known).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// Checks the source of every request before any other middleware.
struct SourceGuard<Context: RequestContext>: RouterMiddleware {
    let door: PageListener

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try door.checkSource(of: request)
        return try await next(request, context)
    }
}

/// Admits only requests with the token.
struct TokenGuard<Context: RequestContext>: RouterMiddleware {
    let door: PageListener

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        try door.checkToken(of: request)
        return try await next(request, context)
    }
}

extension HTTPField.Name {
    static let secFetchSite = Self("Sec-Fetch-Site")!
}
