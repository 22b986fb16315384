import Testing
import TourCrypto
import TourLink
import TourModel
import TourWire

/// `invite-code.json` and `join.json`.
enum JoinVectors {
    static func inviteCode(_ vector: VectorCase) throws -> String? {
        let code: InviteCode
        let typed = try vector.text("code")
        do { code = try InviteCode(parsing: typed) } catch { return error.code }
        #expect(try code.compact == vector.text("compact"))
        #expect(try code.text == vector.text("text"))
        try says(code, vector)
        return nil
    }

    /// A code as the trace has it.
    static func compactCode(_ vector: VectorCase) throws {
        let code = try InviteCode(parsing: vector.text("code"))
        #expect(try code.compact == vector.text("code"))
        try says(code, vector)
    }

    private static func says(_ code: InviteCode, _ vector: VectorCase) throws {
        #expect(try code.seed == vector.bytes("seed"))
        #expect(try code.tourPrefix == vector.bytes("tourPrefix"))
        let secret = InviteSecret(code: code)
        #expect(try secret.invitePair.publicKey == vector.id("inviteKey"))
        #expect(try secret.joinSecret == SecretBytes(vector.bytes("joinSecret")))
    }

    static func join(_ vector: VectorCase) throws -> String? {
        let decoded: LinkMessage?
        let message = try vector.bytes("message")
        do { decoded = try LinkMessage.decode(message) } catch { return error.code }
        guard case .joinRequest(let request)? = decoded else { throw VectorCase.Missing(field: "a join request") }
        #expect(
            try request
                == JoinRequest(
                    identity: vector.id("identityKey"), linkKey: vector.id("linkKey"),
                    wrappingKey: vector.id("wrappingKey"), invite: vector.id("inviteKey"),
                    handshakeHash: vector.bytes("handshakeHash"),
                    identitySignature: vector.bytes("identitySignature"),
                    inviteSignature: vector.bytes("inviteSignature")))
        #expect(decoded?.encode() == message)
        let tour: TourID = try vector.id("tour")
        guard try request.handshakeHash == vector.bytes("linkHandshakeHash"), request.isSigned(tour: tour) else {
            return LinkFault.badJoinRequest.code
        }
        let secret = try #require(InviteSecret(seed: try vector.bytes("inviteSeed")))
        let again = JoinRequest.signed(
            identity: SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed"))), linkKey: request.linkKey,
            wrappingKey: request.wrappingKey, invite: secret.invitePair, tour: tour,
            handshakeHash: request.handshakeHash)
        #expect(again == request)
        let transcript = Hash.of(
            .join, tour.bytes, request.identity.bytes, request.linkKey.bytes, request.wrappingKey.bytes,
            request.invite.bytes, request.handshakeHash)
        #expect(try transcript == vector.bytes32("transcript"))
        return nil
    }
}
