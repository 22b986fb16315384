import Testing
import TourDiscovery
import TourModel

// Goal: a reader that is slow, late or gone neither grows memory nor ends with a wrong picture.
// Method: post first, read afterwards; waiting readers are woken by the post itself, so nothing sleeps.
@Suite struct EventMailboxTests {
    private func key(_ index: Int) -> ServiceKey { ServiceKey(instance: "n\(index)", interface: 2, isIPv6: false) }

    private func candidate(_ index: Int, port: UInt16 = 7000) -> Candidate {
        Candidate(instance: "n\(index)", interface: 2, address: "10.0.0.1", port: port, version: 1, tags: [])
    }

    @Test func onlyTheNewestOfEachServiceWaits() async {
        let mailbox = EventMailbox()
        mailbox.found(key(1), candidate(1))
        mailbox.found(key(1), candidate(1, port: 7001))
        mailbox.found(key(2), candidate(2))
        mailbox.lost(key(2))
        mailbox.finish()
        #expect(await mailbox.next() == .found(candidate(1, port: 7001)))
        #expect(await mailbox.next() == nil)
    }

    @Test func aLossIsToldToThoseWhoKnewAndBeforeAnythingFound() async {
        let mailbox = EventMailbox()
        mailbox.found(key(1), candidate(1))
        #expect(await mailbox.next() == .found(candidate(1)))
        mailbox.found(key(2), candidate(2))
        mailbox.lost(key(1))
        mailbox.post(.running)
        mailbox.post(.running)
        #expect(await mailbox.next() == .state(.running))
        #expect(await mailbox.next() == .lost(instance: "n1", interface: 2, isIPv6: false))
        mailbox.lost(key(1))
        #expect(await mailbox.next() == .found(candidate(2)))
        mailbox.finish()
        #expect(await mailbox.next() == nil)
    }

    @Test func lostAndFoundAgainIsAChange() async {
        let mailbox = EventMailbox()
        mailbox.found(key(1), candidate(1))
        _ = await mailbox.next()
        mailbox.lost(key(1))
        mailbox.found(key(1), candidate(1, port: 7001))
        mailbox.finish()
        #expect(await mailbox.next() == .found(candidate(1, port: 7001)))
        #expect(await mailbox.next() == nil)
    }

    @Test func aFloodThatNobodyReadsStaysSmall() {
        let mailbox = EventMailbox()
        for index in 0..<100_000 {
            mailbox.found(key(index), candidate(index))
            if index >= Limits.candidatesMax { mailbox.lost(key(index - Limits.candidatesMax)) }
            mailbox.post(.unavailable(reason: .refused("\(index)")))
        }
        #expect(mailbox.waitingCount <= Limits.candidatesMax + 1)
    }

    @Test func aReaderThatFallsBehindEndsWithTheTruth() async {
        let mailbox = EventMailbox()
        var live = Set<String>()
        func read() async {
            switch await mailbox.next() {
            case .found(let candidate): live.insert(candidate.instance)
            case .lost(let instance, _, _):
                let old = live.remove(instance)
                #expect(old != nil)
            default: break
            }
        }
        for index in 0..<5_000 {
            mailbox.found(key(index), candidate(index))
            if index >= 100 { mailbox.lost(key(index - 100)) }
            if index.isMultiple(of: 3) { await read() }
            #expect(mailbox.waitingCount <= 201)
        }
        while mailbox.waitingCount > 0 { await read() }
        #expect(live == Set((4_900..<5_000).map { "n\($0)" }))
    }

    @Test func aReaderThatIsCancelledIsLetGo() async {
        let mailbox = EventMailbox()
        let events = AsyncStream(unfolding: { await mailbox.next() }, onCancel: { mailbox.abandon() })
        let reader = Task { for await _ in events {} }
        reader.cancel()
        await reader.value
        mailbox.found(key(1), candidate(1))
        #expect(await mailbox.next() == nil)
    }
}
