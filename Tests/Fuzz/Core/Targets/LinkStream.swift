import FuzzSupport
import TourGroup
import TourLink
import TourModel
import TourWire

/// Two link machines whose streams are cut in pieces and changed on their way: nothing arrives that was not sent, and
/// where nothing is changed both links open and everything arrives.
enum LinkStreamHarness {
    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let isJoin = program.flag()
        var dialer = LinkSide(dialling: isJoin ? .join(FuzzTour.ticket(2)) : .member(FuzzTour.credential(.of(2))))
        var listener = LinkSide(
            accepting: [isJoin ? FuzzTour.inviteCredential(.of(1)) : FuzzTour.credential(.of(1))])
        if !isJoin {
            dialer.standing = .members([FuzzTour.memberKeys(1).memberID])
            listener.standing = .members([FuzzTour.memberKeys(2).memberID])
        }
        var (forth, back) = ([LinkMessage](), [LinkMessage]())
        var isChanged = false
        for _ in 0..<12 {
            say(&program, on: &dialer, isJoin ? [] : messages, &forth)
            isChanged = carry(dialer.written(), to: &listener, &program) || isChanged
            say(&program, on: &listener, isJoin ? [.joinRefusal(.full), .control([[1]])] : messages, &back)
            isChanged = carry(listener.written(), to: &dialer, &program) || isChanged
        }
        check(listener.messages.allSatisfy(forth.contains), "a message arrived that was not sent")
        check(dialer.messages.allSatisfy(back.contains), "a message arrived that was not sent")
        guard !isChanged else { return }
        check(dialer.machine.isOpen && listener.machine.isOpen, "an honest link does not open")
        check(listener.messages.count == forth.count && dialer.messages.count == back.count, "a message was lost")
    }

    private static let messages: [LinkMessage] = [
        .have(Have(salt: 4, heads: [TaggedHead(prefix: 1, sequence: 2, tag: 3)])), .prune,
        .served(id: 1, truncated: false), .bye(.closing),
        .control([[UInt8](repeating: 5, count: 40_000)]), .rows([]), .want(Want(id: 1, ranges: [], graft: true)),
    ]

    private static func say(
        _ program: inout ByteProgram, on side: inout LinkSide, _ messages: [LinkMessage], _ said: inout [LinkMessage]
    ) {
        guard side.machine.isOpen, !messages.isEmpty else { return }
        for _ in 0..<program.number(below: 3) {
            let message = messages[program.number(below: messages.count)]
            side.enqueue(message)
            said.append(message)
        }
    }

    /// - Returns: whether the stream was changed.
    private static func carry(_ stream: [UInt8], to side: inout LinkSide, _ program: inout ByteProgram) -> Bool {
        var changed = stream
        if !stream.isEmpty { change(&changed, &program) }
        let size = program.flag() ? Int(program.byte()) * 8 + 1 : max(changed.count, 1)
        for start in stride(from: 0, to: changed.count, by: size) {
            side.receive(Array(changed[start..<min(start + size, changed.count)]))
        }
        return changed != stream
    }

    private static func change(_ stream: inout [UInt8], _ program: inout ByteProgram) {
        switch program.byte() {
        case 0..<200: break
        case 200..<220:
            let place = Int(program.byte()) << 8 | Int(program.byte())
            stream[place % stream.count] ^= program.byte()
        case 220..<230: stream.removeLast(min(program.number(below: 256), stream.count))
        case 230..<240: stream += program.chunk()
        case 240..<248: stream = program.chunk() + stream
        case 248..<252: stream += stream
        default: stream = program.chunk()
        }
    }
}

extension LinkKeys {
    static func of(_ number: UInt8) -> LinkKeys { FuzzTour.linkKeys(number) }
}
