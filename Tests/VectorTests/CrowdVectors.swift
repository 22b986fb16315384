import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// `crowd.json`: control events made from a recipe, and the roster that they come to.
enum CrowdVectors {
    static func crowd(_ vector: VectorCase) throws -> String? {
        let tour: TourID = try vector.id("tour")
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        let controls = try vector.byteLists("controls")
        #expect(group.add(controls: controls).count == controls.count)
        let acts = try vector.cases("acts").map { try admissions(of: $0, tour: tour) }
        let leaves = try vector.byteLists("leaves")
        // Who is known by a later one comes first: nothing hangs on the order.
        _ = group.add(controls: leaves + acts.reversed().flatMap { $0.map(\.bytes) })
        #expect(try group.roster.members.count == vector.count("members"), "\(vector.name)")
        #expect(try group.roster.stateHash == vector.bytes32("stateHash"), "\(vector.name)")
        guard vector.has("kept") else { return nil }
        let held = Set(group.controlIndex)
        let kept = acts.map { act in act.map { held.contains(EventName($0.id)) } }
        for (kept, count) in zip(kept, try vector.numbers("kept")) {
            #expect(kept.prefix(Int(count)).allSatisfy { $0 } && !kept.dropFirst(Int(count)).contains(true))
        }
        return nil
    }

    /// One member's admissions, one after the other in its log.
    private static func admissions(of act: VectorCase, tour: TourID) throws -> [Event] {
        let author = SigningKeyPair(seed: SecretBytes(try act.bytes("author")))
        let invite = try #require(InviteSecret(seed: try act.bytes("inviteSeed"))).invitePair
        let (first, sequence, start) = (try act.count("firstDevice"), try act.number("sequence"), try act.word("clock"))
        var previous: EventID = try act.id("previous")
        let count = try act.count("count")
        return (0..<count).map { number in
            let body = ControlBody.admit(request(of: first + number, tour: tour, invite: invite)).encode()
            let header = EventHeader(
                eventClass: .control, tour: tour, author: MemberID(identity: author.publicKey),
                sequence: sequence + UInt64(number), previous: previous,
                clock: LogicalClock(value: start + UInt64(number)), epoch: .none, bodyHash: EventCrypto.bodyHash(body))
            let signature = EventCrypto.sign(header.exactBytes, by: author)
            let event = Event(header, signature: signature, body: body)
            previous = event.id
            return event
        }
    }

    private static func request(of device: Int, tour: TourID, invite: SigningKeyPair) -> JoinRequest {
        .signed(
            identity: SigningKeyPair(seed: SecretBytes(numbered(device).bytes)),
            linkKey: LinkKey(raw: numbered(device + 65_536)), wrappingKey: WrappingKey(raw: numbered(device + 131_072)),
            invite: invite, tour: tour, handshakeHash: [UInt8](repeating: 0, count: JoinRequest.handshakeHashLength))
    }

    /// H("blob-chunk", u32): what a device has follows from its number.
    private static func numbered(_ number: Int) -> Bytes32 {
        Hash.of(.blobChunk, (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
    }
}
