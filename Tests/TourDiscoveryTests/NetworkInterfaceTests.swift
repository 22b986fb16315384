import Testing
import TourDiscovery
import TourModel

// Goal: the right interfaces are published on. Method: made-up lists; the machine's own only for plausibility.
@Suite struct NetworkInterfaceTests {
    private let loopback = NetworkInterface(index: 1, name: "lo", isLoopback: true, addresses: ["127.0.0.1", "::1"])
    private let wired = NetworkInterface(index: 2, name: "eth0", isLoopback: false, addresses: ["10.0.0.2"])
    private let radio = NetworkInterface(index: 3, name: "wlan0", isLoopback: false, addresses: ["10.0.1.2"])
    private let bare = NetworkInterface(index: 4, name: "wlan1", isLoopback: false, addresses: [])

    @Test func allButTheLoopback() {
        let all = [radio, loopback, bare, wired]
        #expect(NetworkInterface.select(from: all, chosen: []) == [wired, radio])
    }

    @Test func theLoopbackWhenThereIsNothingElse() {
        #expect(NetworkInterface.select(from: [loopback, bare], chosen: []) == [loopback])
    }

    @Test func theChosenOnesOnly() {
        let all = [loopback, wired, radio, bare]
        #expect(NetworkInterface.select(from: all, chosen: ["wlan0"]) == [radio])
        #expect(NetworkInterface.select(from: all, chosen: ["lo", "eth0"]) == [loopback, wired])
        #expect(NetworkInterface.select(from: all, chosen: ["wlan1", "usb0"]) == [])
        #expect(NetworkInterface.select(from: [], chosen: []) == [])
    }

    @Test func bounded() {
        let many = (1...40).map { index in
            NetworkInterface(
                index: Int32(index), name: "veth\(index)", isLoopback: false,
                addresses: (1...40).map { "10.0.\(index).\($0)" })
        }
        let selected = NetworkInterface.select(from: many, chosen: [])
        #expect(selected.map(\.index) == (1...16).map(Int32.init))
        #expect(selected.allSatisfy { $0.addresses.count == NetworkInterface.addressesMax })
    }

    @Test func theOrderOfAddressesIsNoChange() {
        let one = NetworkInterface(index: 2, name: "eth0", isLoopback: false, addresses: ["10.0.0.2", "fe80::1"])
        let other = NetworkInterface(index: 2, name: "eth0", isLoopback: false, addresses: ["fe80::1", "10.0.0.2"])
        #expect(one == other)
    }

    @Test func thisMachinesInterfacesHaveNamesAndAddresses() {
        for interface in NetworkInterface.current() {
            #expect(interface.index > 0)
            #expect(!interface.addresses.isEmpty)
            #expect(!interface.addresses.contains { $0.contains("%") })
            #expect(!interface.name.isEmpty)
        }
    }
}
