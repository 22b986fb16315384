import Testing
import TourCrypto
import TourModel

/// Goal: H and K are those of the specification. Method: the published vectors, made by another implementation.
struct HashTests {
    @Test func vectors() throws {
        for vector in try Vectors.cases("hash.json") {
            let name = try "tour-chat/1/" + vector.text("label")
            let parts = try #require(vector.fields["parts"] as? [String]).map { try #require(Hex.decode($0)) }
            let expected = try vector.text("hash")
            switch try vector.text("function") {
            case "H":
                let label = try #require(HashLabel.all.first { $0.text == name })
                #expect(hash(label, parts).hex == expected)
            default:
                let label = try #require(KeyLabel.all.first { $0.text == name })
                let key = SecretBytes(try vector.bytes("key"))
                #expect(tag(key, label, parts).hex == expected)
                #expect(Hex.encode(keyed(key, label, parts).exposedCopy()) == expected)
            }
        }
    }

    @Test func slicesAndOtherCollectionsHashLikeArrays() {
        let bytes = [UInt8](0..<100)
        let expected = Hash.of(.body, bytes)
        #expect(Hash.of(.body, ([9] + bytes).dropFirst()) == expected)
        #expect(Hash.of(.body, bytes.lazy.map { $0 }) == expected)
        #expect(Hash.of(.body, bytes[..<50], bytes[50...]) != expected)
    }

    private func hash(_ label: HashLabel, _ parts: [[UInt8]]) -> Bytes32 {
        switch parts.count {
        case 0: Hash.of(label)
        case 1: Hash.of(label, parts[0])
        case 2: Hash.of(label, parts[0], parts[1])
        default: Hash.of(label, parts[0], parts[1], parts[2])
        }
    }

    private func tag(_ key: SecretBytes, _ label: KeyLabel, _ parts: [[UInt8]]) -> Bytes32 {
        switch parts.count {
        case 0: Hash.tag(key, label)
        case 1: Hash.tag(key, label, parts[0])
        case 2: Hash.tag(key, label, parts[0], parts[1])
        default: Hash.tag(key, label, parts[0], parts[1], parts[2])
        }
    }

    private func keyed(_ key: SecretBytes, _ label: KeyLabel, _ parts: [[UInt8]]) -> SecretBytes {
        switch parts.count {
        case 0: Hash.keyed(key, label)
        case 1: Hash.keyed(key, label, parts[0])
        case 2: Hash.keyed(key, label, parts[0], parts[1])
        default: Hash.keyed(key, label, parts[0], parts[1], parts[2])
        }
    }
}
