import Foundation
import ServerBase
import ServerRequests
import TourCrypto
import TourModel
import TourNotebook

/// An account in the form of the bookmarks guide's app.
struct ProfileBody: Encodable {
    let id: NotebookID
    @Nullable var email: String?
    let displayName: String
    let isAnonymous: Bool
    let isPro: Bool
    @Nullable var lastSyncAt: Date?

    private enum CodingKeys: String, CodingKey {
        case id, email
        case displayName = "display_name"
        case isAnonymous = "is_anonymous"
        case isPro = "is_pro"
        case lastSyncAt = "last_sync_at"
    }

    /// - Parameter synced: when the notebook was last synced, in whole seconds since 1970.
    init(_ account: Account, id: NotebookID, synced: Int64?, language: Language) {
        self.id = id
        email = account.email
        // The server knows no names of people: the part before the @ is the closest to one.
        let name = account.email.flatMap { $0.split(separator: "@").first.map { String($0) } } ?? account.phone
        displayName = name ?? (language == .turkish ? "Misafir" : "Guest")
        isAnonymous = account.isGuest
        // Only guides may register tours, which is the one privilege of some accounts.
        isPro = account.role >= .guide
        lastSyncAt = synced.map { Date(microseconds: $0 * 1_000_000) }
    }
}

extension ProfileBody {
}
