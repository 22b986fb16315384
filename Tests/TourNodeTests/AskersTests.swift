import Testing
import TourCrypto
import TourGossip
import TourLink
import TourModel
import TourNode
import TourWire

/// Goal: a member's user sees few askers and each for a while, lets in whom the words show, and a spoken code is good
/// for few uses and few guesses; our own question goes to the next device only as long as none has our name.
/// Method: askers and members with hosts in memory, whose clock and network the test moves on by hand.
struct AskersTests {
    private final class Connection {}

    private static let tour = TourID(raw: .zero)
    private static let tag = DiscoveryTag(value: 0x0123_4567_89ab_cdef)

    /// One member's device.
    private final class Member {
        let host = MemoryAskingHost()
        let asking = Asking()
        private var kept: [Connection] = []

        init() {
            host.whenClosed = { [weak self] connection in
                guard let self else { return }
                asking.closed(connection, host)
            }
        }

        func connection() -> ObjectIdentifier {
            let connection = Connection()
            kept.append(connection)
            return ObjectIdentifier(connection)
        }

        /// Somebody opens an ask link.
        func open(from address: String, _ number: UInt8) -> (ObjectIdentifier, AskLink) {
            let connection = connection()
            let hash = [UInt8](repeating: number, count: 64)
            let link = AskLink(tag: AskersTests.tag, tour: AskersTests.tour, handshakeHash: hash)
            asking.opened(connection, link, from: address, host)
            return (connection, AskLink(tag: AskersTests.tag, tour: nil, handshakeHash: hash))
        }

        var shown: [Askers.Shown] { asking.askers.shown(in: AskersTests.tour, now: host.now) }
    }

    /// Plays an asker by words until it is shown, or refused.
    private static func ask(
        _ member: Member, from address: String, _ number: UInt8, name: String = "Anna"
    ) throws -> (connection: ObjectIdentifier, words: ComparedWords?, last: AskMessage?) {
        let (connection, link) = member.open(from: address, number)
        var outputs = [AskerExchange.Output]()
        var asker = AskerExchange(link, .words(name: name), into: &outputs)
        var sent = 0
        var last: AskMessage?
        for _ in 0..<3 {
            let messages = outputs.compactMap { if case .send(let message) = $0 { message } else { nil } }
            for message in messages.dropFirst(sent) {
                member.asking.receive(message, on: connection, isAsker: false, member.host)
            }
            sent = messages.count
            for answer in member.host.take(from: connection) {
                last = answer
                try asker.receive(answer, into: &outputs)
            }
        }
        return (connection, outputs.compactMap { if case .words(let words) = $0 { words } else { nil } }.first, last)
    }

    @Test func theUserSeesWhatTheAskerSees() throws {
        let member = Member()
        let asked = try Self.ask(member, from: "10.0.0.2", 1, name: "  Anna \n Berg ")
        let shown = try #require(member.shown.first)
        #expect(shown.name == "Anna Berg")
        #expect(shown.words == asked.words)
        #expect(shown.label == ComparedWords.label(of: Self.tag))
        #expect(shown.secondsLeft == 300)

        #expect(member.asking.askers.beginAdmission(of: shown.id, to: Self.tour))
        #expect(!member.asking.askers.beginAdmission(of: shown.id, to: Self.tour), "one tap, one code")
        let code = InviteCode(secret: .random(), tour: Self.tour)
        member.asking.askers.endAdmission(of: shown.id, code, member.host)
        #expect(member.host.take(from: asked.connection) == [.admitted(code: code.bytes, tourName: "Museum")])
        #expect(member.host.closed == [asked.connection])
        #expect(member.shown.isEmpty)
    }

    @Test func aFailedAdmissionIsShownAgain() throws {
        let member = Member()
        let asked = try Self.ask(member, from: "10.0.0.2", 1)
        let id = try #require(member.shown.first).id
        #expect(member.asking.askers.beginAdmission(of: id, to: Self.tour))
        member.asking.askers.endAdmission(of: id, nil, member.host)
        #expect(member.shown.count == 1)
        #expect(member.asking.askers.refuse(id, in: Self.tour, member.host))
        #expect(member.host.take(from: asked.connection) == [.refused(.refused)])
    }

