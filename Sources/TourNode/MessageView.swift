/// A message as every client gets it. Names and shapes: `Protocol/Schema/local-api.yaml`.
package struct MessageView: Encodable, Sendable {
    package var id: String
    package var tourID: String
    package var authorID: String
    package var authorName: String
    /// The author's own sequence.
    package var seq: UInt64
    /// `text`, `announcement`, `withdrawn` or `unsupported`.
    package var type: String
    package var content: String
    package var metadata: Metadata
    package var sentAt: String
    package var receivedAt: String
    package var status: MessageStatus
    package var syncedAt: String?
    package var hops: Int
    package var mine: Bool
    package var unread: Bool
    package var replyTo: String?

    package struct Metadata: Encodable, Sendable {
        package var urgent: Bool?
        package var expiresAt: String?
        package var expired: Bool?
        /// The author's clock is far ahead of ours: the time shown is not to be believed.
        package var clockWrong: Bool?
    }
}

extension MessageView {
    private enum CodingKeys: String, CodingKey {
        case id, tourID, authorID, authorName, seq, type, content, metadata, sentAt, receivedAt, status, syncedAt, hops
        case mine, unread, replyTo
    }

    /// Every key always stands, with null where there is nothing: readers need not tell absent from empty.
    package func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: CodingKeys.self)
        try object.encode(id, forKey: .id)
        try object.encode(tourID, forKey: .tourID)
        try object.encode(authorID, forKey: .authorID)
        try object.encode(authorName, forKey: .authorName)
        try object.encode(seq, forKey: .seq)
        try object.encode(type, forKey: .type)
        try object.encode(content, forKey: .content)
        try object.encode(metadata, forKey: .metadata)
        try object.encode(sentAt, forKey: .sentAt)
        try object.encode(receivedAt, forKey: .receivedAt)
        try object.encode(status, forKey: .status)
        try object.encode(syncedAt, forKey: .syncedAt)
        try object.encode(hops, forKey: .hops)
        try object.encode(mine, forKey: .mine)
        try object.encode(unread, forKey: .unread)
        try object.encode(replyTo, forKey: .replyTo)
    }
}
