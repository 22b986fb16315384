import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: which epochs are heads follows from the set of events alone, and no rekey counts that is not allowed, or is
/// for others than it says. Method: chains, forks and merges in all orders; then one rule at a time, broken.
struct EpochGraphTests {
    private let all = [1, 2, 3, 4, 5]

    @Test func aChainHasOneHead() throws {
        var world = try EpochWorld()
        let holders = EpochWorld.holders(all)
        #expect(world.graph([], holders).heads == [world.genesis])
        let first = try world.rekey(by: 1, after: [world.genesis], for: all)
        let second = try world.rekey(by: 2, after: [first], for: all)
        let graph = world.graph([second, first], holders)
        #expect(graph.heads == [second])
        #expect(graph.faults.isEmpty)
        #expect(graph.isAncestor(world.genesis, of: second) && !graph.isAncestor(second, of: first))
        // Before what it replaces is known, it is not known to replace anything.
        let early = world.graph([second], holders)
        #expect(early.heads == [world.genesis])
        #expect(early.faults == [second: .unknownParent])
    }

    @Test func twoHeadsBecomeOne() throws {
        var world = try EpochWorld()
        let holders = EpochWorld.holders(all)
        let left = try world.rekey(by: 1, after: [world.genesis], for: all)
        let right = try world.rekey(by: 2, after: [world.genesis], for: all)
        #expect(world.graph([left, right], holders).heads == [left, right].sorted())
        let merge = try world.rekey(by: 3, after: [left, right], for: all)
        #expect(world.graph([left, right, merge], holders).heads == [merge])
        // A second merge made at the same time stands beside the first.
        let other = try world.rekey(by: 1, after: [left, right], for: all)
        #expect(world.graph([left, right, merge, other], holders).heads == [merge, other].sorted())
    }

    @Test func orderDecidesNothing() throws {
        var world = try EpochWorld()
        let holders = EpochWorld.holders(all + [6], removed: [6])
        var ids = [EpochID]()
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<12 {
            let parents = Set((0..<2).compactMap { _ in ([world.genesis] + ids).randomElement(using: &generator) })
            let author = Int.random(in: 1...4, using: &generator)
            let members = Bool.random(using: &generator) ? all : all + [6]
            let excluded = members.count == all.count && Bool.random(using: &generator) ? [6] : []
            ids.append(
                try world.rekey(by: author, after: Array(parents), for: members, without: excluded))
        }
        let expected = world.graph(ids, holders)
        for _ in 0..<200 {
            var keyring = EpochKeyring(world.known([]), EpochWorld.holders(all + [6]))
            var order = ids.shuffled(using: &generator)
            var known = [EpochID]()
            while !order.isEmpty {
                known += order.prefix(3)
                order.removeFirst(min(3, order.count))
                keyring.update(world.known(known), Bool.random(using: &generator) ? holders : EpochWorld.holders(all))
            }
            keyring.update(world.known(known), holders)
            #expect(keyring.graph.heads == expected.heads)
            #expect(keyring.graph.faults == expected.faults)
            #expect(keyring.graph.settled == expected.settled)
        }
    }

    private func fault(
        _ holders: KeyHolders, _ make: (inout EpochWorld) throws -> EpochID
    ) throws -> EpochFault? {
        var world = try EpochWorld()
        let id = try make(&world)
        let graph = world.graph(world.epochs.keys.filter { $0 != world.genesis }, holders)
        #expect(graph.heads.contains(id) == (graph.faults[id] == nil))
        #expect(!graph.heads.isEmpty)
        return graph.faults[id]
    }

    @Test func onlyLeadersRekey() throws {
        let holders = EpochWorld.holders(all)
        #expect(try fault(holders) { try $0.rekey(by: 3, after: [$0.genesis], for: all) } == nil)
        #expect(try fault(holders) { try $0.rekey(by: 4, after: [$0.genesis], for: all) } == .notAllowed)
        let without = EpochWorld.holders(all, removed: [3])
        #expect(try fault(without) { try $0.rekey(by: 3, after: [$0.genesis], for: all) } == .notAllowed)
    }

    @Test func whatALeaderBuiltOnStands() throws {
        var world = try EpochWorld()
        let demoted = EpochWorld.holders(all, leaders: [1, 2])
        let first = try world.rekey(by: 3, after: [world.genesis], for: all)
        #expect(world.graph([first], demoted).heads == [world.genesis])
        let second = try world.rekey(by: 2, after: [first], for: all)
        let graph = world.graph([first, second], demoted)
        #expect(graph.heads == [second])
        #expect(graph.faults.isEmpty)
    }

