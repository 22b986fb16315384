import Testing
import TourModel
import TourNode

/// Goal: whoever fills all places with connections that say nothing keeps nobody out. Method: connections that are
/// numbers, of addresses that are numbers.
struct InboundLimitsTests {
    private func connections(_ count: Int, of addresses: Int, isStranger: Bool = true) -> [InboundLimits<Int>.Waiting] {
        (0..<count).map {
            .init(
                id: $0, address: "\($0 % addresses)", openedAt: Instant(microseconds: Int64(1_000 - $0)),
                isStranger: isStranger)
        }
    }

    @Test func thereIsRoomForSoMany() {
        let waiting = connections(Limits.handshakesMax - 1, of: Limits.handshakesMax)
        #expect(InboundLimits(waiting).verdict(on: "new") == .admitted)
    }

    @Test func oneAddressHasItsShare() {
        let waiting = connections(Limits.handshakesPerAddressMax, of: 1)
        #expect(InboundLimits(waiting).verdict(on: "0") == .refused)
        #expect(InboundLimits(Array(waiting.dropLast())).verdict(on: "0") == .admitted)
        #expect(InboundLimits(waiting).verdict(on: "1") == .admitted)
    }

    @Test func whoHasKeptSilentForLongestMakesRoom() {
        var waiting = connections(Limits.handshakesMax, of: Limits.handshakesMax)
        #expect(InboundLimits(waiting).verdict(on: "new") == .admittedFor(Limits.handshakesMax - 1))
        waiting[Limits.handshakesMax - 1].isStranger = false
        #expect(InboundLimits(waiting).verdict(on: "new") == .admittedFor(Limits.handshakesMax - 2))
    }

    @Test func whoShowedASecretStays() {
        let waiting = connections(Limits.handshakesMax, of: Limits.handshakesMax, isStranger: false)
        #expect(InboundLimits(waiting).verdict(on: "new") == .refused)
    }
}
