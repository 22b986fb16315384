import Testing
import TourGossip
import TourModel

/// Goal: an address that a beacon names is known at once, and only a member's first one is a reason to dial before the
/// next round.
@Suite struct BeaconAddressesTests {
    private let tour = TourID(raw: AddressWishTests.member(1).raw)
    private let member = AddressWishTests.member(2)
    private let other = AddressWishTests.member(3)

    private static func address(_ port: UInt16, host: String = "192.0.2.1") -> Dialer.Address {
        Dialer.Address(host: host, port: port)
    }

    @Test func onlyTheFirstAddressOfAMemberIsNews() {
        var known = BeaconAddresses()
        let news = [(member, 1), (member, 1), (member, 2), (other, 3)].map { member, port in
            known.record(member, at: Self.address(port), on: 1, of: tour)
        }
        #expect(news == [true, false, false, true])
        #expect(known.candidates(of: tour).map(\.address) == [Self.address(2), Self.address(3)])
        #expect(known.names(member, of: tour) { $0 == Self.address(1) })
        #expect(!known.names(member, of: tour) { $0 == Self.address(2) })
    }

    @Test func ofAMemberFewAreKept() {
        var known = BeaconAddresses()
        for host in 1...20 { _ = known.record(member, at: Self.address(1, host: "192.0.2.\(host)"), on: 1, of: tour) }
        #expect(known.addresses == Set((17...20).map { Self.address(1, host: "192.0.2.\($0)") }))
    }
}
