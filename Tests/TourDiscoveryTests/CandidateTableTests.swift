import Testing
import TourDiscovery
import TourModel

// Goal: what is looked into and reported stays bounded, and an honest node is found among liars.
// Method: the table is pure; a small network below plays resolvers with a virtual clock and checks every output.
@Suite struct CandidateTableTests {
    /// Applies outputs as the session does and fails on any that contradicts the ones before.
    private struct Network {
        var table = CandidateTable()
        var now = Instant(microseconds: 0)
        var resolvers = Set<ServiceKey>()
        var reported: [ServiceKey: Candidate] = [:]
        var events = 0
        /// What resolvers answer; a service that is not in here never answers.
        var answers: [ServiceKey: Candidate] = [:]

        mutating func browse(_ key: ServiceKey) {
            run { table, now, outputs in table.browsed(key, now: now, into: &outputs) }
        }

        mutating func remove(_ key: ServiceKey) {
            run { table, now, outputs in table.removed(key, now: now, into: &outputs) }
        }

        mutating func answer(_ key: ServiceKey, _ candidate: Candidate?) {
            run { table, now, outputs in table.resolved(key, candidate, now: now, into: &outputs) }
        }

        mutating func tick(after time: Duration = CandidateTable.crowdedTick) {
            now = now + time
            run { table, now, outputs in table.tick(now: now, into: &outputs) }
        }

        mutating func run(_ step: (inout CandidateTable, Instant, inout [CandidateTable.Output]) -> Void) {
            var outputs: [CandidateTable.Output] = []
            step(&table, now, &outputs)
            var opened: [ServiceKey] = []
            for output in outputs {
                switch output {
                case .resolve(let key):
                    let isNew = resolvers.insert(key).inserted
                    #expect(isNew)
                    opened.append(key)
                case .release(let key):
                    let old = resolvers.remove(key)
                    #expect(old != nil)
                case .found(let key, let candidate):
                    reported[key] = candidate
                    events += 1
                case .lost(let key):
                    let old = reported.removeValue(forKey: key)
                    #expect(old != nil)
                    events += 1
                }
            }
            #expect(resolvers.count == table.placesCount)
            #expect(resolvers.count <= Limits.candidatesMax)
            #expect(table.waitingCount <= CandidateTable.waitingMax)
            #expect(reported.keys.allSatisfy(resolvers.contains))
            for key in opened {
                if let candidate = answers[key] { answer(key, candidate) }
            }
        }

        func reported(of address: String) -> Int { reported.values.count { $0.address == address } }
    }

    private func key(_ name: String, interface: Int32 = 2) -> ServiceKey {
        ServiceKey(instance: name, interface: interface, isIPv6: false)
    }

    private func candidate(_ name: String, _ address: String, tags: [UInt64] = []) -> Candidate {
        Candidate(instance: name, interface: 2, address: address, port: 7000, version: 1, tags: tags)
    }

    @Test func foundChangedLost() {
        var network = Network()
        network.browse(key("a"))
        network.browse(key("a"))
        #expect(network.resolvers == [key("a")])
        network.answer(key("a"), candidate("a", "10.0.0.1"))
        network.answer(key("a"), candidate("a", "10.0.0.1"))
        #expect(network.events == 1)
        network.answer(key("a"), candidate("a", "10.0.0.1", tags: [1]))
        network.answer(key("a"), candidate("a", "10.0.0.2", tags: [1]))
        #expect(network.reported == [key("a"): candidate("a", "10.0.0.2", tags: [1])])
        #expect(network.events == 3)
        network.answer(key("a"), nil)
        #expect(network.reported.isEmpty)
        network.answer(key("a"), candidate("a", "10.0.0.2"))
        network.remove(key("a"))
        #expect(network.reported.isEmpty && network.resolvers.isEmpty)
        #expect(!network.table.isCrowded)
    }

    @Test func answersOfStrangersAreIgnored() {
        var network = Network()
        network.answer(key("a"), candidate("a", "10.0.0.1"))
        network.remove(key("a"))
        #expect(network.events == 0)
    }

