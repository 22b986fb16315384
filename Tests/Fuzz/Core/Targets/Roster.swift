import FuzzSupport
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Control events that a few members really signed: the same set in another order gives the same roster, and so do
/// what a welcome holds of it and what two nodes with one part each tell each other.
enum RosterHarness {
    private static let eventsMax = 20
    private static let members: UInt8 = 6

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        var events = [[UInt8]]()
        while !program.isAtEnd, events.count < eventsMax { events += event(&program, after: events) }
        let roster = group(of: events, oneByOne: false).roster
        let reversed = group(of: events.reversed(), oneByOne: true)
        check(reversed.roster == roster, "the roster depends on the order: \(roster) \(reversed.roster)")
        var numbers = SplitMix64(seed: UInt64(events.count))
        let mixed = group(of: events.shuffled(using: &numbers), oneByOne: false)
        check(mixed.roster == roster, "the roster depends on the order: \(roster) \(mixed.roster)")
        let welcomed = group(of: mixed.welcome, oneByOne: false)
        check(agree(welcomed.roster, roster), "a welcome gives another roster: \(roster) \(welcomed.roster)")
        let (first, second) = compared(events, cut: events.count / 2)
        check(first == roster && second == roster, "comparing leaves two rosters: \(roster) \(first) \(second)")
    }

    /// But for the mark of an over-used invite, which what is void shows and no welcome holds; and for a second
    /// admission of somebody, told since it makes a key known, which only what is not told made void: it may count as
    /// the use of an over-used invite, and then another admission does not.
    private static func agree(_ welcomed: Roster, _ whole: Roster) -> Bool {
        let isOverused = whole.invites.values.contains(where: \.isOverused)
        return welcomed.members == whole.members && welcomed.byLinkKey == whole.byLinkKey
            && welcomed.isClosed == whole.isClosed && welcomed.invites.keys == whole.invites.keys
            && whole.invites.allSatisfy { key, invite in
                let told = welcomed.invites[key]
                return told?.isRevoked == invite.isRevoked && (isOverused || told?.used == invite.used)
            }
            && (isOverused || whole.basis.isSubset(of: welcomed.basis))
    }

    /// Two nodes hold one part of the events each, and compare them as links do until none has news.
    private static func compared(_ events: [[UInt8]], cut: Int) -> (Roster, Roster) {
        let shown = shownByLogs(events)
        var first = group(of: events[..<cut] + shown, oneByOne: false)
        var second = group(of: events[cut...] + shown, oneByOne: false)
        for _ in 0...eventsMax {
            let forth = second.add(controls: first.controls(missingFrom: second.controlIndex))
            let back = first.add(controls: second.controls(missingFrom: first.controlIndex))
            if forth.isEmpty, back.isEmpty { break }
        }
        return (first.roster, second.roster)
    }

    /// Wrapping keys at one place of a log. Where nobody needs either they are not compared: the logs show that they
    /// differ.
    private static func shownByLogs(_ events: [[UInt8]]) -> [[UInt8]] {
        let keys = events.compactMap { try? RawEvent(decoding: $0) }.filter {
            if case .wrappingKey? = try? ControlBody(decoding: $0.body) { true } else { false }
        }
        let places = Dictionary(grouping: keys) { $0.header.author.bytes + String($0.header.sequence).utf8 }
        return places.values.filter { $0.count > 1 }.joined().map { $0.encode() }
    }

    private static func group(of events: [[UInt8]], oneByOne: Bool) -> TourGroup {
        var group = FuzzTour.founding.group
        guard oneByOne else {
            _ = group.add(controls: events)
            return group
        }
        for event in events { _ = group.add(controls: [event]) }
        return group
    }

    /// One event, and perhaps the same again with another body.
    private static func event(_ program: inout ByteProgram, after earlier: [[UInt8]]) -> [[UInt8]] {
        let author = FuzzTour.memberKeys(UInt8(program.number(below: Int(members))) + 1)
        let body = body(&program, after: earlier).encode()
        var header = EventHeader(
            eventClass: .control, tour: FuzzTour.tour, author: author.memberID,
            sequence: max(program.sequence(), 1), previous: .none,
            clock: LogicalClock(milliseconds: FuzzTour.wall + Int64(program.byte())), epoch: .none)
        header.bodyHash = EventCrypto.bodyHash(body)
        let event = Event(header, signature: EventCrypto.sign(header.exactBytes, by: author.identity), body: body)
        guard program.number(below: 16) == 15 else { return [event.bytes] }
        let leave = ControlBody.leave.encode()
        return [event.bytes, Array(event.bytes.prefix(Event.bodyOffset)) + leave]
    }

    private static func body(_ program: inout ByteProgram, after earlier: [[UInt8]]) -> ControlBody {
        let invite = FuzzTour.invite(UInt8(program.number(below: 3)))
        switch program.byte() {
        case 56..<64: return licence(&program)
        case 0..<64:
            return FuzzTour.founding.group.inviteBody(
                invite, uses: UInt32(program.number(below: 4)), expiresAt: nil, under: FuzzTour.founding.epoch)
        case 92..<96: return .revoke(invite: licence(0).pair.publicKey, accepted: named(&program, in: earlier))
        case 64..<96: return .revoke(invite: invite.invitePair.publicKey, accepted: named(&program, in: earlier))
        case 96..<112: return .leave
        case 112..<120: return .close
        case 120..<144: return role(&program, after: earlier)
        case 144..<168: return remove(&program, after: earlier)
        case 168..<184: return rekey(&program)
        case 184..<192: return .wrappingKey(FuzzTour.memberKeys(program.byte()).wrapping.publicKey)
        case 248...: return seat(&program)
        default:
            let keys = member(&program)
            let other = member(&program)
            return .admit(
                .signed(
                    identity: keys.identity,
                    linkKey: program.number(below: 8) == 0 ? other.link.publicKey : keys.link.publicKey,
                    wrappingKey: keys.wrapping.publicKey, invite: invite.invitePair, tour: FuzzTour.tour,
                    handshakeHash: [UInt8](repeating: program.byte(), count: JoinRequest.handshakeHashLength)))
        }
    }

    private static func licence(_ number: UInt8) -> SeatLicence {
        SeatLicence(seed: SecretBytes([UInt8](repeating: number &+ 150, count: SigningKeyPair.seedBytes)))
    }

    private static func licence(_ program: inout ByteProgram) -> ControlBody {
        licence(UInt8(program.number(below: 2))).body(
            for: member(&program).memberID, uses: UInt32(program.number(below: 4)), expiresAt: nil,
            under: FuzzTour.founding.epoch)
    }

    /// The admission of a guest, by the author or by somebody who says that another one is its host, under a licence or
    /// under an invite.
    private static func seat(_ program: inout ByteProgram) -> ControlBody {
        let keys = member(&program)
        let host = member(&program).memberID
        let number = UInt8(program.number(below: 3))
        return .admit(
            .ofSeat(
                identity: keys.identity, linkKey: keys.link.publicKey, wrappingKey: keys.wrapping.publicKey, host: host,
                licence: number < 2 ? licence(number).pair : FuzzTour.invite(0).invitePair, tour: FuzzTour.tour))
    }

    private static func member(_ program: inout ByteProgram) -> MemberKeys {
        FuzzTour.memberKeys(UInt8(program.number(below: Int(members))) + 1)
    }

    private static func role(_ program: inout ByteProgram, after earlier: [[UInt8]]) -> ControlBody {
        let ranks: [Rank] = [.member, .guide, .admin, .creator]
        return .role(
            ControlBody.Role(
                member: member(&program).memberID, rank: ranks[program.number(below: ranks.count)],
                sequence: program.sequence(), replaces: ids(&program, in: earlier),
                controls: named(&program, in: earlier)))
    }

    private static func remove(_ program: inout ByteProgram, after earlier: [[UInt8]]) -> ControlBody {
        let sequence = program.sequence()
        return .remove(
            ControlBody.Remove(
                member: member(&program).memberID, sequence: sequence,
                last: sequence == 0 ? .none : ids(&program, in: earlier).first ?? .none,
                revoked: ended(&program),
                accepted: named(&program, in: earlier), controls: named(&program, in: earlier)))
    }

    /// Invites that end with a member, and of many a licence too.
    private static func ended(_ program: inout ByteProgram) -> [SigningKey] {
        let count = program.number(below: 3)
        let invites = (0..<count).map { FuzzTour.invite(UInt8($0)).invitePair.publicKey }
        return count == 2 ? invites + [licence(0).pair.publicKey] : invites
    }

    /// A new epoch for some of the members, as anybody may claim to have made one.
    private static func rekey(_ program: inout ByteProgram) -> ControlBody {
        let recipients = (1...members).filter { _ in program.flag() }.map {
            ControlBody.Rekey.Recipient(
                member: FuzzTour.memberKeys($0).memberID.prefix, generation: program.sequence())
        }.sorted { $0.member < $1.member }
        return .rekey(
            ControlBody.Rekey(
                parents: [FuzzTour.founding.epoch.id], roster: .zero, commitment: .zero, recipients: recipients,
                wraps: [UInt8](repeating: 0, count: recipients.count * Limits.wrappedKeyBytes),
                excluded: program.flag() ? [member(&program).memberID.prefix] : []))
    }

    private static func ids(_ program: inout ByteProgram, in events: [[UInt8]]) -> [EventID] {
        guard !events.isEmpty else { return [] }
        return (0..<program.number(below: 3)).map { _ in
            let event = events[program.number(below: events.count)]
            return EventCrypto.id(
                headerBytes: event[..<EventHeader.length], signature: event[EventHeader.length..<Event.bodyOffset])
        }
    }

    /// Some of the earlier events, as a revocation names what stands.
    private static func named(_ program: inout ByteProgram, in events: [[UInt8]]) -> [EventName] {
        guard !events.isEmpty else { return [] }
        return (0..<program.number(below: 4)).map { _ in
            let event = events[program.number(below: events.count)]
            let signature = event[EventHeader.length..<Event.bodyOffset]
            return EventName(EventCrypto.id(headerBytes: event[..<EventHeader.length], signature: signature))
        }
    }
}
