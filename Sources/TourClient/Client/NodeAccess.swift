import TourModel
import TourWords

/// How a command reaches a node.
package struct NodeAccess: Sendable {
    /// What a command does where no node runs.
    package enum Absence: Sendable {
        /// Start a node without network for the command's duration; refuse where no node ever ran: only a command
        /// that is meant to begin something creates a directory and an identity.
        case offline
        /// The same with network.
        case online
        /// Start a node without network for the command's duration, the first one if need be.
        case begin
        /// The same with network.
        case beginOnline
        /// Refuse: the command makes sense only beside a running node.
        case refuse
    }

    /// A data directory where no node runs, as commands use it.
    @TaskLocal package static var homes: any NodeHome.Type = NoHome.self

    /// Where the node keeps everything.
    package let dataDirectory: String
    let passphraseFile: String?

    /// Does the work with the running node, or one of our own.
    package func use<Result: Sendable>(
        absence: Absence, _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        try await use(Self.homes, absence, work)
    }

    private func use<Home: NodeHome, Result: Sendable>(
        _ type: Home.Type, _ absence: Absence, _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        var own: Home?
        // Another command may hold the lock for its own short-lived node: waits for its end, or for its socket.
        for attempt in 0... {
            if let connection = try NodeSocket.connect(dataDirectory: dataDirectory) {
                return try await work(LocalClient(dataDirectory: dataDirectory, first: FirstConnection(connection)))
            }
            guard absence != .refuse else { break }
            try requireNode(unless: absence)
            do {
                let known = try own ?? home(type, isOffline: absence == .offline || absence == .begin)
                return try await opened(known) { home in
                    // Keeps the typed passphrase, so that a retry after another command's end does not ask again.
                    own = home
                    return try await home.run(work)
                }
            } catch let fault as any Fault where Self.isInUse(fault) && attempt < 100 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw CommandFailure.noNode
    }

    /// Another process holds the data directory's lock.
    private static func isInUse(_ fault: any Fault) -> Bool { fault.code.contains("in-use") }

    private func requireNode(unless absence: Absence) throws {
        switch absence {
        case .begin, .beginOnline, .refuse: return
        case .offline, .online: try requireNode()
        }
    }

    /// - Throws: where no node ever ran.
    package func requireNode() throws {
        try bareHome.checkDirectory()
        guard bareHome.holdsNode else { throw CommandFailure.nothingYet(dataDirectory) }
    }

    /// The data directory alone, without the passphrase.
    var bareHome: any NodeHome { Self.homes.init(dataDirectory: dataDirectory) }

    /// Calls the body with the home, and with a passphrase that the user types where one is needed and was not given.
    package func opened<Home: NodeHome, Result>(
        _ home: Home, start: (Home) async throws -> Result
    ) async throws -> Result {
        guard home.needsPassphrase, HiddenLine.isPossible else { return try await start(home) }
        return try await PassphraseTries.run(ask: { try HiddenLine.read(Phrase("Passphrase")) }) { passphrase in
            var complete = home
            complete.setPassphrase(passphrase)
            return try await start(complete)
        }
    }

    /// With the passphrase from its file, if one is named.
    package func home<Home: NodeHome>(_ type: Home.Type, isOffline: Bool) throws(CommandFailure) -> Home {
        DataDirectory.makeRoom(for: dataDirectory)
        var home = Home(dataDirectory: dataDirectory)
        home.isOffline = isOffline
        home.setPassphrase(try passphraseFile.map(SecretFile.read))
        return home
    }
}
