import Testing
import TourNode
import TourWords

/// Goal: the network is blamed only where there is somebody whom it could bring.
/// Method: the check of links with numbers of members and links; a real node that is alone in its tour.
@Suite struct DoctorTests {
    private static func check(_ links: Int, to others: Int, seesNobody: Bool = true) -> TourNode.Check {
        .links(links, to: others, of: "Rome", isClosed: false, seesNobody: seesNobody)
    }

    @Test(arguments: [0, 1])
    func whoIsAloneIsToldSo(links: Int) {
        let check = Self.check(links, to: 0)
        #expect(check.state == .ok && check.message.english == "Nobody else is in “Rome”.")
        #expect(check.advice.english.contains("tour-chat tour invite"))
        let closed = TourNode.Check.links(links, to: 0, of: "Rome", isClosed: true, seesNobody: true)
        #expect(closed.state == .ok && closed.advice.isEmpty)
    }

    @Test func whoIsThereAndNotLinkedIsAFault() {
        #expect(Self.check(0, to: 1).state == .failed)
        #expect(Self.check(0, to: 1).advice.english.contains("Wi-Fi"))
        #expect(Self.check(0, to: 2, seesNobody: false).advice.english.contains("cannot be reached"))
    }

    @Test func linksAreCounted() {
        let check = Self.check(1, to: 3)
        #expect(check.state == .ok && check.message.english == "1 link in “Rome”." && check.advice.isEmpty)
    }
}
