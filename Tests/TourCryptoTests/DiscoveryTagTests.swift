import Testing
import TourCrypto
import TourModel

/// Goal: tags are those of the specification and tell nothing without the secret. Method: the published vectors.
struct DiscoveryTagTests {
    @Test func vectors() throws {
        for vector in try Vectors.cases("discovery-tag.json") {
            let name = try vector.text("kind")
            let kind: DiscoveryTag.Kind = name == "member" ? .member : name == "invite" ? .invite : .ask
            let slot = DiscoveryTag.slot(unixSeconds: Int64(try vector.number("unixSeconds")))
            #expect(slot == UInt64(try vector.number("slot")))
            let tag = DiscoveryTag(secret: SecretBytes(try vector.bytes("secret")), kind: kind, slot: slot)
            let isAnothers = vector.fields["madeBy"] != nil || vector.fields["madeAs"] != nil
            #expect((Hex.encode(tag.bytes) == (try vector.text("tag"))) == !isAnothers)
        }
    }

    @Test func kindsAndSlotsDiffer() {
        let secret = SecretBytes.random(count: 32)
        let tags = DiscoveryTag.Kind.allCases.flatMap { kind in
            (0..<100).map { DiscoveryTag(secret: secret, kind: kind, slot: $0) }
        }
        #expect(Set(tags).count == 300)
    }

    @Test func bytesComeBack() {
        let tag = DiscoveryTag(value: 0x0102_0304_0506_0708)
        #expect(tag.bytes == [1, 2, 3, 4, 5, 6, 7, 8])
        #expect(DiscoveryTag(tag.bytes) == tag)
        #expect(DiscoveryTag([UInt8](0..<7)) == nil)
        #expect(DiscoveryTag([UInt8](0..<9)) == nil)
    }

    @Test func timesBefore1970AreTheFirstSlot() {
        #expect(DiscoveryTag.slot(unixSeconds: .min) == 0)
        #expect(DiscoveryTag.slot(unixSeconds: .max) == UInt64(Int64.max) / 900)
    }
}
