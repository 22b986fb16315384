import Testing
import TourDiscovery

// Goal: only one host's address becomes a candidate. Method: literal bytes.
@Suite struct DialableAddressTests {
    private func text(_ bytes: [UInt8], isLoopback: Bool = false) -> String? {
        DialableAddress.text(bytes, zone: "eth0", isLoopback: isLoopback)
    }

    private func v6(_ head: [UInt8], _ tail: [UInt8]) -> [UInt8] {
        head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    @Test func ordinaryOnes() {
        #expect(text([10, 0, 0, 1]) == "10.0.0.1")
        #expect(text([169, 254, 3, 4]) == "169.254.3.4")
        #expect(text(v6([0xfd, 0], [1])) == "fd00::1")
        #expect(text(v6([0xfe, 0x80], [1])) == "fe80::1%eth0")
        #expect(text(v6([0xfe, 0xbf], [1])) == "febf::1%eth0")
    }

    @Test func loopbackOnTheLoopbackOnly() {
        #expect(text([127, 0, 0, 1]) == nil)
        #expect(text([127, 0, 0, 1], isLoopback: true) == "127.0.0.1")
        #expect(text(v6([], [1])) == nil)
        #expect(text(v6([], [1]), isLoopback: true) == "::1")
    }

    @Test func notOneHost() {
        #expect(text([0, 0, 0, 0]) == nil)
        #expect(text([224, 0, 0, 251]) == nil)
        #expect(text([255, 255, 255, 255]) == nil)
        #expect(text(v6([], [0]), isLoopback: true) == nil)
        #expect(text(v6([0xff, 0x02], [0xfb])) == nil)
        #expect(text(v6([], [0xff, 0xff, 127, 0, 0, 1])) == nil)
        #expect(text([]) == nil)
        #expect(text([1, 2, 3, 4, 5]) == nil)
    }
}