    /// What somebody tries counts before it gets a nonce, also when it goes away at once.
    @Test func fewCommitmentsAreAnswered() throws {
        let member = Member()
        var answers = [AskMessage?]()
        for number in UInt8(1)...5 {
            let (connection, link) = member.open(from: "10.0.0.2", number)
            var outputs = [AskerExchange.Output]()
            _ = AskerExchange(link, .words(name: "Anna"), into: &outputs)
            guard case .send(let commitment)? = outputs.first else { continue }
            member.asking.receive(commitment, on: connection, isAsker: false, member.host)
            answers.append(member.host.take(from: connection).first)
            member.host.close(connection)
        }
        #expect(answers.prefix(3).allSatisfy { if case .nonce? = $0 { true } else { false } })
        #expect(answers.suffix(2) == [.refused(.busy), .refused(.busy)])
        member.host.now = member.host.now + .seconds(60)
        #expect(try Self.ask(member, from: "10.0.0.2", 9).words != nil, "a minute later there is room")
    }

    @Test func placesAreBounded() throws {
        let member = Member()
        let asked = try (UInt8(1)...8).map { try Self.ask(member, from: "10.0.0.\($0)", $0).connection }
        #expect(member.shown.count == 8)
        #expect(try Self.ask(member, from: "10.0.0.9", 9).last == .refused(.busy))
        // Somebody goes: the next one has a place; one address has one.
        member.host.close(asked[0])
        #expect(member.shown.count == 7)
        member.host.close(asked[1])
        let taken = try Self.ask(member, from: "10.0.0.10", 10)
        #expect(taken.words != nil)
        #expect(member.shown.count == 7, "there is room for another address")
        #expect(try Self.ask(member, from: "10.0.0.10", 11).last == .refused(.busy))
    }

    @Test func whoMayNotInviteRefuses() throws {
        let member = Member()
        member.host.mayInvite = false
        #expect(try Self.ask(member, from: "10.0.0.2", 1).last == .refused(.closed))
    }

    @Test func timePasses() throws {
        let member = Member()
        let asked = try Self.ask(member, from: "10.0.0.2", 1)
        let silent = member.open(from: "10.0.0.3", 2).0
        member.host.now = member.host.now + .seconds(31)
        member.asking.tick(member.host)
        #expect(member.host.closed == [silent], "it said nothing")
        #expect(member.shown.first?.secondsLeft == 269)
        member.host.now = member.host.now + .seconds(270)
        member.asking.tick(member.host)
        #expect(member.host.take(from: asked.connection) == [.refused(.expired)])
        #expect(member.shown.isEmpty)
    }

    @Test func turningItOffTellsThoseWhoAsk() throws {
        let member = Member()
        let asked = try Self.ask(member, from: "10.0.0.2", 1)
        member.asking.askers.stop(Self.tour, member.host)
        #expect(member.host.take(from: asked.connection) == [.refused(.closed)])
    }

    // MARK: Digits

    /// Tries digits at a member.
    /// - Returns: what the member said last.
    private static func spell(_ digits: SpokenDigits, at member: Member, _ number: UInt8) throws -> [AskMessage] {
        let (connection, link) = member.open(from: "10.0.1.\(number)", number)
        var outputs = [AskerExchange.Output]()
        var asker = AskerExchange(link, .digits(digits), into: &outputs)
        var said = [AskMessage]()
        var sent = 0
        for _ in 0..<2 {
            let messages = outputs.compactMap { if case .send(let message) = $0 { message } else { nil } }
            for message in messages.dropFirst(sent) {
                member.asking.receive(message, on: connection, isAsker: false, member.host)
            }
            sent = messages.count
            for answer in member.host.take(from: connection) {
                said.append(answer)
                try asker.receive(answer, into: &outputs)
            }
        }
        return said
    }

    private static func reading(_ uses: Int = 10) -> (member: Member, digits: SpokenDigits) {
        let (member, digits) = (Member(), SpokenDigits.random())
        member.asking.askers.setSpokenCode(
            SpokenCode(digits, uses: uses, now: member.host.now), of: tour, member.host)
        return (member, digits)
    }

