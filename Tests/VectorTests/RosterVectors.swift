import Testing
import TourCrypto
import TourGroup
import TourModel

/// `roster.json` and `roster-bounds.json`: control events in an order that explains nothing, and the roster that
/// follows from them.
enum RosterVectors {
    static func roster(_ vector: VectorCase) throws -> String? {
        let events = try vector.byteLists("events")
        #expect(try added(events, vector) == events.count, "\(vector.name)")
        return nil
    }

    /// Not all events are in the set.
    static func bounds(_ vector: VectorCase) throws -> String? {
        _ = try added(try vector.byteLists("events"), vector)
        return nil
    }

    /// - Returns: how many are in the set.
    private static func added(_ events: [[UInt8]], _ vector: VectorCase) throws -> Int {
        var group = try TourGroup(genesis: vector.bytes("genesis"))
        #expect(try group.tour == vector.id("tour"))
        let count = group.add(controls: events).count
        #expect(try group.roster.canonicalBytes == vector.bytes("roster"), "\(vector.name)")
        #expect(try group.roster.stateHash == vector.bytes32("stateHash"), "\(vector.name)")
        return count
    }
}
