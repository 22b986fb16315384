import Testing
import TourNode

/// Goal: the network is blamed only where there is somebody whom it could bring.
/// Method: the check of links with numbers of members and links.
@Suite struct DoctorTests {
    private static func finding(_ links: Int, to others: Int, seesNobody: Bool = true) -> Finding {
        Finding(links: links, to: others, of: "Rome", isClosed: false, seesNobody: seesNobody)
    }

    @Test(arguments: [0, 1])
    func whoIsAloneIsToldSo(links: Int) {
        let finding = Self.finding(links, to: 0)
        #expect(finding == .alone("Rome", isClosed: false) && finding.state == .ok)
        let closed = Finding(links: links, to: 0, of: "Rome", isClosed: true, seesNobody: true)
        #expect(closed == .alone("Rome", isClosed: true) && closed.state == .ok)
    }

    @Test func whoIsThereAndNotLinkedIsAFault() {
        #expect(Self.finding(0, to: 1).state == .failed)
        #expect(Self.finding(0, to: 1) == .notLinked(others: 1, seesNobody: true))
        #expect(Self.finding(0, to: 2, seesNobody: false) == .notLinked(others: 2, seesNobody: false))
    }

    @Test func linksAreCounted() {
        let finding = Self.finding(1, to: 3)
        #expect(finding == .linked(1, "Rome") && finding.state == .ok && finding.name == "links")
    }
}
