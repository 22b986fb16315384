import Testing
import TourModel
import TourSimulator

// Goal: what is measured is delivered, counted and the same each time.
// Method: 8 members and few messages; figures are compared with what they cannot be below, and with a second run.
@Suite struct MeasureTests {
    @Test(arguments: [true, false])
    func everythingArrivesAndCostsTheSameAgain(multicast: Bool) {
        var conditions = MeasureConditions()
        conditions.lossPerMille = 100
        conditions.usesMulticast = multicast
        let plan = BroadcastPlan(members: 8, messages: 5, rate: 1, seed: 3, conditions: conditions)
        let result = plan.play()
        #expect(result.latencies.missing == 0)
        #expect(result.latencies.pairs == 5 * 7)
        // A hop, and the work at both ends.
        #expect(result.latencies.p50 >= conditions.latency + conditions.eventWork * 2)
        #expect(result.latencies.p99 >= result.latencies.p50)
        #expect(result.eventBytes > 5 * conditions.textBytes)
        #expect(result.busy.datagramBytes > 0)
        #expect(result.busy.rowBytes > 0)
        #expect(result.ratioBeyondIdle > 0)
        #expect(result.idleBytesPerSecond > 0)
        #expect(multicast ? result.airedEvents > 0 : result.pushedEvents > 0)
        #expect(plan.play() == result)
    }

    @Test func lossCostsBytesAndTime() {
        let results = [0, 300].map { lossPerMille in
            var conditions = MeasureConditions()
            conditions.lossPerMille = lossPerMille
            conditions.usesMulticast = false
            // Too long for a datagram: the connection carries them.
            conditions.textBytes = 2_000
            return BroadcastPlan(members: 8, messages: 20, rate: 1, seed: 4, conditions: conditions).play()
        }
        #expect(results.allSatisfy { $0.latencies.missing == 0 })
        #expect(results[0].busy.retransmissions == 0)
        #expect(results[1].busy.retransmissions > 0)
        #expect(results[1].latencies.p99 > results[0].latencies.p99)
    }

    /// What everybody gets with each new epoch.
    @Test func aRekeyForTwoHundredIsSmall() throws {
        let bytes = [20, 200].map { CryptoLoad(devices: $0, events: 1, seed: 6).rekey()?.bytes.count ?? 0 }
        // A wrap for each takes 80 bytes, and its device's name and key's number at least 9.
        #expect(bytes[1] - bytes[0] >= 180 * 89)
        #expect(bytes[1] <= 20_000)
    }

    @Test func theOtherPartsDeliver() {
        let conditions = MeasureConditions()
        let jobs: [MeasureJob] = [
            .partition(PartitionPlan(members: 8, seed: 5, conditions: conditions)),
            .bridges(BridgesPlan(members: 8, seed: 5, conditions: conditions)),
            .urgent(UrgentPlan(members: 8, missed: 300, seed: 5, conditions: conditions)),
            .heap(HeapPlan(members: 8, messages: 250, seed: 5, conditions: conditions)),
        ]
        for job in jobs { #expect(job.play().isDelivered, "\(job)") }
    }
}
