import FoundationEssentials
import NIOHTTP1
import TourCrypto
import TourModel

// The server as a member that reads along. Source: `Protocol/09-mailbox.md`, "Archive".
extension Mailbox {
    /// Asks for the keys of an archive, to be admitted under an invite of ours.
    /// - Throws: `.http` with `has-archive`, `not-allowed`; `.decoding` when its signature does not hold.
    package func offerArchive(under invite: SigningKeyPair) async throws(APIError) -> JoinRequest {
        let challenge = JoinRequest.archiveChallenge()
        let wish = ArchiveWish(invite: invite.publicKey.hex, challenge: Data(challenge.bytes))
        let offer = try await client.request(ArchiveOffer.self, .offerArchive(wish, as: pass))
        guard let identity = SigningKey(hex: offer.identity), let link = LinkKey(hex: offer.link),
            let wrapping = WrappingKey(hex: offer.wrapping),
            let request = JoinRequest.ofArchive(
                identity: identity, linkKey: link, wrappingKey: wrapping, signature: Array(offer.signature),
                invite: invite, tour: pass.tour, challenge: challenge)
        else { throw .decoding }
        return request
    }

    /// Asks which keys the archive lacks.
    /// - Returns: nil when the server has no archive of the tour.
    func archive() async throws(APIError) -> ArchiveAnswer? {
        do {
            return try await client.request(ArchiveAnswer.self, .archive(pass))
        } catch .http(_, "no-archive", _) {
            return nil
        }
    }

    func handOver(_ keys: [WrappedEpoch]) async throws(APIError) {
        let list = keys.map { ArchiveKeys.Key(epoch: $0.epoch.hex, wrapped: Data($0.wrapped)) }
        _ = try await client.reply(to: .archiveKeys(ArchiveKeys(keys: list), as: pass))
    }
}

/// An epoch's key, wrapped for the archive.
package struct WrappedEpoch: Hashable, Sendable {
    /// The epoch whose key it is.
    package let epoch: EpochID
    /// 80 bytes.
    package let wrapped: [UInt8]

    package init(epoch: EpochID, wrapped: [UInt8]) {
        self.epoch = epoch
        self.wrapped = wrapped
    }
}

struct ArchiveWish: Encodable {
    var invite: String
    var challenge: Data
}

struct ArchiveOffer: Decodable {
    var identity: String
    var link: String
    var wrapping: String
    var signature: Data
}

struct ArchiveAnswer: Decodable {
    var memberId: String
    var isActive: Bool
    var wants: [String]
}

struct ArchiveKeys: Encodable {
    struct Key: Encodable {
        var epoch: String
        var wrapped: Data
    }
    var keys: [Key]
}

extension Endpoint {
    fileprivate static func offerArchive(_ wish: ArchiveWish, as pass: MemberPass) -> Endpoint {
        var endpoint = Endpoint(
            .POST, "/groups/\(pass.tour.hex)/archive", access: .member(pass), body: json(wish))
        endpoint.isInteractive = true
        return endpoint
    }

    fileprivate static func archive(_ pass: MemberPass) -> Endpoint {
        Endpoint(.GET, "/groups/\(pass.tour.hex)/archive", access: .member(pass))
    }

    fileprivate static func archiveKeys(_ keys: ArchiveKeys, as pass: MemberPass) -> Endpoint {
        Endpoint(.POST, "/groups/\(pass.tour.hex)/archive/keys", access: .member(pass), body: json(keys))
    }
}
