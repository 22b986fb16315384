import NIOCore
import Testing
import TourCrypto
import TourGossip
import TourGroup
import TourLink
import TourModel
import TourNode
import TourRuntime
import TourWire

/// Goal: an attempt to join asks members in turn and ends once, with the right result; members answer joiners'
/// questions once between them, and admit no more than their rate.
/// Method: joins with a host in memory, whose network and timers the test moves on by hand.
struct JoiningTests {
    /// A tour of one member with an open invite.
    private struct World {
        let secret = InviteSecret.random()
        let keys = MemberKeys.random()
        let group: TourGroup

        init() {
            let founding = Founding(
                keys: keys, epochKey: EpochKey.randomKey(), fullHistory: true, salt: [UInt8](repeating: 7, count: 16),
                wallMilliseconds: 1_767_225_600_000)
            var group = founding.group
            var author = founding.author
            let body = group.inviteBody(secret, uses: 0, expiresAt: nil, under: founding.epoch)
            _ = group.add(controls: [author.write(body, wallMilliseconds: 1_767_225_600_001).bytes])
            self.group = group
        }

        var code: InviteCode { InviteCode(secret: secret, tour: group.tour) }

        /// The tour as a member has it.
        func member() -> (joiners: TourJoiners, host: MemoryJoiningHost) {
            let host = MemoryJoiningHost()
            host.group = group
            host.own = keys.memberID
            return (TourJoiners(tour: group.tour), host)
        }

        /// A device that joins by the code, and what became of it.
        func joiner(at addresses: String = "") throws -> (joining: Joining, host: MemoryJoiningHost, link: InviteLink) {
            let (joining, host) = (Joining(), MemoryJoiningHost())
            host.joining = joining
            return (joining, host, try InviteLink(parsing: "tour-chat://join/\(code.compact)?\(addresses)"))
        }

        /// The member that answers a join.
        var peer: LinkPeer {
            LinkPeer(
                tour: group.tour,
                kind: .host(identity: keys.identity.publicKey, genesis: group.genesisEvent.bytes),
                linkKey: keys.link.publicKey, handshakeHash: [], isInitiator: true)
        }
    }

    /// Keeps the results of an attempt.
    private final class Results {
        var tours: [TourID] = []
        var codes: [String] = []

        func record(_ result: Result<TourID, any Error>) {
            switch result {
            case .success(let tour): tours.append(tour)
            case .failure(let error): codes.append((error as? NodeError)?.code ?? "\(error)")
            }
        }
    }

    private final class Connection {}

    private static func request(by code: SigningKey) -> JoinRequest {
        let keys = MemberKeys.random()
        return JoinRequest(
            identity: keys.identity.publicKey, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey,
            invite: code, handshakeHash: [], identitySignature: [], inviteSignature: [])
    }

    private static func sender() throws -> SocketAddress { try SocketAddress(ipAddress: "192.0.2.1", port: 4_001) }

    @Test func anAttemptThatNobodyAnswersEnds() throws {
        let (joining, host, link) = try World().joiner(at: "a=192.0.2.9:4000")
        let results = Results()
        let id = joining.begin(link, timeout: .seconds(5), host)
        joining.whenEnded(id, results.record)
        #expect(host.dials.map(\.address.host) == ["192.0.2.9"] && host.expiries == [id] && joining.isSeeking)
        joining.dialFailed(at: host.dials[0].address, for: id, host)
        #expect(host.unreachable.count == 1 && host.dialRequests == 1 && results.codes == [])
        joining.expire(id, host)
        joining.expire(id, host)
        #expect(results.codes == ["no-member-found"] && host.expiries == [] && !joining.isSeeking)
    }

    /// Only an expired code may still be good at another member, whose clock is another; a later answer changes
    /// nothing.
    @Test func aRefusalEndsTheSearchOnce() throws {
        let world = World()
        let (joining, host, link) = try world.joiner(at: "a=192.0.2.8:4000&a=192.0.2.9:4000")
        let results = Results()
        let id = joining.begin(link, timeout: .seconds(5), host)
        joining.whenEnded(id, results.record)
        let (first, second) = (Connection(), Connection())
        joining.connected(ObjectIdentifier(first), to: host.dials[0].address, for: id, host)
        joining.connected(ObjectIdentifier(second), to: host.dials[1].address, for: id, host)
        joining.receive(.joinRefusal(.expired), on: ObjectIdentifier(first), from: world.peer, host)
        #expect(results.codes == [] && host.closed == [ObjectIdentifier(first)])
        joining.receive(.joinRefusal(.revoked), on: ObjectIdentifier(second), from: world.peer, host)
        joining.receive(.joinRefusal(.full), on: ObjectIdentifier(second), from: world.peer, host)
        #expect(results.codes == ["revoked"] && host.expiries == [])
    }

    @Test func theLastRefusalIsTheReasonWhenTimeIsUp() throws {
        let world = World()
        let (joining, host, link) = try world.joiner(at: "a=192.0.2.8:4000")
        let id = joining.begin(link, timeout: .seconds(5), host)
        let connection = Connection()
        joining.connected(ObjectIdentifier(connection), to: host.dials[0].address, for: id, host)
        joining.receive(.joinRefusal(.expired), on: ObjectIdentifier(connection), from: world.peer, host)
        joining.expire(id, host)
        // It ended before anybody awaited it.
        let results = Results()
        joining.whenEnded(id, results.record)
        #expect(results.codes == ["expired"])
    }

