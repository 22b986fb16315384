import Logging
import Testing
import TourDiscovery

// Goal: the life of a discovery that finds no bus or is stopped. Method: states and ends only, so that it holds on any
// machine, with avahi-daemon or without; what needs several hosts is tested through the binary.
@Suite struct AvahiDiscoveryTests {
    private func discovery() -> AvahiDiscovery {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return AvahiDiscovery(interfaces: ["no-such-interface"], logger: silent)
    }

    @Test func startsThenStopsAndTheEventsEnd() async {
        let discovery = discovery()
        async let run: Void = discovery.run()
        var states: [DiscoveryState] = []
        for await event in discovery.events {
            if case .state(let state) = event {
                states.append(state)
                if state != .starting { discovery.stop() }
            }
        }
        await run
        #expect(!states.isEmpty)
    }

    @Test func aMissingLibraryIsToldByItsName() async {
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let discovery = AvahiDiscovery(interfaces: [], logger: silent, library: "libno-such-thing.so.9")
        async let run: Void = discovery.run()
        var reasons: [DiscoveryTrouble] = []
        for await event in discovery.events {
            if case .state(.unavailable(let reason)) = event { reasons.append(reason) }
        }
        await run
        #expect(reasons == [.noLibrary("libno-such-thing.so.9")])
    }

    @Test func cancellingEndsIt() async {
        let discovery = discovery()
        let run = Task { await discovery.run() }
        run.cancel()
        await run.value
        await discovery.run()
    }

    @Test func stoppedBeforeItRan() async {
        let discovery = discovery()
        discovery.advertise(Advertisement(port: 1))
        discovery.stop()
        await discovery.run()
    }

    @Test func randomNamesAreSixteenHexadecimalDigitsAndDiffer() {
        let names = (0..<100).map { _ in ServiceName.random() }
        #expect(Set(names.flatMap { [$0.instance, $0.host] }).count == 200)
        #expect(names.allSatisfy { $0.instance.utf8.count == 16 && $0.host.utf8.count == 16 })
    }
}
