import NIOCore
import NIOPosix
import Testing
import TourAPI
import TourCrypto
import TourGroup
import TourModel
import TourNode
import TourWire

/// Goal: a guest goes on as one member with one log whatever is lost, repeated or restored on the way, at one device
/// and at several, and nobody else does.
/// Method: two devices in memory, on one loop with the test, which plays the phones, the disks and the network.
@Suite actor NodeSeatsTests {
    private nonisolated let executor: any SerialExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private let guide: MemorySeatsHost
    private let ben: MemorySeatsHost
    /// The founder's, as both devices begin.
    private let log: [Event]

    init() throws {
        executor = MultiThreadedEventLoopGroup.singleton.next().executor
        let (keys, others) = (MemberKeys.random(), MemberKeys.random())
        let start = MemorySeatsHost.start
        let founding = Founding(
            keys: keys, epochKey: EpochKey.randomKey(), fullHistory: true, salt: [UInt8](repeating: 7, count: 16),
            wallMilliseconds: start)
        let (group, secret) = (founding.group, InviteSecret.random())
        var author = founding.author
        let admission = JoinRequest.signed(
            identity: others.identity, linkKey: others.link.publicKey, wrappingKey: others.wrapping.publicKey,
            invite: secret.invitePair, tour: group.tour,
            handshakeHash: [UInt8](repeating: 1, count: JoinRequest.handshakeHashLength))
        log = [
            group.genesisEvent,
            author.write(
                group.inviteBody(secret, uses: 0, expiresAt: nil, under: founding.epoch), wallMilliseconds: start),
            author.write(.admit(admission), wallMilliseconds: start),
        ]
        let genesis = group.genesisEvent.bytes
        guide = try MemorySeatsHost(keys, "Guide", genesis: genesis, epoch: founding.epoch, executor: executor)
        ben = try MemorySeatsHost(others, "Ben", genesis: genesis, epoch: founding.epoch, executor: executor)
    }

    /// As long as a phone waits for the disk.
    private static let diskPatience: Duration = .seconds(10)

    // MARK: - Phones

    /// A guest's phone, which keeps what the page keeps.
    // Used on the loop of the tests alone.
    private final class Phone: @unchecked Sendable {
        let secret: [UInt8]
        var member = ""
        var head = SeatHead(seq: 0, id: "")
        var tail: [[UInt8]] = []
        var ticket: SeatTicket?

        init(_ number: UInt8) { secret = [UInt8](repeating: number, count: SeatKeys.secretBytes) }

        /// Another phone with all that this one knows.
        func copy() -> Phone {
            let copy = Phone(secret[0])
            (copy.member, copy.head, copy.tail) = (member, head, tail)
            return copy
        }

        func keep(_ event: PreparedEvent) {
            tail.append(event.bytes)
            head = SeatHead(seq: event.seq, id: event.id)
        }
    }

    /// Both devices give seats.
    private func begin(max: Int? = nil) async throws {
        for device in [guide, ben] {
            device.read([guide.own: log])
            await device.seats.begin(device)
            // The owner waits for the door, which is played here too.
            await device.seats.doorOpened(port: 8_480)
        }
        _ = try await guide.seats.set(on: true, max: max, in: nil)
        _ = try await guide.seats.allow(ben.own.hex, true, in: nil)
        guide.meet(ben)
        _ = try await ben.seats.set(on: true, max: max, in: nil)
    }

    private func enter(_ phone: Phone, at device: MemorySeatsHost) async throws {
        let standing = try await device.seats.enter(pass: device.pass, name: "Anna", secret: phone.secret)
        (phone.member, phone.head, phone.tail) = (standing.memberID, standing.head, standing.tail)
        phone.ticket = standing.ticket
    }

    /// Comes to a device with all that the phone keeps, and confirms what moves the seat there.
    private func come(_ phone: Phone, to device: MemorySeatsHost) async throws {
        let standing = try await device.seats.resume(
            member: phone.member, secret: phone.secret, head: phone.head, tail: phone.tail)
        (phone.head, phone.ticket) = (standing.head, standing.ticket)
        guard let prepared = standing.prepared else { return }
        phone.keep(prepared)
        #expect(try await device.seats.confirm(prepared.id, for: standing.ticket) == phone.head)
    }

    private func prepare(_ text: String, _ phone: Phone, at device: MemorySeatsHost) async throws -> PreparedEvent {
        let ticket = try #require(phone.ticket)
        return try await device.seats.prepare(.text(text, replyTo: nil), for: ticket)
    }

    private func confirm(_ event: PreparedEvent, _ phone: Phone, at device: MemorySeatsHost) async throws {
        let ticket = try #require(phone.ticket)
        let head = try await device.seats.confirm(event.id, for: ticket)
        #expect(head == SeatHead(seq: event.seq, id: event.id))
    }

    private func say(_ text: String, _ phone: Phone, at device: MemorySeatsHost) async throws {
        let event = try await prepare(text, phone, at: device)
        phone.keep(event)
        try await confirm(event, phone, at: device)
    }

    private func code(_ work: () async throws -> Void) async -> String {
        do {
            try await work()
            return "none"
        } catch {
            return (error as? NodeError)?.code ?? "\(error)"
        }
    }

    // MARK: - Entering

    @Test func aGuestEntersOnceHoweverOftenItsPhoneAsks() async throws {
        try await begin()
        let (first, again) = (Phone(1), Phone(1))
        try await enter(first, at: guide)
        try await enter(again, at: guide)
        #expect(again.member == first.member && again.head == first.head && first.head.seq == 2)
        #expect(first.tail.count == 2 && again.tail == first.tail, "nobody else has these events")
        #expect(try await guide.seats.view(nil).usesLeft == SeatLimits.passUsesStandard - 1)
        guide.meet(ben)
        let late = Phone(1)
        try await enter(late, at: guide)
        #expect(late.tail.isEmpty, "another device has them")
    }

    @Test func aWrongPassOrSecretLetsNobodyIn() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let stranger = Phone(2)
        (stranger.member, stranger.head) = (phone.member, phone.head)
        let nobody = phone.copy()
        nobody.member = ben.own.hex
        let short = [UInt8](repeating: 1, count: SeatKeys.secretBytes - 1)
        let pass = [UInt8](repeating: 0, count: SeatPass.secretBytes)
        let codes = [
            await code { _ = try await guide.seats.enter(pass: pass, name: "Eve", secret: stranger.secret) },
            await code { _ = try await guide.seats.enter(pass: guide.pass, name: "Eve", secret: short) },
            await code { try await come(stranger, to: guide) },
            await code { try await come(nobody, to: guide) },
        ]
        #expect(codes == ["bad-pass", "wrong-secret", "wrong-secret", "unknown-seat"])
        #expect(try await guide.seats.view(nil).usesLeft == SeatLimits.passUsesStandard - 1)
    }

    @Test func digitsSayWhatTheCodeSays() async throws {
        try await begin()
        let shown = try #require(try await guide.seats.view(nil).digits)
        let digits = try #require(SpokenDigits(parsing: shown))
        let wrong = try #require(SpokenDigits(parsing: shown == "12345678" ? "87654321" : "12345678"))
        #expect(try await guide.seats.entry(by: digits) == guide.seats.entry())
        #expect(try await guide.seats.view(nil).usesLeft == SeatLimits.passUsesStandard, "typing is no entering yet")
        for _ in 1..<SeatLimits.digitTriesMax {
            #expect(await code { _ = try await guide.seats.entry(by: wrong) } == "wrong-digits")
        }
        #expect(await code { _ = try await guide.seats.entry(by: wrong) } == "digits-spent")
        #expect(await code { _ = try await guide.seats.entry(by: digits) } == "digits-spent")
        #expect(try await guide.seats.view(nil).digits == nil)
        try await enter(Phone(1), at: guide)
        let renewed = try await guide.seats.renewPass(uses: nil, seconds: nil, in: nil)
        #expect(renewed.digits != nil && renewed.secondsLeft == SeatLimits.passSecondsMax)
        _ = try await guide.seats.set(on: false, max: nil, in: nil)
        #expect(await code { _ = try await guide.seats.entry(by: digits) } == "seats-off")
    }

    @Test func theThirtyFirstGuestWaitsUntilOneHasLeft() async throws {
        try await begin()
        let first = Phone(1)
        try await enter(first, at: guide)
        for number in 2...UInt8(SeatLimits.seatsStandard) { try await enter(Phone(number), at: guide) }
        #expect(await guide.seats.door().entry == .full)
        let next = Phone(100)
        #expect(await code { try await enter(next, at: guide) } == "full")
        let leave = try await guide.seats.prepare(.leave, for: #require(first.ticket))
        try await confirm(leave, first, at: guide)
        await guide.seats.tick()
        #expect(await code { try await enter(next, at: guide) } == "pass-used-up")
        _ = try await guide.seats.renewPass(uses: 1, seconds: nil, in: nil)
        try await enter(next, at: guide)
        #expect(await code { try await come(first, to: guide) } == "over")
    }

    @Test func whatFailsUsesUpNoPass() async throws {
        try await begin()
        guide.refuses = true
        #expect(await code { try await enter(Phone(1), at: guide) } != "none")
        #expect(try await guide.seats.view(nil).usesLeft == SeatLimits.passUsesStandard)
        guide.refuses = false
        try await enter(Phone(1), at: guide)
        #expect(guide.group.roster.active.count(where: \.isGuest) == 1)
    }

    /// The admission is written, and the disk loses what follows: the next try must not write anything else in the
    /// first places of the log, which others may know by now.
    @Test func aDiskThatFailedOnceStillLetsTheGuestIn() async throws {
        try await begin()
        let phone = Phone(1)
        guide.holdDisk()
        async let entering = code { try await enter(phone, at: guide) }
        while guide.waiting?.isEmpty != false { await Task.yield() }
        let lost = guide.waiting?.first
        guide.releaseDisk(losing: true)
        guide.now = guide.now + Self.diskPatience
        await guide.seats.tick()
        #expect(await entering == "busy")
        try await enter(phone, at: guide)
        #expect(phone.head.seq == 2 && guide.group.roster.active.count(where: \.isGuest) == 1)
        let member = try #require(MemberID(hex: phone.member))
        #expect(lost == Run(try #require(guide.logs[member]), hops: 0, pushed: true))
    }

    // MARK: - Writing

    @Test func onlyWhatIsConfirmedIsWritten() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let first = try await prepare("first", phone, at: guide)
        let second = try await prepare("second", phone, at: guide)
        #expect(first.seq == second.seq && guide.texts(of: phone.member).isEmpty)
        #expect(await code { try await confirm(first, phone, at: guide) } == "moved")
        try await confirm(second, phone, at: guide)
        // The answer was lost: the phone asks again.
        try await confirm(second, phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["second"])
    }

    @Test func aConfirmationIsAnsweredByTheDisk() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let event = try await prepare("kept", phone, at: guide)
        guide.holdDisk()
        async let first: Void = confirm(event, phone, at: guide)
        async let second: Void = confirm(event, phone, at: guide)
        while guide.waiting?.count != 2 { await Task.yield() }
        #expect(await code { _ = try await prepare("other", phone, at: guide) } == "busy")
        guide.releaseDisk()
        _ = try await (first, second)
        #expect(guide.texts(of: phone.member) == ["kept"])
    }

    @Test func aConfirmationThatTheDiskLostIsGivenAgain() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let event = try await prepare("kept", phone, at: guide)
        phone.keep(event)
        guide.holdDisk()
        async let lost = code { try await confirm(event, phone, at: guide) }
        while guide.waiting?.isEmpty != false { await Task.yield() }
        guide.releaseDisk(losing: true)
        guide.now = guide.now + Self.diskPatience
        await guide.seats.tick()
        #expect(await lost == "busy")
        #expect(await code { _ = try await prepare("other", phone, at: guide) } == "busy", "its place is taken")
        try await confirm(event, phone, at: guide)
        try await say("after", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["kept", "after"])
    }

    /// The device stops before or behind the disk's answer: in both cases the phone's tail decides.
    @Test(arguments: [false, true]) func whatADeviceForgotThePhoneBrings(isStored: Bool) async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let event = try await prepare("kept", phone, at: guide)
        phone.keep(event)
        if isStored { try await confirm(event, phone, at: guide) }
        try await guide.restart()
        #expect(await code { _ = try await prepare("other", phone, at: guide) } == "no-seat")
        try await come(phone, to: guide)
        try await say("after", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["kept", "after"])
    }

    /// What a phone brings counts as stored once it is answered: no crash may lose it then.
    @Test func aTailIsStoredForGood() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        try await say("one", phone, at: guide)
        let member = try #require(MemberID(hex: phone.member))
        #expect(await !ben.seats.writes(for: member))
        ben.holdDisk()
        async let coming = code { try await come(phone, to: ben) }
        while ben.waiting?.isEmpty != false { await Task.yield() }
        #expect(await ben.seats.writes(for: member))
        ben.releaseDisk()
        #expect(await coming == "none")
    }

    @Test func whatWasPreparedUnderAnOldKeyIsMadeAnew() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let event = try await prepare("old", phone, at: guide)
        guide.newEpoch = EpochID(raw: .zero)
        #expect(await code { try await confirm(event, phone, at: guide) } == "moved")
        guide.newEpoch = nil
        try await say("new", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["new"])
    }

    @Test func aFloodCostsItself() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        for _ in 0..<20 { _ = try await prepare("", phone, at: guide) }
        let ticket = try #require(phone.ticket)
        await #expect(throws: NodeError.seat(.slowDown(2))) {
            try await guide.seats.prepare(.text("", replyTo: nil), for: ticket)
        }
        guide.now = guide.now + .seconds(2)
        try await say("two seconds later", phone, at: guide)
    }

    @Test func aCallForHelpHasRoomBehindAFlood() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        for _ in 0..<20 { _ = try await prepare("", phone, at: guide) }
        let ticket = try #require(phone.ticket)
        for _ in 0..<3 { _ = try await guide.seats.prepare(.alarm(text: "help", battery: nil), for: ticket) }
        await #expect(throws: NodeError.seat(.slowDown(30))) {
            try await guide.seats.prepare(.alarm(text: "help", battery: nil), for: ticket)
        }
        await #expect(throws: NodeError.seat(.slowDown(2))) {
            try await guide.seats.prepare(.text("", replyTo: nil), for: ticket)
        }
    }

    /// A phone keeps 256 events, or 512 KiB: it gets no more, and always the newest.
    @Test(arguments: [(events: 300, bytes: 1), (events: 45, bytes: 15_000)])
    func whatAPhoneGetsOfItsLogIsBounded(events: Int, bytes: Int) async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        for _ in 0..<events {
            guide.now = guide.now + .seconds(2)
            try await say(String(repeating: "x", count: bytes), phone, at: guide)
        }
        let kept = phone.tail
        try await enter(phone, at: guide)
        #expect(phone.tail.count <= SeatLimits.tailMax && phone.tail == kept.suffix(phone.tail.count))
        let size = phone.tail.reduce(0) { $0 + $1.count }
        #expect(size <= SeatLimits.tailBytesMax)
        #expect(phone.tail.count == SeatLimits.tailMax || size > SeatLimits.tailBytesMax - 2 * bytes)
    }

    // MARK: - Several devices

    @Test func aGuestWalksToAnotherDeviceAndBack() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        // The guide's device goes out of reach with the last message: the phone brings it.
        try await say("one", phone, at: guide)
        let old = try #require(phone.ticket)
        try await come(phone, to: ben)
        try await say("two", phone, at: ben)
        guide.meet(ben)
        await guide.seats.tick()
        #expect(await code { _ = try await guide.seats.prepare(.text("x", replyTo: nil), for: old) } == "moved")
        try await come(phone, to: guide)
        try await say("three", phone, at: guide)
        guide.meet(ben)
        let member = try #require(MemberID(hex: phone.member))
        #expect(ben.texts(of: phone.member) == ["one", "two", "three"])
        #expect(ben.logs[member] == guide.logs[member] && guide.book.host(of: member) == guide.own)
        #expect(try await ben.seats.view(nil).guests.isEmpty)
    }

    /// A phone that has not confirmed the record is with another host, as far as anybody knows: only that host says
    /// what it has.
    @Test func aSeatThatIsNotMovedYetHasNoRows() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        let standing = try await ben.seats.resume(
            member: phone.member, secret: phone.secret, head: phone.head, tail: phone.tail)
        await ben.seats.got(1, for: standing.ticket)
        #expect(ben.rows.isEmpty)
        let moving = try #require(standing.prepared)
        _ = try await ben.seats.confirm(moving.id, for: standing.ticket)
        await ben.seats.got(2, for: standing.ticket)
        #expect(ben.rows.map(\.hex) == [phone.member])
    }

    /// The record that moves a seat comes before anything else, and is forgotten with a phone that goes on elsewhere.
    @Test func aSeatThatIsNotMovedYetWritesNothing() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        let standing = try await ben.seats.resume(
            member: phone.member, secret: phone.secret, head: phone.head, tail: phone.tail)
        #expect(standing.prepared != nil)
        let early = await code { _ = try await ben.seats.prepare(.text("x", replyTo: nil), for: standing.ticket) }
        #expect(early == "no-seat")
        await ben.seats.release(standing.ticket)
        await ben.seats.tick()
        try await come(phone, to: guide)
        try await say("here", phone, at: guide)
        let late = await code {
            _ = try await ben.seats.confirm(standing.prepared?.id ?? "", for: standing.ticket)
        }
        #expect(late != "none")
        guide.meet(ben)
        #expect(ben.texts(of: phone.member) == ["here"])
    }

    /// A phone keeps a host of which nothing is said, and forgets one that is said to be none any more.
    @Test func aDeviceSaysWhereElseAPhoneGoesOnAndWhereNoMore() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        func said() async throws -> (hosts: [String], former: [String]) {
            let standing = try await guide.seats.resume(
                member: phone.member, secret: phone.secret, head: phone.head, tail: [])
            await guide.seats.release(standing.ticket)
            return (standing.hosts.map(\.member), standing.formerHosts)
        }
        func tell(_ key: LinkKey?) async throws {
            let addresses = key == nil ? [] : ["192.0.2.2:8480"]
            try await ben.write(.seatHost(SeatHost(key: key, addresses: addresses)), in: ben.group.tour)
        }
        let (key, other) = (try await ben.seats.channelKey().publicKey, ben.own.hex)
        try await tell(key)
        #expect(try await said() == ([], []), "it has not heard of it")
        guide.meet(ben)
        #expect(try await said() == ([other], []))
        try await tell(nil)
        guide.meet(ben)
        #expect(try await said() == ([], [other]), "it gives no seats any more")
        try await tell(key)
        guide.meet(ben)
        #expect(try await said() == ([other], []))
        _ = try await guide.seats.allow(ben.own.hex, false, in: nil)
        #expect(try await said() == ([], [other]), "it may not")
    }

    @Test func aDeviceThatLacksAPartLetsThePhoneWait() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        try await say("one", phone, at: guide)
        phone.tail = []
        #expect(await code { try await come(phone, to: ben) } == "behind")
        guide.meet(ben)
        try await come(phone, to: ben)
        try await say("two", phone, at: ben)
        #expect(ben.texts(of: phone.member) == ["one", "two"])
    }

    @Test func twoPhonesOfOneSecretAreOneGuestAtOneDevice() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let copy = phone.copy()
        try await come(copy, to: guide)
        let event = try await prepare("one", phone, at: guide)
        try await say("two", copy, at: guide)
        #expect(await code { try await confirm(event, phone, at: guide) } == "moved")
        try await say("three", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["two", "three"])
    }

    /// At two devices that cannot hear each other the copy takes a place that is used: no device goes on behind it.
    @Test func aCopiedPhoneIsNoticedWhereDevicesMeet() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        guide.meet(ben)
        let copy = phone.copy()
        try await say("mine", phone, at: guide)
        try await come(copy, to: ben)
        guide.meet(ben)
        #expect(await code { try await come(copy, to: guide) } == "moved")
        #expect(await code { try await come(phone, to: ben) } == "moved")
    }

    @Test func aRemovedHostTakesItsGuestsAlong() async throws {
        try await begin()
        let (there, walked, here) = (Phone(1), Phone(2), Phone(3))
        try await enter(there, at: ben)
        try await enter(walked, at: ben)
        try await enter(here, at: guide)
        guide.meet(ben)
        try await come(walked, to: guide)
        try await say("said before", walked, at: guide)
        _ = try await guide.seats.allow(ben.own.hex, false, in: nil)
        guide.meet(ben)
        for device in [guide, ben] { await device.seats.tick() }
        #expect(await code { try await say("x", there, at: ben) } == "removed")
        #expect(await code { try await say("x", walked, at: guide) } == "removed", "its key was at that host")
        #expect(await code { try await come(there, to: guide) } == "removed")
        #expect(await code { try await enter(Phone(4), at: ben) } == "seats-off")
        try await say("stays", here, at: guide)
        #expect(ben.texts(of: walked.member) == ["said before"])
    }

    // MARK: - Removals

    private func newcomer(_ number: UInt8, _ pass: [UInt8], at device: MemorySeatsHost) async -> String {
        await code { _ = try await device.seats.enter(pass: pass, name: "Karl", secret: Phone(number).secret) }
    }

    @Test func aRemovalEndsTheCodeOfEachDevice() async throws {
        try await begin()
        let (karl, other) = (Phone(1), Phone(2))
        try await enter(karl, at: guide)
        try await enter(other, at: ben)
        guide.meet(ben)
        let (old, oldOfBen) = (guide.pass, ben.pass)
        try guide.remove(karl.member)
        #expect(await newcomer(3, old, at: guide) == "bad-pass")
        guide.meet(ben)
        for device in [guide, ben] { await device.seats.tick() }
        #expect(await newcomer(3, oldOfBen, at: ben) == "bad-pass")
        for device in [guide, ben] {
            #expect(await code { try await come(karl.copy(), to: device) } == "removed")
            #expect(await newcomer(1, device.pass, at: device) == "removed", "its page kept the secret alone")
        }
        try await enter(Phone(4), at: guide)
        try await enter(Phone(5), at: ben)
        try await say("stays", other, at: ben)
        #expect(try await ben.seats.view(nil).usesLeft == SeatLimits.passUsesStandard - 2)
    }

    @Test func whoCameSinceIsOutAtOnce() async throws {
        try await begin()
        let (karl, first, second) = (Phone(1), Phone(2), Phone(3))
        try await enter(karl, at: guide)
        guide.now = guide.now + .seconds(60)
        let since = guide.wallMicroseconds / 1_000
        try await enter(first, at: guide)
        try await enter(second, at: guide)
        let old = guide.pass
        let tickets = try [karl, first, second].map { try #require($0.ticket) }
        #expect(await guide.seats.ended(among: tickets) == [])
        _ = try await guide.seats.renewPass(uses: nil, seconds: nil, since: since, in: nil)
        #expect(await guide.seats.ended(among: tickets) == [first.member, second.member])
        try await say("stays", karl, at: guide)
        for phone in [first, second] { #expect(await code { try await say("x", phone, at: guide) } == "removed") }
        #expect(await newcomer(4, old, at: guide) == "bad-pass")
        try await enter(Phone(5), at: guide)
        ben.meet(guide)
        await #expect(throws: NodeError.notAllowed) {
            try await ben.seats.renewPass(uses: nil, seconds: nil, since: since, in: nil)
        }
    }

    /// A device that has not heard of a removal yet lets in by its code: a guest who came so is out when it has.
    @Test func whoeverComesToADeviceThatHasNotHeardIsOut() async throws {
        try await begin()
        let (karl, again) = (Phone(1), Phone(2))
        try await enter(karl, at: guide)
        guide.meet(ben)
        try guide.remove(karl.member)
        try await enter(again, at: ben)
        guide.meet(ben)
        for device in [guide, ben] { await device.seats.tick() }
        #expect(await code { try await say("x", again, at: ben) } == "over")
        #expect(guide.group.roster.active.count(where: \.isGuest) == 0)
    }

    @Test func aCodeOutlivesAStartAndNoRemoval() async throws {
        try await begin()
        let karl = Phone(1)
        try await enter(karl, at: guide)
        let old = guide.pass
        try await guide.restart()
        await guide.seats.tick()
        #expect(guide.pass == old)
        try guide.remove(karl.member)
        // The device stops before it has renewed its code.
        try await guide.restart()
        #expect(await newcomer(2, old, at: guide) == "bad-pass")
    }

    // MARK: - Time

    @Test func aDeviceThatWasRestoredWaitsForWhatItLost() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let backup = guide.logs
        try await say("one", phone, at: guide)
        guide.meet(ben)
        try await say("two", phone, at: guide)
        try await guide.restart(from: backup)
        // Another device has the first message, and only the phone the second.
        phone.tail.removeFirst(phone.tail.count - 1)
        #expect(await code { try await come(phone, to: guide) } == "behind")
        guide.meet(ben)
        try await come(phone, to: guide)
        try await say("three", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["one", "two", "three"])
    }

    @Test func everyCodeOfATourSaysThePageKeyAndEachDeviceAName() async throws {
        try await begin()
        func key(_ device: MemorySeatsHost) async throws -> [UInt8] {
            let entry = await device.seats.entry()
            let code = try #require(entry.flatMap { Base64URL.bytes(of: Array($0.utf8)) })
            #expect(code.count == 65 && code.first == 2)
            return Array(code.suffix(SeatPage.keyBytes))
        }
        let tour = try guide.tour(named: nil)
        let (first, other) = (try await key(guide), try await key(ben))
        #expect(first == SeatPage.key(of: tour) && other == first)
        _ = try await guide.seats.renewPass(uses: nil, seconds: nil, in: nil)
        #expect(try await key(guide) == first, "what phones keep opens by the next code too")
        await guide.seats.tick()
        await ben.seats.tick()
        let name = SeatPage.name(of: guide.own, in: tour)
        #expect(guide.localName == name && ben.localName == SeatPage.name(of: ben.own, in: tour))
        #expect(name != ben.localName)
        #expect(await guide.seats.door().local == "\(name).local:8480")
        let phone = Phone(1)
        let standing = try await guide.seats.enter(pass: guide.pass, name: "Anna", secret: phone.secret)
        #expect(standing.pageKey == first)
        _ = try await guide.seats.set(on: false, max: nil, in: nil)
        await guide.seats.tick()
        #expect(guide.localName == nil, "nobody is looked for by a name when no guests are let in")
    }

    @Test func theKeyOfAPhoneThatIsLongAwayIsForgotten() async throws {
        try await begin()
        let phone = Phone(1)
        try await enter(phone, at: guide)
        let ticket = try #require(phone.ticket)
        let member = ticket.member
        await guide.seats.release(ticket)
        await guide.seats.tick()
        #expect(await guide.seats.writes(for: member))
        guide.now = guide.now + SeatLimits.absenceMax
        await guide.seats.tick()
        #expect(await !guide.seats.writes(for: member))
        try await come(phone, to: guide)
        try await say("back", phone, at: guide)
        #expect(guide.texts(of: phone.member) == ["back"])
    }

    // MARK: - The end of a tour

    @Test func anEndedTourIsReadForADay() async throws {
        try await begin()
        let (anna, away) = (Phone(1), Phone(2))
        try await enter(anna, at: guide)
        try await enter(away, at: ben)
        try await say("before", anna, at: guide)
        let late = try await prepare("too late", anna, at: guide)
        guide.meet(ben)
        try await guide.write(.close, in: guide.group.tour)
        guide.meet(ben)
        for device in [guide, ben] { await device.seats.tick() }
        let ticket = try #require(anna.ticket)
        #expect(await guide.seats.writes(for: ticket.member), "the seat goes before the guest has read")
        #expect(await code { try await confirm(late, anna, at: guide) } == "moved", "it was written after the end")
        #expect(await code { _ = try await prepare("more", anna, at: guide) } == "tour-ended")
        #expect(await newcomer(3, guide.pass, at: guide) == "tour-ended")
        #expect(await guide.seats.door().entry == .ended)
        for device in [guide, ben] {
            for phone in [anna, away] {
                // A phone that has more than the device reads all the same.
                let standing = try await device.seats.resume(
                    member: phone.member, secret: phone.secret, head: SeatHead(seq: 99, id: ""), tail: [])
                #expect(standing.isEnded && standing.prepared == nil)
            }
            #expect(
                await code {
                    _ = try await device.seats.resume(
                        member: anna.member, secret: Phone(9).secret, head: anna.head, tail: [])
                } == "wrong-secret")
        }
        guide.now = guide.now + .seconds(Int(SeatLimits.farewellSeconds))
        try await guide.restart()
        await guide.seats.tick()
        #expect(await code { try await come(anna, to: guide) } == "tour-ended")
        #expect(guide.texts(of: anna.member) == ["before"])
    }
}
