import Testing
import TourCrypto
import TourModel
import TourWire

/// `mailbox.json`.
enum MailboxVectors {
    static func mailbox(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "proof": try proof(vector)
        case "row": try row(vector)
        case "events": try events(vector)
        case "controls": try controls(vector)
        case "archive": try archive(vector)
        default: throw VectorCase.Missing(field: "a kind of answer")
        }
    }

    private static func proof(_ vector: VectorCase) throws -> String? {
        let identity: SigningKey = try vector.id("identityKey")
        let purpose = try #require(MailboxProof.Purpose(rawValue: vector.text("purpose")))
        let digest = MailboxProof.digest(
            purpose, tour: try vector.id("tour"), member: MemberID(identity: identity), host: try vector.text("host"),
            nonce: try vector.text("nonce"))
        return identity.verifies(try vector.bytes("signature"), of: digest) ? nil : "bad-proof"
    }

    private static func row(_ vector: VectorCase) throws -> String? {
        let identity: SigningKey = try vector.id("identityKey")
        let member = MemberID(identity: identity)
        do {
            _ = try SyncedClaim.decode(vector.bytes("row")) { $0 == member.prefix ? member : nil }
        } catch let error as WireError { return error.code }
        let digest = SyncedRow.digest(try vector.bytes("row"), of: member, tour: try vector.id("tour"))
        let isSigned = identity.verifies(try vector.bytes("signature"), of: digest)
        return isSigned ? nil : VerificationFault.badSignature.code
    }

    private static func archive(_ vector: VectorCase) throws -> String? {
        let request = JoinRequest(
            identity: try vector.id("identityKey"), linkKey: LinkKey(raw: .zero), wrappingKey: WrappingKey(raw: .zero),
            invite: SigningKey(raw: .zero), handshakeHash: try vector.bytes("handshakeHash"), identitySignature: [],
            inviteSignature: [])
        #expect(try request.isArchive(of: vector.id("tour")) == vector.flag("isArchive"))
        return nil
    }

    private static func events(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("message")
        let answer: MailboxEvents
        do { answer = try MailboxEvents.decode(bytes) } catch { return error.code }
        #expect(try answer.more == vector.flag("more"))
        #expect(try answer.runs.map(\.first) == [vector.number("first")])
        #expect(answer.encode() == bytes)
        return nil
    }

    private static func controls(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("message")
        let answer: MailboxControls
        do { answer = try MailboxControls.decode(bytes) } catch { return error.code }
        #expect(try answer.more == vector.flag("more"))
        #expect(try answer.next == vector.number("next"))
        #expect(try answer.events == vector.byteLists("events"))
        #expect(answer.encode() == bytes)
        return nil
    }
}