    @Test func ghostsAndFalseRostersAreFound() throws {
        let holders = EpochWorld.holders(all)
        #expect(try fault(holders) { try $0.rekey(by: 1, after: [$0.genesis], for: all + [9]) } == .ghostMember)
        // Once the member is known the same event is sound.
        let later = EpochWorld.holders(all + [9])
        #expect(try fault(later) { try $0.rekey(by: 1, after: [$0.genesis], for: all + [9]) } == nil)
        let other = Hash.of(.rosterKeys, [1] as [UInt8])
        #expect(
            try fault(holders) { try $0.rekey(by: 1, after: [$0.genesis], for: all, roster: other) } == .wrongRoster)
        let unpublished = KeyHolders(
            active: EpochWorld.ids(all), leaders: EpochWorld.ids([1]), barred: [], void: [],
            wrappingKeys: Dictionary(
                uniqueKeysWithValues: all.map { (Party.id($0), [UInt64(3): Party.keys($0).wrapping.publicKey]) }))
        #expect(
            try fault(unpublished) { try $0.rekey(by: 1, after: [$0.genesis], for: all) } == .unknownWrappingKey)
    }

    @Test func nobodyIsLeftOutUnsaid() throws {
        let holders = EpochWorld.holders(all)
        func withoutFive(_ world: inout EpochWorld) throws -> EpochID {
            let first = try world.rekey(by: 1, after: [world.genesis], for: all)
            return try world.rekey(by: 2, after: [first], for: [1, 2, 3, 4], without: [5])
        }
        #expect(try fault(holders, withoutFive) == .missingMember)
        #expect(try fault(EpochWorld.holders(all, removed: [5]), withoutFive) == nil)
    }

    @Test func removalsAreNotForgotten() throws {
        let removed = EpochWorld.holders(all, removed: [5])
        func forgetting(_ world: inout EpochWorld) throws -> EpochID {
            let first = try world.rekey(by: 1, after: [world.genesis], for: [1, 2, 3, 4], without: [5])
            return try world.rekey(by: 2, after: [first], for: all)
        }
        #expect(try fault(removed, forgetting) == .forgottenRemoval)
        func silent(_ world: inout EpochWorld) throws -> EpochID {
            let first = try world.rekey(by: 1, after: [world.genesis], for: [1, 2, 3, 4], without: [5])
            return try world.rekey(by: 2, after: [first], for: [1, 2, 3, 4])
        }
        #expect(try fault(removed, silent) == .forgottenRemoval)
        // A removal that turned out void binds nobody.
        #expect(try fault(EpochWorld.holders(all), forgetting) == nil)
        #expect(
            try fault(removed) { try $0.rekey(by: 1, after: [$0.genesis], for: all, without: [5]) }
                == .forgottenRemoval)
    }

    @Test func nobodyExcludesWhoIsNotBelow() throws {
        let holders = EpochWorld.holders(all)
        func excluding(_ number: Int, _ holders: KeyHolders) throws -> EpochFault? {
            try fault(holders) {
                try $0.rekey(by: 1, after: [$0.genesis], for: all.filter { $0 != number }, without: [number])
            }
        }
        // 1 to 3 lead.
        #expect(try excluding(2, holders) == .unlawfulExclusion)
        #expect(try excluding(1, holders) == .unlawfulExclusion)
        #expect(try excluding(4, holders) == nil)
        #expect(try excluding(2, EpochWorld.holders(all, removed: [2])) == nil)
    }

    @Test func oneAuthorsShareEnds() throws {
        var world = try EpochWorld()
        let ids = try (0...EpochGraph.rekeysPerAuthorMax).map { _ in
            try world.rekey(by: 1, after: [world.genesis], for: [1])
        }
        let graph = world.graph(ids, EpochWorld.holders([1]))
        #expect(graph.heads.count == EpochGraph.rekeysPerAuthorMax)
        #expect(graph.faults == [ids[ids.count - 1]: .notAllowed])
    }

    @Test func noTwoDevicesShareABeginning() throws {
        func member(_ last: UInt8) throws -> MemberID {
            MemberID(raw: try #require(Bytes32([UInt8](repeating: 7, count: 31) + [last])))
        }
        let (first, second) = (try member(1), try member(2))
        var devices = DeviceKeys()
        let taken = [
            devices.insert(first, Party.keys(1).link.publicKey), devices.insert(second, Party.keys(2).link.publicKey),
            devices.insert(Party.id(3), Party.keys(1).link.publicKey),
            devices.insert(Party.id(3), Party.keys(3).link.publicKey),
        ]
        #expect(taken == [true, false, true, false])
        #expect(devices.byLinkKey[Party.keys(1).link.publicKey] == [first, Party.id(3)])
        let key = Party.keys(1).wrapping.publicKey
        let holders = KeyHolders(
            active: [first], leaders: [], barred: [], void: [second],
            wrappingKeys: [first: [0: key], second: [0: key]])
        #expect(holders.member(prefix: first.prefix) == first && holders.void.isEmpty)
    }
}
