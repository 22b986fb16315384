import Logging
import ServerBase
import ServerStorage
import Synchronization

/// The operator's bans as this process last read them. Requests have them read again once they are old, so that a
/// command of the operator reaches every process without a message to any.
/// Source: `Protocol/10-server.md`, "Bans".
package final class Bans: Sendable {
    private struct State {
        var list = BanList([])
        /// Microseconds since 1970; nil: nobody has read them.
        var readAt: Int64?
        /// Under way; who comes meanwhile waits for it.
        var reading: Task<Void, Never>?
    }

    private let storage: any Storage
    private let logger: Logger
    private let state = Mutex(State())

    package init(storage: any Storage, logger: Logger) {
        self.storage = storage
        self.logger = logger
    }

    /// Reads them if that was `ServerLimits.bansInterval` ago. Where the database cannot be read those of before stay,
    /// and the next one to try is a request after another interval: the database that is away holds up few.
    /// - Parameter now: microseconds since 1970, as everywhere here.
    package func renew(now: Int64) async {
        let reading = state.withLock { state -> Task<Void, Never>? in
            if let reading = state.reading { return reading }
            // A clock that was set back makes them old too.
            if let readAt = state.readAt, (0..<ServerLimits.bansInterval).contains(now - readAt) { return nil }
            state.readAt = now
            let task = Task { await read(now: now) }
            state.reading = task
            return task
        }
        await reading?.value
    }

    private func read(now: Int64) async {
        do throws(Failure) {
            let found = try await storage.read { sql throws(Failure) in try BanRows(sql: sql).all(now: now) }
            let list = BanList(found)
            state.withLock { ($0.list, $0.reading) = (list, nil) }
        } catch {
            state.withLock { $0.reading = nil }
            logger.error("bans could not be read: those of before count", metadata: ["cause": "\(error)"])
        }
    }

    /// - Parameter client: nil for an address that cannot be read, which no ban is of.
    /// - Throws: `banned`.
    func refuse(client: IPNetwork?, now: Int64) throws(Failure) {
        guard let client else { return }
        try refuse(state.withLock { $0.list.end(of: client) }, now: now)
    }

    /// - Parameter contact: an e-mail address or a phone number in the one form of its type.
    /// - Throws: `banned`.
    package func refuse(contact: String, now: Int64) throws(Failure) {
        try refuse(state.withLock { $0.list.contacts[contact] }, now: now)
    }

    /// - Throws: `banned`.
    package func refuse(account: Int64, now: Int64) throws(Failure) {
        try refuse(state.withLock { $0.list.accounts[account] }, now: now)
    }

    /// Whether any ban is of a caller.
    package func hold(client: IPNetwork?, account: Int64?, now: Int64) -> Bool {
        do throws(Failure) {
            try refuse(client: client, now: now)
            if let account { try refuse(account: account, now: now) }
            return false
        } catch {
            return true
        }
    }

    /// - Parameter end: of the ban that holds; nil: none does.
    private func refuse(_ end: Int64?, now: Int64) throws(Failure) {
        if let end, end > now { throw Failure(.banned, limit: "bans") }
    }
}

/// Bans by what they are of, with their ends; one without an end has the last moment there is.
private struct BanList: Sendable {
    private(set) var contacts: [String: Int64] = [:]
    private(set) var accounts: [Int64: Int64] = [:]
    private var networks: [IPNetwork: Int64] = [:]
    /// Lengths of prefixes that any network has: so many are looked up for each client, however many bans there are.
    private var lengths: Set<Int> = []

    init(_ bans: [Ban]) {
        for ban in bans {
            let end = ban.endsAt ?? .max
            switch ban.target.kind {
            case .contact: contacts[ban.target.text] = end
            case .account: if let account = ban.target.account { accounts[account] = end }
            case .network:
                guard let network = IPNetwork(ban.target.text) else { continue }
                networks[network] = end
                lengths.insert(network.length)
            }
        }
    }

    /// When the last of the bans ends that a client falls under.
    func end(of client: IPNetwork) -> Int64? {
        lengths.lazy.compactMap { length in client.within(length).flatMap { networks[$0] } }.max()
    }
}
