/// The purpose of an unkeyed hash; each label has one use. Source: `Protocol/01-identity.md`, "Hashing".
package struct HashLabel: Hashable, Sendable {
    /// The full label, as hashed.
    package let text: String
    private init(_ name: String) { text = "tour-chat/1/" + name }

    /// Member id of an identity key.
    package static let member = HashLabel("member")
    /// Tour id of the genesis event.
    package static let genesis = HashLabel("genesis")
    /// Body hash in the header.
    package static let body = HashLabel("body")
    /// Message that an event's signature covers.
    package static let event = HashLabel("event")
    /// Event id.
    package static let eventID = HashLabel("event-id")
    /// Message that a bind's signature covers.
    package static let bind = HashLabel("bind")
    /// Message that a join request's signatures cover.
    package static let join = HashLabel("join")
    /// Message that a claim row's signature covers.
    package static let frontier = HashLabel("frontier")
    /// Message that a position row's signature covers.
    package static let position = HashLabel("position")
    /// A whole frontier in eight bytes.
    package static let heads = HashLabel("heads")
    /// Tag of a head.
    package static let head = HashLabel("head")
    /// Check bytes of an invite code.
    package static let code = HashLabel("code")
    /// Lot among the admissions of an over-used invite.
    package static let roster = HashLabel("roster")
    /// The whole roster, for comparison.
    package static let rosterState = HashLabel("roster-state")
    /// Name and colour of an identity key.
    package static let words = HashLabel("words")
    /// Members and wrapping keys of a rekey.
    package static let rosterKeys = HashLabel("roster-keys")
    /// Name of several epochs at once.
    package static let mergedEpoch = HashLabel("merged-epoch")
    /// Order in which members rekey.
    package static let rekeyLot = HashLabel("rekey-lot")
    /// Check of a backup's first bytes.
    package static let backup = HashLabel("backup")
    /// Stored form of a refresh token at the server.
    package static let refreshToken = HashLabel("refresh-token")
    /// Key under which the server keeps the answer to a write.
    package static let idempotencyKey = HashLabel("idempotency-key")
    /// Comparison of a repeated write with the first one.
    package static let requestBody = HashLabel("request-body")
    /// Message that a member's proof to a server covers.
    package static let mailbox = HashLabel("mailbox")
    /// Message that the signature of a row on the server's frontier covers.
    package static let synced = HashLabel("synced")
    /// Mark of a server's archive in its join request.
    package static let archive = HashLabel("archive")
    /// Mark of a guest's seat in its join request.
    package static let seat = HashLabel("seat")
    /// What guests' codes say of their tour, and the names by which phones find hosts.
    package static let seatPage = HashLabel("seat-page")
    /// Id of a file.
    package static let blob = HashLabel("blob")
    /// Hash of a file's sealed chunk.
    package static let blobChunk = HashLabel("blob-chunk")
    /// Hash of a page of chunk hashes.
    package static let blobPage = HashLabel("blob-page")
    /// Id of an edit that lost a conflict at the server.
    package static let lostEdit = HashLabel("lost-edit")
    /// PSK of an ask link.
    package static let askLink = HashLabel("ask-link")
    /// What fixes an asker's nonce before it is shown.
    package static let askCommit = HashLabel("ask-commit")
    /// Words that asker and member compare.
    package static let askWords = HashLabel("ask-words")

    /// All labels, in the order of the specification.
    package static let all: [HashLabel] = [
        .member, .genesis, .body, .event, .eventID, .bind, .join, .frontier, .position, .heads, .head, .code,
        .roster, .rosterState,
        .words, .rosterKeys, .mergedEpoch, .rekeyLot, .backup, .refreshToken, .idempotencyKey,
        .requestBody, .mailbox, .synced, .archive, .blob, .blobChunk, .blobPage, .lostEdit,
        .askLink, .askCommit, .askWords, .seat, .seatPage,
    ]
}

/// The purpose of a keyed hash; each label has one use. Source: `Protocol/01-identity.md`, "Hashing".
package struct KeyLabel: Hashable, Sendable {
    /// The full label, as hashed.
    package let text: String
    private init(_ name: String) { text = "tour-chat/1/" + name }

    /// Link secret of an epoch.
    package static let link = KeyLabel("link")
    /// Tag of a hello.
    package static let hello = KeyLabel("hello")
    /// Discovery tag for members.
    package static let mdnsMember = KeyLabel("mdns-member")
    /// Discovery tag for holders of an invite.
    package static let mdnsInvite = KeyLabel("mdns-invite")
    /// Discovery tag for those who ask to join.
    package static let mdnsAsk = KeyLabel("mdns-ask")
    /// Seed of an invite's signing pair.
    package static let invite = KeyLabel("invite")
    /// PSK of a join link.
    package static let joinSecret = KeyLabel("join-secret")
    /// Key of an author's bodies.
    package static let seal = KeyLabel("seal")
    /// Commitment to an epoch key.
    package static let commit = KeyLabel("commit")
    /// Key of an invite's join secret in the log.
    package static let inviteSeal = KeyLabel("invite-seal")
    /// Keys of a link's datagrams.
    package static let datagram = KeyLabel("datagram")
    /// Key of an epoch's datagrams.
    package static let multicast = KeyLabel("multicast")
    /// Key of a joiner's question by datagram and of its answer.
    package static let multicastInvite = KeyLabel("multicast-invite")
    /// Key of several epochs at once.
    package static let merged = KeyLabel("merged")
    /// Stored form of an SMS code at the server.
    package static let smsCode = KeyLabel("sms-code")
    /// Key of a cast.
    package static let cast = KeyLabel("cast")
    /// First bytes of a cast's datagrams.
    package static let castTag = KeyLabel("cast-tag")
    /// Stored form of an address at which an account was used.
    package static let knownAddress = KeyLabel("known-address")
    /// Stored form of a mail code at the server.
    package static let mailCode = KeyLabel("mail-code")
    /// Stored form of a mailed code for a new password at the server.
    package static let resetCode = KeyLabel("reset-code")
    /// Stored form of a recovery code at the server.
    package static let recoveryCode = KeyLabel("recovery-code")
    /// Stored form of a code of an organisation at the server.
    package static let organisationCode = KeyLabel("organisation-code")
    /// A refresh token of the server that follows another one.
    package static let nextRefreshToken = KeyLabel("next-refresh-token")
    /// Proof in the address of a notebook's file at the server.
    package static let fileAddress = KeyLabel("file-address")
    /// Stored form of a code that lets somebody make an account at the server.
    package static let accountInvitation = KeyLabel("account-invitation")
    /// Key of a seat's identity in its log.
    package static let seatKeys = KeyLabel("seat-keys")
    /// Key of an aside.
    package static let aside = KeyLabel("aside")

    /// All labels, in the order of the specification.
    package static let all: [KeyLabel] = [
        .link, .hello, .mdnsMember, .mdnsInvite, .mdnsAsk, .invite, .joinSecret, .seal, .commit, .inviteSeal, .datagram,
        .multicast, .multicastInvite, .merged, .smsCode, .cast, .castTag,
        .knownAddress, .mailCode, .resetCode, .recoveryCode, .organisationCode, .nextRefreshToken, .fileAddress,
        .accountInvitation, .seatKeys, .aside,
    ]
}
