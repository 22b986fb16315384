import Testing
import TourWeb

/// Goal: what both sockets of a node may hold leaves descriptors enough for its links, at every limit.
/// Method: reckons the most that they hold, each known connection with a file.
@Suite struct DescriptorSharesTests {
    private static func most(_ shares: DescriptorShares) -> Int {
        [shares.page, shares.socket].map { $0.strangersMax + 2 * $0.knownMax }.reduce(0, +)
    }

    @Test(arguments: [1_024, 4_096, 20_000, 65_536])
    func whatIsNamedIsGivenFromTheUsualLimitOn(limit: Int) {
        let shares = DescriptorShares(limit: limit)
        #expect(shares.page.strangersMax == 64 && shares.page.knownMax == 128)
        #expect(shares.socket.strangersMax == 64 && shares.socket.knownMax == 128)
    }

    /// Ports for guests share what one had; one for https takes three descriptors for a connection.
    @Test(arguments: [1_200, 2_000, 4_096])
    func portsForGuestsShare(limit: Int) {
        let (one, two) = (DescriptorShares(limit: limit), DescriptorShares(limit: limit, guestDescriptors: 4))
        #expect(two.page == one.page && two.socket == one.socket)
        #expect(two.guests.knownMax <= max(one.guests.knownMax, 8) && two.guests.strangersMax >= 4)
        #expect(4 * two.guests.knownMax <= max(limit - 1_024, 32))
    }

    @Test func whatIsKeptIsKept() {
        for limit in 464...1_100 {
            let shares = DescriptorShares(limit: limit)
            #expect(Self.most(shares) + DoorLimits.descriptorsKept <= limit, "\(limit)")
        }
    }

    @Test(arguments: [0, 64, 256, 400])
    func someonesPlaceIsThereAtEveryLimit(limit: Int) {
        let shares = DescriptorShares(limit: limit)
        #expect(shares.page.strangersMax == 4 && shares.page.knownMax == 8)
        #expect(shares.socket.strangersMax == 4 && shares.socket.knownMax == 8)
        // As many strangers a second as with all places.
        #expect(shares.page.floodPause == DoorLimits.floodPause / 16)
    }
}