    @Test func anHonestNodeAmongTenThousandThatNeverAnswer() {
        var network = Network()
        let honest = key("honest")
        network.answers[honest] = candidate("honest", "10.0.0.1")
        for index in 0..<10_000 {
            if index == 9_000 { network.browse(honest) }
            network.browse(key("false\(index)"))
        }
        var ticks = 0
        while network.reported[honest] == nil, ticks < 40 {
            network.tick()
            ticks += 1
        }
        #expect(network.reported[honest] != nil, "after \(ticks) ticks")
    }

    @Test func anHonestNodeThatComesLateHasItsTurnFirst() {
        var network = Network()
        for index in 0..<600 { network.browse(key("false\(index)")) }
        for _ in 0..<8 { network.tick() }
        let honest = key("honest")
        network.answers[honest] = candidate("honest", "10.0.0.1")
        network.browse(honest)
        for _ in 0..<2 { network.tick() }
        #expect(network.reported[honest] != nil)
    }

    @Test func tenThousandThatAnswerFromAsManyAddresses() {
        var network = Network()
        let honest = key("honest")
        network.answers[honest] = candidate("honest", "10.0.0.1")
        var wasReported = false
        for index in 0..<10_000 {
            let name = "false\(index)"
            network.answers[key(name)] = candidate(name, "10.1.\(index / 256).\(index % 256)")
            if index == 8_000 { network.browse(honest) }
            network.browse(key(name))
        }
        // In the middle of a full line is the worst place: each end moves by half the turns of a tick.
        let ticksMax = CandidateTable.waitingMax / CandidateTable.freshTurnsPerTick + 2
        for _ in 0..<ticksMax where !wasReported {
            network.tick()
            wasReported = network.reported[honest] != nil
        }
        #expect(wasReported)
    }

    @Test func oneAddressIsReportedSixteenTimesAtMost() {
        var network = Network()
        let address = "10.0.0.9"
        for index in 0..<100 {
            network.answers[key("n\(index)")] = candidate("n\(index)", address)
            network.browse(key("n\(index)"))
            #expect(network.reported(of: address) <= CandidateTable.perAddressMax)
        }
        #expect(network.reported(of: address) == CandidateTable.perAddressMax)
        network.remove(key("n3"))
        #expect(network.reported(of: address) == CandidateTable.perAddressMax)
        network.answer(key("n4"), candidate("n4", "10.0.0.10"))
        #expect(network.reported(of: address) == CandidateTable.perAddressMax)
    }

    @Test func thoseWithheldTakeTurns() {
        var network = Network()
        for index in 0..<20 {
            network.answers[key("n\(index)")] = candidate("n\(index)", "10.0.0.9")
            network.browse(key("n\(index)"))
        }
        var seen = Set(network.reported.keys)
        for _ in 0..<60 {
            network.tick()
            seen.formUnion(network.reported.keys)
            #expect(network.reported.count == CandidateTable.perAddressMax)
        }
        #expect(seen.count == 20)
        for index in 0..<20 { network.remove(key("n\(index)")) }
        #expect(!network.table.isCrowded && network.reported.isEmpty)
    }

    @Test func whatIsKnownSurvivesAFloodThatDoesNotAnswer() {
        var network = Network()
        for index in 0..<200 {
            network.answers[key("n\(index)")] = candidate("n\(index)", "10.0.0.\(index)")
            network.browse(key("n\(index)"))
        }
        for index in 0..<10_000 { network.browse(key("false\(index)")) }
        for _ in 0..<100 { network.tick() }
        #expect(network.reported.count == 200)
        #expect(network.events == 200)
    }

    @Test func aQuietTableKeepsItsPlaces() {
        var network = Network()
        for index in 0..<Limits.candidatesMax { network.browse(key("n\(index)")) }
        let before = network.resolvers
        for _ in 0..<40 { network.tick() }
        #expect(network.resolvers == before)
    }

    @Test func anInterfaceGoesAndThenAllGoes() {
        var network = Network()
        network.browse(key("a"))
        network.browse(key("b", interface: 3))
        network.answer(key("a"), candidate("a", "10.0.0.1"))
        network.answer(key("b", interface: 3), candidate("b", "10.0.0.2"))
        network.run { table, now, outputs in table.clear(interface: 2, now: now, into: &outputs) }
        #expect(Array(network.reported.keys) == [key("b", interface: 3)])
        var outputs: [CandidateTable.Output] = []
        network.table.clear(into: &outputs)
        #expect(outputs == [.lost(key("b", interface: 3))])
        #expect(network.table.placesCount == 0)
    }
}