    @Test func theDigitsLetIn() throws {
        let (member, digits) = Self.reading(2)
        var codes = Set<InviteCode>()
        for number in UInt8(1)...2 {
            let code = InviteCode(secret: .random(), tour: Self.tour)
            member.host.whenWritten = { [weak member] asker in
                guard let member else { return }
                member.asking.askers.endAdmission(of: asker, code, member.host)
            }
            let last = try Self.spell(digits, at: member, number).last
            #expect(last == .admitted(code: code.bytes, tourName: "Museum"))
            codes.insert(code)
        }
        #expect(codes.count == 2, "each has a code of its own")
        #expect(try Self.spell(digits, at: member, 3) == [.refused(.spent)])
    }

    @Test func fiveGuessesEndTheCode() throws {
        let (member, digits) = Self.reading()
        let wrong = try #require(SpokenDigits(parsing: digits.text == "00000000" ? "00000001" : "00000000"))
        for number in UInt8(1)...5 {
            #expect(try Self.spell(wrong, at: member, number).last == .refused(.wrongCode))
        }
        #expect(try Self.spell(digits, at: member, 6) == [.refused(.spent)])
        #expect(member.asking.askers.spokenCode(of: Self.tour)?.isSpent == true)
    }

    /// Several may type at the same time; somebody who goes without a proof has guessed.
    @Test func trialsUnderWayCount() throws {
        let (member, digits) = Self.reading()
        var open = [ObjectIdentifier]()
        for number in UInt8(1)...5 {
            let (connection, link) = member.open(from: "10.0.2.\(number)", number)
            var outputs = [AskerExchange.Output]()
            _ = AskerExchange(link, .digits(digits), into: &outputs)
            guard case .send(let share)? = outputs.first else { continue }
            member.asking.receive(share, on: connection, isAsker: false, member.host)
            open.append(connection)
        }
        #expect(try Self.spell(digits, at: member, 9) == [.refused(.busy)])
        #expect(member.asking.askers.spokenCode(of: Self.tour)?.isSpent == false)
        for connection in open { member.host.close(connection) }
        #expect(member.asking.askers.spokenCode(of: Self.tour)?.isSpent == true)
    }

    /// Nobody is left without an answer.
    @Test func newDigitsTellThoseWhoTryTheOldOnes() throws {
        let (member, digits) = Self.reading()
        let (connection, link) = member.open(from: "10.0.0.2", 1)
        var outputs = [AskerExchange.Output]()
        _ = AskerExchange(link, .digits(digits), into: &outputs)
        guard case .send(let share)? = outputs.first else { return }
        member.asking.receive(share, on: connection, isAsker: false, member.host)
        _ = member.host.take(from: connection)
        let other = SpokenCode(.random(), uses: 1, now: member.host.now)
        member.asking.askers.setSpokenCode(other, of: Self.tour, member.host)
        #expect(member.host.take(from: connection) == [.refused(.noCode)])
        #expect(member.asking.askers.spokenCode(of: Self.tour)?.usesLeft == 1)
    }

    @Test func theEndOfTheRightEndsTheQuestions() throws {
        let member = Member()
        let asked = try Self.ask(member, from: "10.0.0.2", 1)
        member.host.mayInvite = false
        member.asking.tick(member.host)
        #expect(member.host.take(from: asked.connection) == [.refused(.closed)])
    }

    @Test func silentLinksOfOneAddressAreFew() {
        let member = Member()
        let open = (UInt8(1)...5).map { member.open(from: "10.0.0.2", $0).0 }
        #expect(member.host.closed == Set(open.suffix(2)))
    }

    @Test func digitsEndByTheirTime() throws {
        let (member, digits) = Self.reading()
        #expect(member.asking.askers.spokenCode(of: Self.tour)?.secondsLeft(now: member.host.now) == 600)
        member.host.now = member.host.now + .seconds(600)
        #expect(try Self.spell(digits, at: member, 1) == [.refused(.noCode)])
        member.asking.tick(member.host)
        #expect(member.asking.askers.spokenCode(of: Self.tour) == nil)
    }

    // MARK: Our own question

    private static func address(_ number: Int) -> Dialer.Address {
        Dialer.Address(host: "10.0.0.\(number)", port: 4_000)
    }

