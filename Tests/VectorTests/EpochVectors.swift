import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// `rekey.json`.
enum EpochVectors {
    static func rekey(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "wrap": return try wrap(vector)
        case "body":
            do {
                _ = try ControlBody(decoding: try vector.bytes("body"))
                return nil
            } catch let fault as any Fault { return fault.code }
        case "rekey": return try epoch(vector)
        default: throw VectorCase.Missing(field: "a kind that is run")
        }
    }

    private static func wrap(_ vector: VectorCase) throws -> String? {
        let pair = try #require(WrappingKeyPair(secret: SecretBytes(try vector.bytes("wrappingSecretKey"))))
        guard let key = pair.open(try vector.bytes("wrap")) else { return EpochFault.missingWrap.code }
        #expect(try key == SecretBytes(vector.bytes("key")))
        return nil
    }

    private static func epoch(_ vector: VectorCase) throws -> String? {
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        let first = EpochID(raw: group.genesisEvent.id.raw)
        let isLearnt = group.learn(epoch: first, key: SecretBytes(try vector.bytes("firstEpochKey")))
        #expect(isLearnt)
        let controls = try vector.byteLists("controls")
        let added = group.add(controls: controls)
        let epoch: EpochID = try vector.id("epoch")
        let isInSet = group.keyring.graph.epochs[epoch] != nil
        #expect(added.count == controls.count - (isInSet ? 0 : 1), "\(vector.name)")
        // Nobody ever gave its author a rank.
        guard isInSet else { return EpochFault.notAllowed.code }
        let pairs = try vector.byteLists("wrappingSecretKeys").map {
            try #require(WrappingKeyPair(secret: SecretBytes($0)))
        }
        _ = group.unwrap(for: try vector.id("member"), by: pairs)
        let body = try vector.bytes("body")
        #expect(try ControlBody(decoding: body).encode() == body, "\(vector.name)")
        if let fault = group.keyring.graph.faults[epoch] ?? group.keyring.wrapFaults[epoch] { return fault.code }
        let current = try #require(group.currentEpoch, "\(vector.name)")
        #expect(try current.id == vector.id("sending"), "\(vector.name)")
        #expect(try current.key == SecretBytes(vector.bytes("key")), "\(vector.name)")
        if vector.has("roster") {
            #expect(try group.keyring.graph.epochs[epoch]?.rekey?.roster == vector.bytes32("roster"))
            #expect(try group.keyring.graph.epochs[epoch]?.commitment == vector.bytes32("commitment"))
        }
        if vector.has("event") { try open(vector, group) }
        return nil
    }

    private static func open(_ vector: VectorCase, _ group: TourGroup) throws {
        let bytes = try vector.bytes("event")
        let raw = try RawEvent(decoding: bytes)
        let identity: SigningKey = try vector.id("identityKey")
        let event = try VerifiedRun(header: raw.header, bytes: bytes, identity: identity).events[0]
        let plaintext = try vector.bytes("plaintext")
        #expect(try group.open(event) == Content(decoding: plaintext))
    }
}
