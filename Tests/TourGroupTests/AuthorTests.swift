import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: what an author writes is one signed chain, and a sealed body opens under its own header only. Method: a log
/// read back as a run; bodies moved under other headers and signed anew.
struct AuthorTests {
    @Test func logIsOneSignedChain() throws {
        var party = Party()
        var events = [Event]()
        for index in 0..<20 {
            events.append(
                party.creator.write(
                    Content.text("message \(index)", replyTo: nil), under: party.epoch,
                    wallMilliseconds: Party.wall + Int64(index % 3)))
        }
        #expect(events.map(\.header.sequence) == Array(2...21))
        #expect(events[0].header.previous == party.founding.group.genesisEvent.id)
        for (earlier, later) in zip(events, events.dropFirst()) {
            #expect(later.header.previous == earlier.id)
            #expect(later.header.clock > earlier.header.clock)
        }
        let run = Run(events, hops: 0, pushed: false)
        let verified = try VerifiedRun(run, tour: party.tour, identity: party.creator.identity.publicKey)
        #expect(verified.events == events)
        #expect(party.creator.tail == Author.Tail(sequence: 21, id: events[19].id))
        for (index, event) in events.enumerated() {
            #expect(try party.fresh.open(event) == .text("message \(index)", replyTo: nil))
        }
    }

    @Test func classFollowsFromTheContent() throws {
        var party = Party()
        func eventClass(_ content: Content) -> EventClass {
            party.creator.write(content, under: party.epoch, wallMilliseconds: Party.wall).header.eventClass
        }
        #expect(eventClass(.text("a", replyTo: nil)) == .chat)
        #expect(eventClass(.withdrawal(.none)) == .profile)
        #expect(
            eventClass(.announcement(.init(text: "a", urgent: true, expiresAt: nil, replyTo: nil))) == .announcement)
        #expect(eventClass(.profile(name: "a")) == .profile)
        #expect(eventClass(.tourInfo(name: "a")) == .profile)
        #expect(party.write(.leave).header.eventClass == .control)
        #expect(party.write(.leave).header.epoch == .none)
    }

    /// An older copy of an author takes up what was written after it was made, by a clock that was ahead.
    @Test func whatOthersKeptIsTakenUp() throws {
        var party = Party()
        var copy = party.creator
        let later = Party.wall + 3_600_000
        let kept = (0..<3).map { index in
            party.creator.write(
                Content.text("kept \(index)", replyTo: nil), under: party.epoch, wallMilliseconds: later)
        }
        copy.adopt(kept[2])
        #expect(copy.tail == party.creator.tail)
        let next = copy.write(Content.text("next", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        #expect(next.header.sequence == kept[2].header.sequence + 1)
        #expect(next.header.previous == kept[2].id)
        #expect(next.header.clock > kept[2].header.clock)
    }

    @Test func rewindWritesTheSequenceAgain() throws {
        var party = Party()
        let before = party.creator.tail
        let lost = party.creator.write(
            Content.text("lost", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        party.creator.rewind(to: before)
        let kept = party.creator.write(
            Content.text("kept", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall)
        #expect(kept.header.sequence == lost.header.sequence)
        #expect(kept.header.previous == before.id)
        #expect(kept.header.clock > lost.header.clock)
    }

    @Test func crediblyReadClocksMoveOurs() {
        var party = Party()
        let ahead = LogicalClock(milliseconds: Party.wall + 1_000)
        party.creator.witness(ahead, wallMilliseconds: Party.wall)
        let event = party.creator.write(.leave, wallMilliseconds: Party.wall)
        #expect(event.header.clock > ahead)
        party.creator.witness(LogicalClock(value: .max), wallMilliseconds: Party.wall)
        #expect(
            party.creator.write(.leave, wallMilliseconds: Party.wall).header.clock.milliseconds < Party.wall + 2_000)
    }

    @Test func oneBodySealedTwiceDiffers() {
        var party = Party()
        func body() -> [UInt8] {
            Array(
                party.creator.write(
                    Content.text("same", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall
                ).body)
        }
        #expect(body() != body())
    }

    /// An event with this body under a header of `author`'s own, well signed.
    private func resigned(_ body: ArraySlice<UInt8>, _ header: EventHeader, by author: SigningKeyPair) -> Event {
        var header = header
        header.author = MemberID(identity: author.publicKey)
        header.bodyHash = EventCrypto.bodyHash(body)
        return Event(header, signature: EventCrypto.sign(header.exactBytes, by: author), body: body)
    }

    @Test func bodyOpensUnderItsOwnHeaderOnly() throws {
        var party = Party()
        let invite = Party.invite(1)
        let group = party.group(of: [party.open(invite), party.admit(2, invite)])
        var author = party.author(2)
        let original = author.write(
            Content.text("mine", replyTo: nil), under: party.epoch, wallMilliseconds: Party.wall + 5)
        #expect(try group.open(original) == .text("mine", replyTo: nil))
        let thief = party.creatorKeys.identity
        let own = Party.keys(2).identity
        let changes: [(SigningKeyPair, (inout EventHeader) -> Void)] = [
            (thief, { _ in }),
            (own, { $0.clock = LogicalClock(value: $0.clock.value + 1) }),
            (own, { $0.sequence += 1 }),
            (own, { $0.previous = EventID(raw: .zero.flipped) }),
            (own, { $0.tour = TourID(genesis: [1]) }),
            (own, { $0.eventClass = .announcement }),
        ]
        for (signer, change) in changes {
            var header = original.header
            change(&header)
            #expect(throws: GroupFault.badSeal) { try group.open(resigned(original.body, header, by: signer)) }
        }
    }

    @Test func bodyOfAnotherTourIsRefused() throws {
        var first = Party(salt: 1)
        let second = Party(salt: 2)
        #expect(first.tour != second.tour)
        let event = first.creator.write(
            Content.text("here", replyTo: nil), under: first.epoch, wallMilliseconds: Party.wall)
        #expect(throws: GroupFault.unknownEpoch) { try second.fresh.open(event) }
        var header = event.header
        header.tour = second.tour
        header.epoch = second.epoch.id
        let moved = resigned(event.body, header, by: second.creatorKeys.identity)
        #expect(throws: GroupFault.badSeal) { try second.fresh.open(moved) }
        #expect(try first.fresh.open(event) == .text("here", replyTo: nil))
    }
}

extension Bytes32 {
    /// Another value.
    var flipped: Bytes32 { Bytes32(bytes.map { ~$0 })! }
}
