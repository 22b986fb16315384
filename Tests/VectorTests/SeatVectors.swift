import Testing
import TourCrypto
import TourGroup
import TourLink
import TourModel
import TourWire

/// `seat.json` and `seat-roster.json`.
enum SeatVectors {
    static func seat(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "request": return try request(vector)
        case "keys": return try keys(vector)
        case "content": return try EventVectors.content(vector)
        case "licence": return try licence(vector)
        case "page": return try page(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
    }

    private static func request(_ vector: VectorCase) throws -> String? {
        guard case .admit(let request) = try ControlBody(decoding: try vector.bytes("body")) else {
            throw VectorCase.Missing(field: "an admission")
        }
        let tour: TourID = try vector.id("tour")
        let host: MemberID? = try vector.bytes("host").isEmpty ? nil : vector.id("host")
        #expect(request.seatHost(of: tour) == host)
        guard request.isSigned(tour: tour) else { return LinkFault.badJoinRequest.code }
        let identity = SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed")))
        let pair = SigningKeyPair(seed: SecretBytes(try vector.bytes("inviteSeed")))
        let again: JoinRequest =
            if let host {
                .ofSeat(
                    identity: identity, linkKey: request.linkKey, wrappingKey: request.wrappingKey, host: host,
                    licence: pair, tour: tour)
            } else {
                .signed(
                    identity: identity, linkKey: request.linkKey, wrappingKey: request.wrappingKey, invite: pair,
                    tour: tour, handshakeHash: try vector.bytes("handshakeHash"))
            }
        #expect(again == request)
        #expect(try ControlBody.admit(again).encode() == vector.bytes("body"))
        return nil
    }

    private static func keys(_ vector: VectorCase) throws -> String? {
        let secret = SecretBytes(try vector.bytes("phoneSecret"))
        let tour: TourID = try vector.id("tour")
        let member: MemberID = try vector.id("member")
        let box = try vector.bytes("keys")
        let pair: SigningKeyPair
        do { pair = try SeatKeys.open(box, under: secret, tour: tour, member: member) } catch { return "wrong-secret" }
        let seed = SecretBytes(try vector.bytes("identitySeed"))
        #expect(pair.publicKey == SigningKeyPair(seed: seed).publicKey)
        let sealed = SeatKeys.seal(seed, under: secret, tour: tour, member: member)
        #expect(sealed.count == SeatRecord.keysBytes)
        let again = try SeatKeys.open(sealed, under: secret, tour: tour, member: member)
        #expect(again.publicKey == pair.publicKey)
        return nil
    }

    private static func page(_ vector: VectorCase) throws -> String? {
        let tour: TourID = try vector.id("tour")
        let key = SeatPage.key(of: tour)
        #expect(try key == vector.bytes("pageKey"))
        #expect(try SeatPage.name(of: vector.id("host"), in: tour) + ".local" == vector.text("hostName"))
        #expect(try [2] + vector.bytes("channelKey") + vector.bytes("pass") + key == vector.bytes("code"))
        return nil
    }

    private static func licence(_ vector: VectorCase) throws -> String? {
        let body: ControlBody
        do { body = try ControlBody(decoding: try vector.bytes("body")) } catch let fault as any Fault {
            return fault.code
        }
        guard case .invite(let invite) = body else { throw VectorCase.Missing(field: "an invite") }
        let host: MemberID? = try vector.bytes("host").isEmpty ? nil : vector.id("host")
        #expect(invite.host == host)
        #expect(try body.encode() == vector.bytes("body"))
        guard host != nil else { return nil }
        let key = Hash.keyed(SecretBytes(try vector.bytes("sealEpochKey")), .inviteSeal, invite.key.bytes)
        #expect(try key == SecretBytes(vector.bytes("inviteSealKey")))
        let seed = try Seal.open(invite.sealedSecret, key: key, associatedData: invite.key.bytes)
        #expect(try seed == vector.bytes("inviteSeed"))
        #expect(SigningKeyPair(seed: SecretBytes(seed)).publicKey == invite.key)
        return nil
    }

    /// Some events are of authors without the rank that they require.
    static func roster(_ vector: VectorCase) throws -> String? {
        _ = try RosterVectors.bounds(vector)
        guard case .fields(let seats)? = vector.fields["seats"] else { return nil }
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        _ = group.add(controls: try vector.byteLists("events"))
        let guests = group.roster.members.values.filter(\.isGuest)
        #expect(guests.count == seats.count, "\(vector.name)")
        return nil
    }
}
