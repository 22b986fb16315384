import TourClient
import TourNode

extension NodeSettings: NodeHome {
    package init(dataDirectory: String) {
        self.init()
        self.dataDirectory = dataDirectory
    }

    package func run<Result: Sendable>(
        _ work: @escaping @Sendable (LocalClient) async throws -> Result
    ) async throws -> Result {
        try await OwnNode.run(self, work: work)
    }
}

extension NodeSettings {
    /// Checks the given passphrase, if there is one, by the rule for new ones.
    func checkPassphrase(allowsWeak: Bool) throws {
        try withPassphrase { passphrase in
            if let passphrase { try PassphraseRule.check(passphrase, allowsWeak: allowsWeak) }
        }
    }
}
