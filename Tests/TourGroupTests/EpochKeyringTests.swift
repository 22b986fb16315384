import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: nothing is sealed under a key that a device known to be removed can compute alone, whatever of two concurrent
/// removals has arrived; and what is sealed can be read by whoever holds the keys. Method: two leaders remove two
/// members at once and a third merges; every subset of events and keys, every order, against a list of who was given
/// which key.
struct EpochKeyringTests {
    /// 4 is removed by 1, who rekeys without it; 5 by 2, likewise; then 3 merges.
    private struct Split {
        let world: EpochWorld
        let left: EpochID
        let right: EpochID
        let merge: EpochID

        init() throws {
            var world = try EpochWorld()
            left = try world.rekey(by: 1, after: [world.genesis], for: [1, 2, 3, 5], without: [4])
            right = try world.rekey(by: 2, after: [world.genesis], for: [1, 2, 3, 4], without: [5])
            merge = try world.rekey(by: 3, after: [left, right], for: [1, 2, 3], without: [4, 5])
            self.world = world
        }

        /// Whose keys each of the removed was given.
        func keys(of removed: Int) -> Set<EpochID> { removed == 4 ? [world.genesis, right] : [world.genesis, left] }

        func holders(removed: [Int]) -> KeyHolders { EpochWorld.holders([1, 2, 3, 4, 5], removed: removed) }
    }

    private func subsets<Element>(of elements: [Element]) -> [[Element]] {
        (0..<1 << elements.count).map { bits in
            elements.indices.filter { bits >> $0 & 1 == 1 }.map { elements[$0] }
        }
    }

    @Test func noSubsetLetsARemovedDeviceRead() throws {
        let split = try Split()
        let rekeys = [split.left, split.right, split.merge]
        var sent = 0
        for removed in subsets(of: [4, 5]) {
            for known in subsets(of: rekeys) {
                for held in subsets(of: [split.world.genesis] + rekeys) {
                    var keyring = EpochKeyring(split.world.known(known), split.holders(removed: removed))
                    let learnt = split.world.learn(held, &keyring)
                    #expect(learnt == held.map { $0 == split.world.genesis || known.contains($0) })
                    guard let sending = keyring.sending else { continue }
                    sent += 1
                    #expect(keyring.isSafe(sending.id))
                    for device in removed {
                        #expect(!split.keys(of: device).isSuperset(of: keyring.parts(of: sending.id)))
                    }
                }
            }
        }
        #expect(sent > 100)
    }

    @Test func everyOrderOfArrivalEndsAlike() throws {
        let split = try Split()
        // Steps: what is known of removals, the three rekeys.
        var orders = [[Int]]()
        func extend(_ order: [Int]) {
            if order.count == 5 { return orders.append(order) }
            for step in 0..<5 where !order.contains(step) { extend(order + [step]) }
        }
        extend([])
        let rekeys = [split.left, split.right, split.merge]
        for order in orders {
            var keyring = EpochKeyring(split.world.known([]), split.holders(removed: []))
            _ = split.world.learn([split.world.genesis], &keyring)
            var removed = [Int]()
            var known = [EpochID]()
            for step in order {
                if step < 2 { removed.append(step + 4) } else { known.append(rekeys[step - 2]) }
                keyring.update(split.world.known(known), split.holders(removed: removed))
                let learnt = step < 2 ? [] : split.world.learn([rekeys[step - 2]], &keyring)
                #expect(!learnt.contains(false))
                let sending = keyring.sending
                for device in removed {
                    let parts = sending.map { keyring.parts(of: $0.id) } ?? [split.merge]
                    #expect(!split.keys(of: device).isSuperset(of: parts))
                }
            }
            #expect(keyring.graph.heads == [split.merge])
            #expect(keyring.sending?.id == split.merge)
            #expect(keyring.graph.faults.isEmpty)
        }
    }

    @Test func sendingWaitsForASafeKey() throws {
        let split = try Split()
        var keyring = EpochKeyring(split.world.known([]), split.holders(removed: []))
        #expect(keyring.sending == nil)
        _ = split.world.learn([split.world.genesis], &keyring)
        #expect(keyring.sending?.id == split.world.genesis)
        keyring.update(split.world.known([]), split.holders(removed: [4]))
        #expect(keyring.sending == nil && !keyring.isSafe(split.world.genesis))
        keyring.update(split.world.known([split.left]), split.holders(removed: [4]))
        #expect(keyring.sending == nil)
        _ = split.world.learn([split.left], &keyring)
        #expect(keyring.sending?.id == split.left)
        // Of what 2 did only the rekey is known: both keys together still shut out 4.
        keyring.update(split.world.known([split.left, split.right]), split.holders(removed: [4]))
        _ = split.world.learn([split.right], &keyring)
        #expect(keyring.sendingHeads == [split.left, split.right].sorted())
        keyring.update(split.world.known([split.left, split.right]), split.holders(removed: [4, 5]))
        #expect(keyring.sendingHeads == [split.left, split.right].sorted())
    }

