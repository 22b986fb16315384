import Testing
import TourModel
import TourNode

/// Goal: who asks before the message has come is answered later, and nobody fills memory with questions. Method: the
/// list alone.
@Suite struct FileAskersTests {
    private static func blob(_ number: Int) -> BlobID {
        BlobID(raw: Bytes32([UInt8](repeating: UInt8(number), count: Bytes32.count)) ?? .zero)
    }

    @Test func questionsThatOvertakeTheirMessageAreKept() {
        var askers = FileAskers()
        askers.record(LinkID(value: 1), about: Self.blob(7)) { _ in false }
        askers.record(LinkID(value: 2), about: Self.blob(7)) { _ in true }
        #expect(askers.links(about: Self.blob(7)) == [LinkID(value: 1), LinkID(value: 2)])
        askers.forget(LinkID(value: 1))
        #expect(askers.links(about: Self.blob(7)) == [LinkID(value: 2)])
        askers.forget(Self.blob(7))
        #expect(askers.links(about: Self.blob(7)).isEmpty)
    }

    @Test func ofWhatNobodyKnowsAFewAreKeptOfEachLink() {
        var askers = FileAskers()
        for number in 0..<100 { askers.record(LinkID(value: 1), about: Self.blob(number)) { $0 == Self.blob(99) } }
        #expect((0..<99).count { !askers.links(about: Self.blob($0)).isEmpty } == FileAskers.unknownMax)
        #expect(askers.links(about: Self.blob(99)) == [LinkID(value: 1)], "what is known is open soon")
        askers.record(LinkID(value: 2), about: Self.blob(50)) { _ in false }
        #expect(askers.links(about: Self.blob(50)) == [LinkID(value: 2)], "one link does not take the other's room")
    }
}
