import TourCrypto
import TourGossip
import TourModel
import TourStore

/// What the store keeps of one membership beside its tables: single values, each under a key with the member's id. A
/// member who joins again has another id, so none of them is taken for the new membership's.
struct MembershipRecords {
    let store: TourStore
    let member: MemberID

    /// Whether the log may be written; nothing is stored while it may.
    var ownLog: OwnLogState {
        get throws(StoreError) {
            guard let stored = try store.setting(key("own-log")) else { return .ready }
            // A state that only a later version knows is no permission to write.
            return stored.first.flatMap { OwnLogState(rawValue: $0) } ?? .restored
        }
    }

    func keep(ownLog state: OwnLogState) throws(StoreError) {
        try store.setSetting(key("own-log"), value: state == .ready ? nil : [state.rawValue])
    }

    /// Whether a peer knows that we left.
    var isLeaveTold: Bool { get throws(StoreError) { try store.setting(key("leave-told")) != nil } }

    func keepLeaveTold() throws(StoreError) { try store.setSetting(key("leave-told"), value: [1]) }

    /// Whether the database's log may still hold keys that were wiped.
    var owesWipe: Bool { get throws(StoreError) { try store.setting(key("wipe-owed")) != nil } }

    func keep(owesWipe: Bool) throws(StoreError) {
        try store.setSetting(key("wipe-owed"), value: owesWipe ? [1] : nil)
    }

    /// When we noticed that the membership was over, in milliseconds since 1970; nil: it is not.
    var overSince: Int64? {
        get throws(StoreError) {
            try store.setting(key("over-since")).flatMap { bytes in
                bytes.count == 8 ? bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) } : nil
            }
        }
    }

    func keep(overSince time: Int64?) throws(StoreError) {
        try store.setSetting(
            key("over-since"), value: time.map { withUnsafeBytes(of: $0.bigEndian) { [UInt8]($0) } })
    }

    /// The invite that we joined with, and its join secret; nil for a founder.
    var joinedBy: (invite: SigningKey, secret: SecretBytes)? {
        get throws(StoreError) {
            guard let value = try store.setting(key("came-by")), let invite = SigningKey(value.prefix(Bytes32.count)),
                value.count == 2 * Bytes32.count
            else { return nil }
            return (invite, SecretBytes(value.suffix(Bytes32.count)))
        }
    }

    func keep(joinedBy invite: SigningKey, _ secret: SecretBytes) throws(StoreError) {
        try store.setSetting(key("came-by"), value: invite.bytes + secret.exposedCopy())
    }

    private func key(_ name: String) -> String { "\(name)/\(member.hex)" }
}
