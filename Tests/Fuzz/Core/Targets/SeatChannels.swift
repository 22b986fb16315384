import FuzzSupport
import TourCrypto
import TourModel

/// The door for guests below its requests: hellos, whatever answers a guest, and boxes in any order, with any number.
/// The host opens each right box once; one that was changed opens nothing, and uses up no number.
enum SeatChannelHarness {
    private static let requestsMax = 32
    /// More than a window, so that numbers fall out of it.
    private static let stride: UInt64 = 61
    private static let key = pair(1)

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let ephemeral = pair(2)
        let session = [UInt8](repeating: 3, count: SeatChannel.sessionBytes)
        let right = SeatChannel.hello(ephemeral)
        let hello = changed(right, &program)
        let accepted = SeatChannel.accept(hello: hello, key: key, ephemeral: pair(4), session: session)
        if hello == right { check(accepted != nil, "a right hello is refused") }
        guard let (answer, host) = accepted else { return }
        check(answer.count == SeatChannel.answerBytes, "an answer of \(answer.count) bytes")
        let said = changed(answer, &program)
        guard let (named, guest) = SeatChannel.begin(said, key: key.publicKey, ephemeral: ephemeral) else {
            return check(said != answer || hello != right, "a right answer is refused")
        }
        // The proof covers both keys; nothing proves the session, whose name only leads to a channel that opens
        // nothing.
        check(hello == right && proven(said) == proven(answer), "a channel stands on what nobody said")
        check(named == Array(said[Bytes32.count..<Bytes32.count + SeatChannel.sessionBytes]), "another session")
        play(&program, host, guest)
    }

    private static func proven(_ answer: [UInt8]) -> [UInt8] {
        Array(answer.prefix(Bytes32.count) + answer.suffix(SeatChannel.tagBytes))
    }

    private static func play(_ program: inout ByteProgram, _ host: SeatChannel, _ guest: SeatChannel) {
        var host = host
        var used: Set<UInt64> = []
        for _ in 0..<requestsMax where !program.isAtEnd {
            let number = number(&program)
            let plaintext = program.chunk()
            let right = guest.seal(request: plaintext, number: number)
            let box = changed(right, &program)
            let isFresh = number > 0 && !used.contains(number)
            let isInWindow = number >= used.max() ?? 0 || (used.max() ?? 0) - number < SeatChannel.windowMax
            let mayOpen = isFresh && isInWindow && number < .max - SeatChannel.windowMax
            let opened = host.open(request: box, number: number)
            let expected = box == right && mayOpen ? plaintext : nil
            check(opened == expected, "request \(number) opens as \(String(describing: opened))")
            guard opened != nil else { continue }
            used.insert(number)
            check(host.open(request: right, number: number) == nil, "request \(number) counts twice")
            check(
                guest.open(answer: host.seal(answer: plaintext, number: number), number: number) == plaintext,
                "an answer does not open")
            let frame = host.seal(frame: plaintext, number: number, index: number)
            check(guest.open(frame: frame, number: number, index: number) == plaintext, "a frame does not open")
            check(guest.open(answer: frame, number: number) == nil, "a frame opens as an answer")
        }
    }

    private static func number(_ program: inout ByteProgram) -> UInt64 {
        let number = program.sequence()
        return number < 240 && program.flag() ? number * stride : number
    }

    /// Half of the times the same; otherwise others, fewer or more.
    private static func changed(_ bytes: [UInt8], _ program: inout ByteProgram) -> [UInt8] {
        var changed = bytes
        switch program.number(below: 8) {
        case 0: return program.chunk()
        case 1: return Array(bytes.prefix(program.number(below: 256)))
        case 2: return bytes + program.chunk()
        case 3:
            guard !bytes.isEmpty else { return bytes }
            changed[program.number(below: 256) % bytes.count] ^= program.byte()
            return changed
        default: return bytes
        }
    }

    private static func pair(_ number: UInt8) -> LinkKeyPair {
        guard let pair = LinkKeyPair(secret: SecretBytes([UInt8](repeating: number, count: Bytes32.count))) else {
            preconditionFailure("a key has 32 bytes")
        }
        return pair
    }
}
