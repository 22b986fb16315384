import Testing
import TourCrypto
import TourGroup
import TourModel
import TourNode
import TourRuntime
import TourWire

/// Goal: words between one person and those who lead open to the same and for the same readers in every node, and a
/// quiet withholds the same, in whatever order events arrive.
/// Method: `aside.json` against what opens an aside, `quiet-state.json` in many orders against what a node keeps.
enum AsideVectors {
    static func aside(_ vector: VectorCase) throws -> String? {
        if let code = try EventVectors.content(vector) { return code }
        guard vector.has("reader") else { return nil }
        guard case .aside(let aside) = try Content(decoding: vector.bytes("plaintext")) else {
            throw VectorCase.Missing(field: "an aside")
        }
        let pair = try #require(WrappingKeyPair(secret: SecretBytes(vector.bytes("wrappingSecretKey"))))
        let word = aside.word(
            of: try vector.id("author"), in: try vector.id("tour"), for: try vector.id("reader"), by: pair)
        #expect(try (word != nil) == vector.flag("opens"), "\(vector.name)")
        guard let word else { return nil }
        #expect(try word.person == vector.id("person"), "\(vector.name)")
        #expect(try word.content.encode() == vector.bytes("content"), "\(vector.name)")
        #expect(AsideWord(decoding: word.encode()) == word, "\(vector.name)")
        return nil
    }

    static func quiet(_ vector: VectorCase) throws -> String? {
        let members = try MeaningVectors.Members(vector)
        let expected = Set(try vector.texts("withheld"))
        for order in MeaningVectors.orders(try vector.cases("events")) {
            var state = QuietState()
            for event in order where try event.text("says") == "Quiet" {
                state.record(
                    QuietState.Change(
                        clock: LogicalClock(value: try event.word("clock")), id: try event.id("id"),
                        author: try members.id(event.text("author")), isOn: try event.flag("on")))
            }
            let withheld = try order.filter { event in
                guard try event.text("says") == "Text" else { return false }
                let header = EventHeader(
                    eventClass: EventClass(rawValue: UInt8(try event.count("class"))), tour: .none,
                    author: try members.id(event.text("author")), sequence: 1, previous: .none,
                    clock: LogicalClock(value: try event.word("clock")), epoch: .none)
                return state.withholds(header, try event.id("id"), leads: try event.flag("leads"))
            }
            #expect(try Set(withheld.map { try $0.text("id") }) == expected, "\(vector.name)")
        }
        return nil
    }
}