    /// A datagram proves that its sender has a key: one that somebody has who is out proves nothing.
    @Test func nobodyWhoIsOutIsHeard() throws {
        let split = try Split()
        var keyring = EpochKeyring(split.world.known([]), split.holders(removed: []))
        _ = split.world.learn([split.world.genesis], &keyring)
        #expect(keyring.heardKeys.map(\.id) == [split.world.genesis])
        keyring.update(split.world.known([]), split.holders(removed: [4]))
        #expect(keyring.heardKeys.isEmpty)
        keyring.update(split.world.known([split.left]), split.holders(removed: [4]))
        _ = split.world.learn([split.left], &keyring)
        #expect(keyring.heardKeys.map(\.id) == [split.left])
        // While nobody is out who knows it, what was before is heard.
        keyring.update(split.world.known([split.left]), split.holders(removed: []))
        #expect(keyring.heardKeys.map(\.id) == [split.left, split.world.genesis])
    }

    @Test func whatIsMergedOpensForWhoHoldsAll() throws {
        let split = try Split()
        let holders = split.holders(removed: [4, 5])
        var writer = EpochKeyring(split.world.known([split.left, split.right]), holders)
        _ = split.world.learn([split.right, split.left], &writer)
        let sending = try #require(writer.sending)
        #expect(sending.id != split.left && sending.id != split.right)
        // The reader has the merging rekey, and the keys in another order.
        var reader = EpochKeyring(split.world.known([split.left, split.right, split.merge]), holders)
        _ = split.world.learn([split.merge, split.left], &reader)
        #expect(reader.key(of: sending.id) == nil)
        _ = split.world.learn([split.right], &reader)
        #expect(reader.key(of: sending.id) == sending)
        #expect(reader.sending?.id == split.merge)
        #expect(reader.parts(of: sending.id) == [split.left, split.right].sorted())
        // What comes after both is merged with neither.
        #expect(reader.key(of: EpochKey.mergedID(of: [split.left, split.merge])) == nil)
    }

    @Test func falseKeysAreNotLearnt() throws {
        let split = try Split()
        var keyring = EpochKeyring(split.world.known([split.left]), split.holders(removed: []))
        let identity = split.world.identity(of: split.left)
        let wrong = SecretBytes([UInt8](repeating: 1, count: 32))
        let key = try #require(split.world.keys[split.left])
        let refused = [
            keyring.learn(split.left, wrong, identity: identity),
            keyring.learn(split.left, key, identity: Party.keys(2).identity.publicKey),
            keyring.learn(split.right, key, identity: identity),
        ]
        #expect(refused == [false, false, false])
        #expect(!keyring.isHeld(split.left) && keyring.keys.isEmpty)
        let isTaken = keyring.learn(split.left, key, identity: identity)
        #expect(isTaken)
        #expect(keyring.isHeld(split.left))
    }

    @Test func manyHeadsAreMergedAsFarAsNeeded() throws {
        var world = try EpochWorld()
        let removed = Array(10..<13)
        let members = [1, 2, 3] + removed
        var ids = [EpochID]()
        for index in 0..<8 {
            let excluded = index < removed.count ? [removed[index]] : []
            ids.append(
                try world.rekey(
                    by: index % 3 + 1, after: [world.genesis], for: members.filter { !excluded.contains($0) },
                    without: excluded))
        }
        var keyring = EpochKeyring(world.known(ids), EpochWorld.holders(members, removed: removed))
        let learnt = world.learn(ids, &keyring)
        #expect(!learnt.contains(false))
        let sending = try #require(keyring.sending)
        #expect(keyring.graph.heads.count == 8)
        #expect(keyring.sendingHeads.count == Limits.mergedEpochsMax)
        #expect(Set(keyring.sendingHeads).isSuperset(of: ids.prefix(3)))
        #expect(keyring.isSafe(sending.id))
        #expect(keyring.key(of: sending.id) == sending)
    }

    @Test func oneHeadThatShutsAllOutGoesFirst() throws {
        var world = try EpochWorld()
        let removed = Array(5..<17)
        var ids = try removed.map { try world.rekey(by: 1, after: [world.genesis], for: [1, 2, 3], without: [$0]) }
        let whole = try world.rekey(by: 2, after: [world.genesis], for: [1, 2, 3], without: removed)
        ids.append(whole)
        let holders = EpochWorld.holders([1, 2, 3] + removed, removed: removed)
        var keyring = EpochKeyring(world.known(ids), holders)
        let learnt = world.learn(ids, &keyring)
        #expect(!learnt.contains(false))
        let sending = try #require(keyring.sending)
        #expect(keyring.sendingHeads.contains(whole) && keyring.isSafe(sending.id))
    }
}
