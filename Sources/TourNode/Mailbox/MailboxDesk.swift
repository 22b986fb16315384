import FoundationEssentials
import TourMailbox
import TourModel
import TourStore

/// What a node has of its server, while one is set.
struct MailboxDesk {
    var client: APIClient
    /// Nil where the kernel does not tell of networks.
    var watch: NetworkWatch?
    /// When the memory of the last sync is given back.
    var releaseAt: Instant?
}

/// The account's tokens in the store: sealed under the storage key, which lies in the session's keyring or under a
/// passphrase where there is one.
struct SealedTokens: TokenStore {
    static let setting = "mailbox-account"
    let store: TourStore

    func tokens() async -> AccountTokens? {
        guard let bytes = try? store.setting(Self.setting) else { return nil }
        return try? JSONDecoder().decode(AccountTokens.self, from: Data(bytes))
    }

    func keep(_ tokens: AccountTokens?) async {
        let bytes = tokens.flatMap { try? JSONEncoder().encode($0) }.map { Array($0) }
        // What is not kept is asked for again.
        try? store.setSetting(Self.setting, value: bytes)
    }
}
