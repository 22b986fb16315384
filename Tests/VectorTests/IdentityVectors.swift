import Testing
import TourCrypto
import TourGroup
import TourModel

/// `hash.json` and `identity.json`.
enum IdentityVectors {
    static func hash(_ vector: VectorCase) throws -> String? {
        let name = "tour-chat/1/" + (try vector.text("label"))
        let parts = try vector.byteLists("parts")
        let expected = try vector.bytes32("hash")
        if try vector.text("function") == "H" {
            let label = try #require(HashLabel.all.first { $0.text == name })
            #expect(try digest(label, parts) == expected, "\(vector.name)")
        } else {
            let label = try #require(KeyLabel.all.first { $0.text == name })
            let key = SecretBytes(try vector.bytes("key"))
            #expect(try digest(key, label, parts) == expected, "\(vector.name)")
        }
        return nil
    }

    private static func digest(_ label: HashLabel, _ parts: [[UInt8]]) throws -> Bytes32 {
        switch parts.count {
        case 0: return Hash.of(label)
        case 1: return Hash.of(label, parts[0])
        case 2: return Hash.of(label, parts[0], parts[1])
        case 3: return Hash.of(label, parts[0], parts[1], parts[2])
        default: throw VectorCase.Missing(field: "a call with \(parts.count) parts")
        }
    }

    private static func digest(_ key: SecretBytes, _ label: KeyLabel, _ parts: [[UInt8]]) throws -> Bytes32 {
        switch parts.count {
        case 0: return Hash.tag(key, label)
        case 1: return Hash.tag(key, label, parts[0])
        case 2: return Hash.tag(key, label, parts[0], parts[1])
        case 3: return Hash.tag(key, label, parts[0], parts[1], parts[2])
        default: throw VectorCase.Missing(field: "a call with \(parts.count) parts")
        }
    }

    static func identity(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "member": try member(vector)
        case "tour":
            let genesis = try vector.bytes("genesis")
            let group = try TourGroup(genesis: genesis)
            #expect(try group.tour == vector.id("tourID"))
            #expect(try group.genesisEvent.id == vector.id("epoch"))
        case "epoch":
            let author: SigningKey = try vector.id("identityKey")
            let key = SecretBytes(try vector.bytes("epochKey"))
            let epoch = try #require(EpochKey(id: EpochID(raw: .zero), key: key))
            #expect(try epoch.linkSecret == SecretBytes(vector.bytes("linkSecret")))
            // A key that its epoch's event does not commit to is not learnt: its epoch stays unknown.
            guard try epoch.commitment(author: author) == vector.bytes32("commitment") else {
                return GroupFault.unknownEpoch.code
            }
        default: Issue.record("a kind of identity vector that is not run")
        }
        return nil
    }

    private static func member(_ vector: VectorCase) throws {
        let pair = SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed")))
        #expect(try pair.publicKey == vector.id("identityKey"))
        #expect(try MemberID(identity: pair.publicKey) == vector.id("memberID"))
        let link = try #require(LinkKeyPair(secret: SecretBytes(try vector.bytes("linkSecretKey"))))
        #expect(try link.publicKey == vector.id("linkKey"))
        let wrapping = try #require(WrappingKeyPair(secret: SecretBytes(try vector.bytes("wrappingSecretKey"))))
        #expect(try wrapping.publicKey == vector.id("wrappingKey"))
        let name = KeyName(identity: pair.publicKey)
        #expect(try Hash.of(.words, pair.publicKey.bytes) == vector.bytes32("words"))
        #expect(try name.color == vector.count("color"))
        let words = try vector.numbers("wordIndexes").map { WordList.words[Int($0)] }
        #expect(name.words == words)
    }
}
