import TourModel
import TourNode

/// How a command gets at a node.
struct NodeAccess: Sendable {
    /// What a command does where no node runs.
    enum Absence: Sendable {
        /// Start one without network for the command's duration.
        case offline
        /// The same, but refuse where nothing is stored yet: the command only reads, and makes no identity.
        case read
        /// Start one with network for the command's duration.
        case online
        /// Refuse: the command makes sense only beside a running node.
        case refuse
    }

    let dataDirectory: String
    let passphraseFile: String?

    /// Does the work against the running node, or one of our own.
    func use<Result: Sendable>(
        absence: Absence, _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        var own: NodeSettings?
        // Another command may hold the lock for its own short-lived node: wait for its end, or for its socket.
        for attempt in 0... {
            if try NodeSocket.isAnswering(dataDirectory: dataDirectory) {
                return try await work(LocalClient(dataDirectory: dataDirectory))
            }
            guard absence != .refuse else { break }
            if absence == .read, DataDirectory.isFresh(dataDirectory) { throw CommandFailure.nothingYet(dataDirectory) }
            // Once: it may ask for the passphrase.
            let settings = try own ?? settings(isOffline: absence != .online)
            own = settings
            do {
                return try await OwnNode.run(settings, work: work)
            } catch let fault as any Fault where OwnNode.isInUse(fault) && attempt < 100 {
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        throw CommandFailure.noNode
    }

    /// Where the data is, and no more.
    var bareSettings: NodeSettings {
        var settings = NodeSettings()
        settings.dataDirectory = dataDirectory
        return settings
    }

    /// Asks a person for a passphrase that is needed and not given, where somebody can be asked.
    func settings(isOffline: Bool) throws(CommandFailure) -> NodeSettings {
        var settings = bareSettings
        settings.isOffline = isOffline
        settings.passphrase = try passphraseFile.map(SecretFile.read)
        if settings.needsPassphrase, HiddenLine.isPossible {
            settings.passphrase = try HiddenLine.read("Passphrase: ")
        }
        return settings
    }
}
