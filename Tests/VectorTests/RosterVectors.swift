import Testing
import TourCrypto
import TourGroup
import TourModel

/// `roster.json`: control events in an order that explains nothing, and the roster that follows from them.
enum RosterVectors {
    static func roster(_ vector: VectorCase) throws -> String? {
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        #expect(try group.tour == vector.id("tour"))
        let events = try vector.byteLists("events")
        #expect(group.add(controls: events).count == events.count, "\(vector.name)")
        let roster = group.roster
        #expect(try roster.canonicalBytes == vector.bytes("roster"), "\(vector.name)")
        #expect(try roster.stateHash == vector.bytes32("stateHash"), "\(vector.name)")
        return nil
    }
}
