import Testing
import TourServer

/// Goal: the server takes no more connections than the process's descriptors bear.
/// Method: reckons at several limits, each connection with a file.
@Suite struct ConnectionBoundTests {
    @Test func connectionsFitTheDescriptors() {
        #expect(ServerLimits.connectionsMax(descriptors: ServerLimits.descriptorsMax) == ServerLimits.connectionsMax)
        for limit in 160...10_000 {
            let most = ServerLimits.connectionsMax(descriptors: limit)
            #expect(2 * most + ServerLimits.descriptorsKept <= limit, "\(limit)")
        }
        #expect(ServerLimits.connectionsMax(descriptors: 1_024) == 448)
        #expect(ServerLimits.connectionsMax(descriptors: 0) == ServerLimits.connectionsMin)
    }
}
