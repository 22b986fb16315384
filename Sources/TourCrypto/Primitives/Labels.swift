/// What an unkeyed hash is for: each label is used for one thing. Source: `Protocol/01-identity.md`, "Hashing".
package struct HashLabel: Hashable, Sendable {
    /// The whole label, as it is hashed.
    package let text: String
    private init(_ name: String) { text = "tour-chat/1/" + name }

    package static let member = HashLabel("member")
    package static let genesis = HashLabel("genesis")
    package static let body = HashLabel("body")
    package static let event = HashLabel("event")
    package static let eventID = HashLabel("event-id")
    package static let bind = HashLabel("bind")
    package static let join = HashLabel("join")
    package static let frontier = HashLabel("frontier")
    package static let position = HashLabel("position")
    package static let heads = HashLabel("heads")
    package static let code = HashLabel("code")
    package static let roster = HashLabel("roster")
    package static let rosterState = HashLabel("roster-state")
    package static let words = HashLabel("words")
    package static let rosterKeys = HashLabel("roster-keys")
    package static let mergedEpoch = HashLabel("merged-epoch")
    package static let rekeyLot = HashLabel("rekey-lot")
    package static let backup = HashLabel("backup")
    package static let refreshToken = HashLabel("refresh-token")
    package static let idempotencyKey = HashLabel("idempotency-key")
    package static let requestBody = HashLabel("request-body")
    package static let mailbox = HashLabel("mailbox")
    package static let synced = HashLabel("synced")
    package static let archive = HashLabel("archive")
    package static let blob = HashLabel("blob")
    package static let blobChunk = HashLabel("blob-chunk")
    package static let blobPage = HashLabel("blob-page")
    package static let lostEdit = HashLabel("lost-edit")

    /// The table, in the order of the specification.
    package static let all: [HashLabel] = [
        .member, .genesis, .body, .event, .eventID, .bind, .join, .frontier, .position, .heads, .code, .roster,
        .rosterState,
        .words, .rosterKeys, .mergedEpoch, .rekeyLot, .backup, .refreshToken, .idempotencyKey,
        .requestBody, .mailbox, .synced, .archive, .blob, .blobChunk, .blobPage, .lostEdit,
    ]
}

/// What a keyed hash is for: each label is used for one thing. Source: `Protocol/01-identity.md`, "Hashing".
package struct KeyLabel: Hashable, Sendable {
    /// The whole label, as it is hashed.
    package let text: String
    private init(_ name: String) { text = "tour-chat/1/" + name }

    package static let link = KeyLabel("link")
    package static let hello = KeyLabel("hello")
    package static let mdnsMember = KeyLabel("mdns-member")
    package static let mdnsInvite = KeyLabel("mdns-invite")
    package static let invite = KeyLabel("invite")
    package static let joinSecret = KeyLabel("join-secret")
    package static let seal = KeyLabel("seal")
    package static let commit = KeyLabel("commit")
    package static let inviteSeal = KeyLabel("invite-seal")
    package static let datagram = KeyLabel("datagram")
    package static let multicast = KeyLabel("multicast")
    package static let multicastInvite = KeyLabel("multicast-invite")
    package static let merged = KeyLabel("merged")
    package static let smsCode = KeyLabel("sms-code")
    package static let cast = KeyLabel("cast")
    package static let castTag = KeyLabel("cast-tag")
    package static let knownAddress = KeyLabel("known-address")
    package static let mailCode = KeyLabel("mail-code")

    /// The table, in the order of the specification.
    package static let all: [KeyLabel] = [
        .link, .hello, .mdnsMember, .mdnsInvite, .invite, .joinSecret, .seal, .commit, .inviteSeal, .datagram,
        .multicast, .multicastInvite, .merged, .smsCode, .cast, .castTag,
        .knownAddress, .mailCode,
    ]
}
