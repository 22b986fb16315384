import FoundationEssentials
import TourMailbox
import TourStore

/// The account's tokens in the store, sealed under the storage key, which is kept in the session's keyring or under a
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
        // If storing fails, the user has to log in again.
        try? store.setSetting(Self.setting, value: bytes)
    }
}
