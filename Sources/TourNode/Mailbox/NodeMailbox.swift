import TourMailbox
import TourModel

/// The server of a node: which one, its client, and when the memory that requests use is released. Source:
/// `Protocol/09-mailbox.md`.
///
/// Used on the node's loop alone.
package final class NodeMailbox {
    /// Nil while no server is set.
    package private(set) var client: APIClient?
    /// Nil where the kernel does not report network changes.
    private var watch: NetworkWatch?
    /// When to release the memory of the last sync.
    private var releaseAt: Instant?

    private static let baseSetting = "mailbox-base"
    private static let authoritySetting = "mailbox-authority"
    /// By then the events of a sync are shown, stored and passed on, and its connections are closed.
    private static let restTime: Duration = .seconds(10)

    package init() {}

    /// The address of the server that is stored.
    package func storedBase(_ host: some MailboxHost) throws -> String? { try host.setting(Self.baseSetting) }

    /// Stores which server to use.
    /// - Parameters:
    ///   - base: nil: none from now on.
    ///   - authority: nil: the stored one stays.
    package func store(_ base: MailboxBase?, authority: String?, _ host: some MailboxHost) throws {
        try host.setSetting(Self.baseSetting, base?.description)
        if base == nil || authority != nil { try host.setSetting(Self.authoritySetting, authority) }
    }

    /// Uses this server from now on.
    /// - Throws: `APIError`, `StoreError`.
    package func open(at base: MailboxBase, _ host: some MailboxHost) throws -> APIClient {
        let client = try host.client(of: base, authority: host.setting(Self.authoritySetting))
        (self.client, watch, releaseAt) = (client, nil, nil)
        return client
    }

    /// Keeps the watch on the networks until the server is closed.
    package func keep(_ watch: NetworkWatch) { if client != nil { self.watch = watch } }

    /// - Returns: the client, which has to be closed once its requests have ended; nil: there is no server.
    package func close() -> APIClient? {
        defer { (client, watch, releaseAt) = (nil, nil, nil) }
        watch?.close()
        return client
    }

    /// Requests to the server use memory, which is released later.
    package func scheduleMemoryRelease(_ host: some MailboxHost) {
        if client != nil { releaseAt = host.now + Self.restTime }
    }

    /// Once a second: releases the memory of a sync, since the next one may be far away.
    /// - Parameter isSyncing: whether any tour's sync is in progress.
    package func tick(now: Instant, isSyncing: Bool, _ host: some MailboxHost) {
        guard let due = releaseAt, due <= now, !isSyncing else { return }
        releaseAt = nil
        host.releaseMemory()
    }
}