    /// A question that has connected to the first device that it dialled.
    private static func asking(_ digits: SpokenDigits? = nil) throws -> (Member, OwnAsk, ObjectIdentifier) {
        let newcomer = Member()
        newcomer.host.announced = [address(1), address(2)]
        let now = newcomer.host.now
        newcomer.asking.begin(
            { OwnAsk(id: $0, tag: tag, name: "Anna", digits: digits, now: now) }, newcomer.host)
        let own = try #require(newcomer.asking.own)
        return (newcomer, own, connect(newcomer, own))
    }

    private static func connect(_ newcomer: Member, _ own: OwnAsk) -> ObjectIdentifier {
        let connection = newcomer.connection()
        own.connected(connection, newcomer.host)
        own.opened(
            connection, AskLink(tag: tag, tour: nil, handshakeHash: [UInt8](repeating: 3, count: 64)), newcomer.host)
        return connection
    }

    @Test func beforeTheNameIsOutTheNextDeviceIsAsked() throws {
        let (newcomer, own, first) = try Self.asking()
        #expect(newcomer.host.dialled == [Self.address(1)])
        own.receive(.refused(.busy), on: first, newcomer.host)
        #expect(newcomer.host.dialled == [Self.address(1), Self.address(2)])
        let second = Self.connect(newcomer, own)
        own.receive(.nonce(.zero), on: second, newcomer.host)
        guard case .waiting = own.state else {
            Issue.record("no words")
            return
        }
        // A stranger who saw that the words do not fit may not send us on to the next stranger.
        newcomer.host.close(second)
        newcomer.host.now = newcomer.host.now + .seconds(5)
        newcomer.asking.tick(newcomer.host)
        #expect(newcomer.host.dialled.count == 2)
        guard case .unreachable = own.state else {
            Issue.record("it still asks")
            return
        }
    }

    @Test func allThatAreBusyAreAskedAgain() throws {
        let (newcomer, own, first) = try Self.asking()
        own.receive(.refused(.busy), on: first, newcomer.host)
        own.receive(.refused(.busy), on: Self.connect(newcomer, own), newcomer.host)
        #expect(newcomer.host.dialled.count == 2)
        newcomer.host.now = newcomer.host.now + .seconds(3)
        newcomer.asking.tick(newcomer.host)
        #expect(newcomer.host.dialled.count == 3)
        own.receive(.refused(.busy), on: Self.connect(newcomer, own), newcomer.host)
        own.dialFailed(newcomer.host)
        newcomer.host.now = newcomer.host.now + .seconds(31)
        newcomer.asking.tick(newcomer.host)
        guard case .refused(.busy) = own.state else {
            Issue.record("it should say what the devices said")
            return
        }
    }

    @Test func whereNobodyHasACodeWaitingBringsNone() throws {
        let (newcomer, own, first) = try Self.asking(.random())
        own.receive(.refused(.noCode), on: first, newcomer.host)
        own.receive(.refused(.noCode), on: Self.connect(newcomer, own), newcomer.host)
        guard case .refused(.noCode) = own.state else {
            Issue.record("it waits")
            return
        }
    }

    @Test func theAnswerIsKeptUntilTheUserSaysMore() throws {
        let (newcomer, own, connection) = try Self.asking()
        own.receive(.nonce(.zero), on: connection, newcomer.host)
        let code = InviteCode(secret: .random(), tour: Self.tour)
        own.receive(.admitted(code: code.bytes, tourName: "Museum"), on: connection, newcomer.host)
        #expect(newcomer.host.closed == [connection])
        #expect(own.beginJoin() == code)
        #expect(own.beginJoin() == nil, "it joins already")
        own.joinFailed(code, tourName: "Museum")
        #expect(own.beginJoin() == code)
    }

    @Test func afterAProofNoOtherDeviceIsTried() throws {
        let (newcomer, own, connection) = try Self.asking(.random())
        let other = SpokenDigits.random().run(handshakeHash: [UInt8](repeating: 3, count: 64), isAsker: false)
        own.receive(.share(other.share), on: connection, newcomer.host)
        own.receive(.proof([UInt8](repeating: 0, count: 64)), on: connection, newcomer.host)
        guard case .refused(.wrongCode) = own.state else {
            Issue.record("the device did not know the digits")
            return
        }
        newcomer.asking.tick(newcomer.host)
        #expect(newcomer.host.dialled.count == 1)
    }
}
