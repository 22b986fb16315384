import Testing
import TourDiscovery
import TourModel

// Goal: a TXT record is written as specified, and reading is total whatever a stranger publishes.
// Method: literal strings, one fault at a time, and seeded random bytes.
@Suite struct ServiceTextTests {
    private func strings(_ texts: String...) -> [[UInt8]] { texts.map { Array($0.utf8) } }

    @Test func writesVersionThenRawBigEndianTags() {
        let text = ServiceText(tags: [0x0102_0304_0506_0708, .max])
        let tags: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8] + Array(repeating: 0xff, count: 8)
        #expect(text.strings == [Array("v=1".utf8), Array("t=".utf8) + tags])
        #expect(ServiceText(strings: text.strings) == text)
    }

    @Test func noTagsAreStillATagString() {
        #expect(ServiceText(tags: []).strings == strings("v=1", "t="))
        #expect(ServiceText(strings: strings("v=1", "t="))?.tags == [])
    }

    @Test func atMostFiveTagsBothWays() {
        let many = (1...7).map(UInt64.init)
        #expect(ServiceText(tags: many).tags == [1, 2, 3, 4, 5])
        let record = [Array("v=1".utf8), Array("t=".utf8) + (0..<31 * 8).map { UInt8($0 % 251) }]
        #expect(ServiceText(strings: record)?.tags.count == Limits.discoveryTagsMax)
    }

    @Test func unknownAndRepeatedKeysAndCaseAreHarmless() {
        let record = strings("x", "", "=", "more=1", "V=2", "v=3", "T=12345678", "t=")
        #expect(ServiceText(strings: record) == ServiceText(version: 2, tags: [0x3132_3334_3536_3738]))
    }

    @Test func missingTagsAreNone() {
        #expect(ServiceText(strings: strings("v=9999")) == ServiceText(version: 9999, tags: []))
    }

    @Test(arguments: ["", "v", "v=", "v=0", "v=00000", "v=12345", "v=-1", "v=+1", "v= 1", "v=1 ", "v=١", "version=1"])
    func withoutAUsableVersionThereIsNothing(_ version: String) {
        #expect(ServiceText(strings: strings(version, "t=12345678")) == nil)
    }

    @Test func tornTagsAreRefused() {
        #expect(ServiceText(strings: strings("v=1", "t=1234567")) == nil)
        #expect(ServiceText(strings: strings("v=1", "t=123456789")) == nil)
    }

    @Test func stringsAfterTheBoundAreNotRead() {
        let padding = Array(repeating: Array("x=y".utf8), count: ServiceText.stringsMax)
        #expect(ServiceText(strings: padding + strings("v=1")) == nil)
        #expect(ServiceText(strings: padding.dropLast() + strings("v=1")) != nil)
    }

    @Test func randomBytesNeverTrap() {
        var state: UInt64 = 7
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        for _ in 0..<20_000 {
            let record = (0..<next() % 4).map { _ -> [UInt8] in
                let prefix = [[], Array("v=".utf8), Array("t=".utf8)][Int(next() % 3)]
                return prefix + (0..<next() % 60).map { _ in UInt8(next() % 256) }
            }
            let text = ServiceText(strings: record)
            #expect((text?.tags.count ?? 0) <= Limits.discoveryTagsMax)
            #expect((1...9999).contains(text?.version ?? 1))
        }
    }
}
