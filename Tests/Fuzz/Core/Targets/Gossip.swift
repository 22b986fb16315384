import FuzzSupport
import TourGossip
import TourModel
import TourWire

/// The replication machine under a program of links, messages, datagrams, answers of its shell and time.
enum GossipHarness {
    private static let stepsMax = 300
    private static let links = 4
    private static let segments = 2

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        var shell = GossipShell()
        let start = program.byte()
        if start & 1 != 0 { openLinks(&shell) }
        if start & 2 != 0 { hearAll(&shell) }
        var steps = 0
        while !program.isAtEnd, steps < stepsMax {
            steps += 1
            step(&program, &shell)
            // Else the answers come when the input says so, in any order.
            if start & 4 != 0 { shell.answerAll() }
            shell.settle()
        }
        while !shell.waiting.isEmpty, steps < 2 * stepsMax {
            steps += 1
            shell.answer(0)
        }
    }

    /// Links to all but one of the members, on which both sides have spoken.
    private static func openLinks(_ shell: inout GossipShell) {
        for (number, writer) in Writer.all[1...3].enumerated() {
            let link = LinkID(value: UInt64(number))
            shell.feed(.linkUp(link, writer.id))
            shell.feed(.message(link, .have(Have())))
        }
    }

    /// Segments on which two members hear this one.
    private static func hearAll(_ shell: inout GossipShell) {
        shell.feed(.segments((0..<segments).map { SegmentID(value: $0) }))
        for (number, writer) in Writer.all[2...3].enumerated() {
            var datagram = Datagram(sender: writer.id.prefix, counter: 1)
            datagram.heard = [GossipShell.own.id.shortPrefix]
            shell.feed(.datagram(SegmentID(value: number), datagram))
        }
    }

    private static func step(_ program: inout ByteProgram, _ shell: inout GossipShell) {
        switch program.number(below: 16) {
        case 0: shell.feed(.linkUp(link(&program), writer(&program).id))
        case 1: shell.feed(.linkDown(link(&program)))
        case 2: shell.feed(.pressure(link(&program), isLagging: program.flag()))
        case 3, 4, 5: shell.feed(.message(link(&program), message(&program, shell)))
        case 6, 7, 8: shell.answer(Int(program.byte()))
        case 9: shell.write()
        case 10: shell.feed(.segments((0..<program.number(below: segments + 1)).map { SegmentID(value: $0) }))
        case 11, 12: shell.feed(.datagram(SegmentID(value: program.number(below: segments)), datagram(&program, shell)))
        case 13: shell.feed(.timer, after: .microseconds(1 << Int64(program.number(below: 32))))
        case 14: rare(&program, &shell)
        default:
            if let message = try? LinkMessage.decode(program.chunk()) { shell.feed(.message(link(&program), message)) }
        }
    }

    private static func rare(_ program: inout ByteProgram, _ shell: inout GossipShell) {
        switch program.number(below: 10) {
        case 0: shell.meetStranger()
        case 1: shell.restart()
        case 2: shell.feed(.readMoved(LogicalClock(value: program.sequence())))
        case 3: shell.feed(.path(link(&program), isOffered: program.flag()))
        case 4, 5: shell.feed(.unicast(link(&program), pathDatagram(&program, shell)))
        case 6: shell.feed(.fetched(run(&program, shell)))
        case 7: shell.feed(.castAsks(SegmentID(value: program.number(below: segments)), []))
        case 8: shell.feed(.rest(isAsleep: program.flag()))
        default:
            if let event = shell.stored(writer(&program).id, program.number(below: Writer.logLength)) {
                shell.feed(.resend(event, hops: program.number(below: Limits.hopsMax)))
            }
        }
    }

    private static func message(_ program: inout ByteProgram, _ shell: GossipShell) -> LinkMessage {
        switch program.number(below: 8) {
        case 0: .have(Have(salt: 7, heads: heads(&program, salt: 7)))
        case 1, 2, 3: .run(run(&program, shell))
        case 4:
            .want(
                Want(
                    id: UInt32(program.byte()), ranges: (0..<program.number(below: 3)).map { _ in range(&program) },
                    graft: program.flag()))
        case 5: .served(id: UInt32(program.byte()), truncated: program.flag())
        case 6: .prune
        default: .rows((0..<program.number(below: 4)).map { _ in row(&program) })
        }
    }

    private static func pathDatagram(_ program: inout ByteProgram, _ shell: GossipShell) -> PathDatagram {
        var datagram = PathDatagram(number: program.sequence())
        let parts = program.byte()
        if parts & 1 != 0 { datagram.messages = [message(&program, shell)].filter(\.mayGoByDatagram) }
        if parts & 2 != 0 { datagram.patience = program.number(below: 256) }
        if parts & 4 != 0 { datagram.acknowledged = program.sequence() }
        if parts & 8 != 0 { datagram.missing = program.sequence() }
        if parts & 16 != 0 { datagram.answered = program.sequence() }
        datagram.asks = parts & 32 != 0
        return datagram
    }

    private static func datagram(_ program: inout ByteProgram, _ shell: GossipShell) -> Datagram {
        var datagram = Datagram(sender: writer(&program).id.prefix, counter: program.sequence())
        let parts = program.byte()
        if parts & 1 != 0 { datagram.runs = [run(&program, shell)] }
        if parts & 2 != 0 { datagram.rows = [row(&program)] }
        if parts & 4 != 0 { datagram.heard = [GossipShell.own.id.shortPrefix, UInt16(program.byte())] }
        if parts & 8 != 0 {
            datagram.heads = heads(&program, salt: 0).map { PrefixedHead(prefix: $0.prefix, sequence: $0.sequence) }
        }
        if parts & 16 != 0 {
            let range = range(&program)
            datagram.gaps = [Datagram.Gap(author: range.author.prefix, first: range.first, last: range.last)]
        }
        if parts & 32 != 0 {
            let need = CastAsk.Need(block: Int(program.byte()), count: 1 + program.number(below: 255))
            datagram.castAsks = [CastAsk(tag: program.sequence(), needs: [need])]
        }
        return datagram
    }

    /// A run as a decoder gives it: mostly what comes next of a log or a little behind that, perhaps changed.
    private static func run(_ program: inout ByteProgram, _ shell: GossipShell) -> Run {
        let author = writer(&program)
        let log = author.branches[program.number(below: 8) == 7 ? 1 : 0]
        let next = shell.storedCount(author.id)
        let place = program.byte()
        let first =
            switch place {
            case 0..<128: next
            case 128..<224: next + Int(place) % 8
            default: Int(program.byte())
            }
        let count = program.byte()
        let start = min(first, log.count - 1)
        let last = min(start + (count < 160 ? 0 : Int(count) % 8), log.count - 1)
        var run = Run(log[start...last], hops: program.number(below: Limits.hopsMax + 2), pushed: program.flag())
        switch program.byte() {
        case 240..<248: run.events[0].clock = LogicalClock(value: program.sequence())
        case 248..<252: run.first = min(max(program.sequence(), 1), .max - UInt64(Limits.runEventsMax))
        case 252...: run.previous = .none
        default: break
        }
        return run
    }

    private static func row(_ program: inout ByteProgram) -> ClaimRow {
        let member = writer(&program).id
        let counter = program.sequence()
        let claim = FrontierClaim(
            member: member, counter: counter, heads: heads(&program, salt: counter),
            whole: counter % 4 == 3 ? whole(&program) : nil,
            readThrough: program.flag() ? LogicalClock(value: program.sequence()) : nil, isAsleep: counter % 5 == 4)
        let signature = [UInt8](repeating: program.byte() / 224, count: Event.signatureLength)
        return ClaimRow(row: claim.encode(), signature: signature, hops: program.number(below: Limits.hopsMax + 2))
    }

    private static func whole(_ program: inout ByteProgram) -> WholeFrontier {
        WholeFrontier(through: LogicalClock(value: max(program.sequence(), 1)), digest: program.sequence())
    }

    /// Heads with the tags of their authors' logs, some of the other branch.
    private static func heads(_ program: inout ByteProgram, salt: UInt64) -> [TaggedHead] {
        (0..<program.number(below: 5)).map { _ in
            let author = program.byte()
            guard author < 200 else { return TaggedHead(prefix: UInt64(author), sequence: program.sequence(), tag: 1) }
            let writer = Writer.all[Int(author) % Writer.all.count]
            let sequence = program.sequence()
            let event = writer.branches[author % 16 == 15 ? 1 : 0].first { $0.header.sequence == sequence }
            return KnownHead(prefix: writer.id.prefix, sequence: sequence, id: event?.id ?? .none).tagged(salt)
        }
    }

    private static func range(_ program: inout ByteProgram) -> Want.Range {
        let first = max(program.sequence(), 1)
        return Want.Range(author: writer(&program).id, first: first, last: max(program.sequence(), first))
    }

    private static func writer(_ program: inout ByteProgram) -> Writer {
        Writer.all[program.number(below: Writer.all.count)]
    }

    private static func link(_ program: inout ByteProgram) -> LinkID {
        LinkID(value: UInt64(program.number(below: links)))
    }
}