    @Test func aWelcomeWithoutTheTourIsNoAnswer() throws {
        let world = World()
        let (joining, host, link) = try world.joiner(at: "a=192.0.2.8:4000")
        let results = Results()
        let id = joining.begin(link, timeout: .seconds(5), host)
        joining.whenEnded(id, results.record)
        let connection = Connection()
        joining.connected(ObjectIdentifier(connection), to: host.dials[0].address, for: id, host)
        joining.receive(.welcome([]), on: ObjectIdentifier(connection), from: world.peer, host)
        #expect(host.entered == [] && results.codes == [] && joining.isSeeking)
        joining.expire(id, host)
        #expect(results.codes == ["false-tour"])
    }

    /// A member may have admitted the keys of the older attempt.
    @Test func aNewerAttemptGoesOnWithTheKeysOfTheOlder() throws {
        let (joining, host, link) = try World().joiner(at: "a=192.0.2.8:4000")
        let results = Results()
        let older = joining.begin(link, timeout: .seconds(5), host)
        joining.whenEnded(older, results.record)
        let newer = joining.begin(link, timeout: .seconds(5), host)
        #expect(results.codes == ["replaced"] && host.expiries == [newer])
        #expect(host.dials.map(\.attempt) == [older, newer])
        #expect(host.dials[0].ticket.wrappingKey == host.dials[1].ticket.wrappingKey)
        // The older one's dial connects after its end.
        let late = Connection()
        joining.connected(ObjectIdentifier(late), to: host.dials[0].address, for: older, host)
        #expect(host.closed == [ObjectIdentifier(late)])
    }

    @Test func addressesAreDialledInTurn() throws {
        let (joining, host, link) = try World().joiner()
        host.discovered = (1...8).map { Dialer.Address(host: "192.0.2.\($0)", port: 4_000) }
        let id = joining.begin(link, timeout: .seconds(60), host)
        #expect(host.dials.count == Dialer.atOnceMax)
        for dial in host.dials { joining.dialFailed(at: dial.address, for: id, host) }
        joining.dial(host)
        #expect(host.dials.map(\.address) == host.discovered)
        for dial in host.dials.suffix(3) { joining.dialFailed(at: dial.address, for: id, host) }
        joining.dial(host)
        #expect(host.dials.count == 8)
        host.now = host.now + .seconds(2)
        joining.dial(host)
        #expect(host.dials.dropFirst(8).map(\.address) == Array(host.discovered.prefix(Dialer.atOnceMax)))
    }

    /// The question finds the invite, one member answers, and the joiner dials it.
    @Test func oneMemberAnswersAQuestion() throws {
        let world = World()
        let (joining, host, link) = try world.joiner()
        let id = joining.begin(link, timeout: .seconds(60), host)
        let question = try #require(host.drainSent().first)
        let members = [world.member(), world.member()]
        let segment = SegmentID(value: 1)
        for (joiners, member) in members {
            #expect(Joining().receive(question, from: try Self.sender(), on: segment, among: [joiners], member))
            #expect(member.dueAnswers.count == 1 && member.tries == 1)
            // A second question before the answer adds none.
            #expect(Joining().receive(question, from: try Self.sender(), on: segment, among: [joiners], member))
            #expect(member.dueAnswers.count == 1)
            #expect(!Joining().receive([1, 2, 3], from: try Self.sender(), on: segment, among: [joiners], member))
        }
        let invite = try #require(members[0].host.dueAnswers.first)
        members[0].joiners.answer(invite, members[0].host)
        let answer = try #require(members[0].host.drainSent().first)
        members[0].joiners.answer(invite, members[0].host)
        #expect(members[0].host.sent == [])
        #expect(joining.receive(answer, from: try Self.sender(), on: segment, among: [], host))
        joining.dial(host)
        #expect(host.dials.map(\.address) == [Dialer.Address(host: "192.0.2.1", port: 4_000)])
        #expect(host.dials.map(\.attempt) == [id])
        // Nobody else answers a joiner whom a member answered, if it has answered shortly before itself.
        members[1].joiners.answer(invite, members[1].host)
        #expect(members[1].host.drainSent().count == 1)
        members[1].host.now = members[1].host.now + .seconds(1)
        #expect(
            Joining().receive(
                question, from: try Self.sender(), on: segment, among: [members[1].joiners], members[1].host))
        #expect(
            Joining().receive(
                answer, from: try Self.sender(), on: segment, among: [members[1].joiners], members[1].host))
        members[1].joiners.answer(invite, members[1].host)
        #expect(members[1].host.sent == [])
    }

    @Test func admissionsHaveARate() throws {
        let world = World()
        let (joiners, host) = world.member()
        let joining = Joining()
        let invite = world.secret.invitePair.publicKey
        for _ in 0..<AdmissionRate.ofAddressAtOnceMax {
            #expect(joining.judge(Self.request(by: invite), from: "192.0.2.1", at: joiners, host) == .admit)
        }
        #expect(joining.judge(Self.request(by: invite), from: "192.0.2.1", at: joiners, host) == .later)
        #expect(joining.judge(Self.request(by: invite), from: "192.0.2.2", at: joiners, host) == .admit)
        host.now = host.now + .seconds(60)
        #expect(joining.judge(Self.request(by: invite), from: "192.0.2.1", at: joiners, host) == .admit)
    }

    @Test func aCodeOfAnotherTourIsInvalid() throws {
        let (joiners, host) = World().member()
        let invite = InviteSecret.random().invitePair.publicKey
        let verdict = Joining().judge(Self.request(by: invite), from: "192.0.2.1", at: joiners, host)
        #expect(verdict == .refuse(.invalid))
    }
}
