import TourModel
import TourNode
import TourWords

/// How a command reaches a node.
struct NodeAccess: Sendable {
    /// What a command does where no node runs.
    enum Absence: Sendable {
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

    let dataDirectory: String
    let passphraseFile: String?

    /// Does the work with the running node, or one of our own.
    func use<Result: Sendable>(
        absence: Absence, _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        var own: NodeSettings?
        // Another command may hold the lock for its own short-lived node: waits for its end, or for its socket.
        for attempt in 0... {
            if let connection = try NodeSocket.connect(dataDirectory: dataDirectory) {
                return try await work(LocalClient(dataDirectory: dataDirectory, first: FirstConnection(connection)))
            }
            guard absence != .refuse else { break }
            try requireNode(unless: absence)
            do {
                let known = try own ?? settings(isOffline: absence == .offline || absence == .begin)
                return try await opened(known) { settings in
                    // Keeps the typed passphrase, so that a retry after another command's end does not ask again.
                    own = settings
                    return try await OwnNode.run(settings, work: work)
                }
            } catch let fault as any Fault where OwnNode.isInUse(fault) && attempt < 100 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw CommandFailure.noNode
    }

    private func requireNode(unless absence: Absence) throws {
        switch absence {
        case .begin, .beginOnline, .refuse: return
        case .offline, .online: try requireNode()
        }
    }

    /// - Throws: where no node ever ran.
    func requireNode() throws {
        try bareSettings.checkDirectory()
        guard bareSettings.holdsNode else { throw CommandFailure.nothingYet(dataDirectory) }
    }

    /// The data directory alone, without other settings.
    var bareSettings: NodeSettings {
        var settings = NodeSettings()
        settings.dataDirectory = dataDirectory
        return settings
    }

    /// Calls the body with the settings, and with a passphrase that the user types where one is needed and was not
    /// given.
    func opened<Result>(
        _ settings: NodeSettings, start: (NodeSettings) async throws -> Result
    ) async throws -> Result {
        guard settings.needsPassphrase, HiddenLine.isPossible else { return try await start(settings) }
        return try await PassphraseTries.run(ask: { try HiddenLine.read(Phrase("Passphrase")) }) { passphrase in
            var complete = settings
            complete.setPassphrase(passphrase)
            return try await start(complete)
        }
    }

    /// With the passphrase from its file, if one is named.
    func settings(isOffline: Bool) throws(CommandFailure) -> NodeSettings {
        DataDirectory.makeRoom(for: dataDirectory)
        var settings = bareSettings
        settings.isOffline = isOffline
        settings.setPassphrase(try passphraseFile.map(SecretFile.read))
        return settings
    }
}
