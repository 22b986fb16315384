import Foundation
import Testing
import TourModel
import TourWire

/// Goal: no message makes its decoder take much memory, whatever it claims to hold.
/// Method: in a process of its own, messages of the largest size whose lists have as many and as small entries as
/// bytes allow, some that are well-formed, and some that claim more than is there; the peak of each is read by itself.
@Suite struct AllocationTests {
    /// Lists are counted before they are decoded: what is left is a few copies of a message.
    private static let copiesMax = 4
    /// Each of many short ids takes memory of its own.
    private static let copiesOfIndexMax = 10
    private static let baseKibibytesMax = 128

    @Test func noMessageTakesMuchMemory() async {
        await #expect(processExitsWith: .success) {
            // Measuring takes memory too, the first time.
            _ = Self.isBounded(LinkMessage.ping.encode(), Self.copiesMax) {}
            let messages = (Self.stuffed() + Self.full() + Self.boasting()).map { input in
                Self.isBounded(input, Self.copiesMax) { _ = try? LinkMessage.decode(input) }
            }
            let bodies = (Self.stuffedBodies() + Self.fullBodies()).map { input in
                Self.isBounded(input, Self.copiesMax) { _ = try? ControlBody(decoding: input) }
            }
            let index = Self.fullIndex()
            let isIndexBounded = Self.isBounded(index, Self.copiesOfIndexMax) { _ = try? LinkMessage.decode(index) }
            exit((messages + bodies + [isIndexBounded]).contains(false) ? EXIT_FAILURE : EXIT_SUCCESS)
        }
    }

    /// Whether reading this takes no more memory than its size allows. What the first reading sets up, and the code
    /// that comes into memory with it, is not the message's.
    private static func isBounded(_ input: [UInt8], _ copies: Int, _ read: () -> Void) -> Bool {
        read()
        giveBackFreeMemory()
        // From here on the peak is counted anew.
        guard (try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))) != nil else {
            return false
        }
        let before = peakKibibytes()
        read()
        let grown = peakKibibytes() - before
        return before > 0 && grown <= copies * input.count / 1024 + baseKibibytesMax
    }

    /// What was freed goes back to the system, so that the next reading has to ask for it again.
    private static func giveBackFreeMemory() {
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        typealias Trim = @convention(c) (Int) -> CInt
        _ = unsafeBitCast(symbol, to: Trim.self)(0)
    }

    /// Messages of the largest size that are well-formed, so that nothing of them is refused before it is read.
    private static func full() -> [[UInt8]] {
        let event = [UInt8](repeating: 1, count: 1_000)
        let count = Limits.linkMessageBytesMax / 1_010
        let heads = (0..<UInt64(Limits.headsPerMessageMax)).map {
            TaggedHead(prefix: $0 << 40, sequence: $0 << 30, tag: $0)
        }
        let chunk = BlobMessage.Chunk(
            blob: BlobID(raw: .zero), chunk: 0,
            bytes: [UInt8](repeating: 1, count: Limits.blobChunkBytes + Limits.blobTagBytes),
            got: Array(0..<Limits.blobGotMax))
        let page = BlobMessage.page(
            BlobID(raw: .zero), page: 0, hashes: Array(repeating: .zero, count: Limits.blobPageHashesMax))
        let messages: [LinkMessage] = [
            .control(Array(repeating: event, count: count)), .have(Have(salt: 1, heads: heads)), .blob(.chunk(chunk)),
            .blob(page),
        ]
        return messages.map { $0.encode() }
    }

    private static func fullIndex() -> [UInt8] {
        LinkMessage.controlIndex(Array(repeating: EventName(.none), count: Limits.controlIndexMax))
            .encode()
    }

    private static func fullBodies() -> [[UInt8]] {
        let names = Array(repeating: EventName(.none), count: Limits.membersMax)
        let recipients = (0..<Limits.rekeyRecipientsMax).map {
            ControlBody.Rekey.Recipient(member: UInt64($0) << 40, generation: UInt64($0))
        }
        let wraps = [UInt8](repeating: 4, count: Limits.rekeyRecipientsMax * Limits.wrappedKeyBytes)
        let bodies: [ControlBody] = [
            .revoke(invite: SigningKey(raw: .zero), accepted: names),
            .rekey(
                ControlBody.Rekey(
                    parents: [.none], roster: .zero, commitment: .zero, recipients: recipients, wraps: wraps,
                    excluded: [])),
        ]
        return bodies.map { $0.encode() }
    }

    /// For each kind of message with a list: the list's field, and as many empty entries as fit.
    private static func stuffed() -> [[UInt8]] {
        let lists: [(kind: UInt64, field: UInt8)] = [
            (3, 1), (5, 1), (6, 4), (7, 2), (10, 1), (11, 1), (12, 1), (40, 1), (41, 1), (61, 2), (62, 2), (62, 3),
            (62, 4), (64, 4), (65, 2),
        ]
        return lists.map { kind, field in
            let count = (Limits.linkMessageBytesMax - 8) / 2
            let entry: [UInt8] = [field << 3 | 2, 0]
            let entries = Array(repeatElement(entry, count: count).joined())
            return header(kind, length: UInt64(entries.count)) + entries
        }
    }

    /// The same for control bodies.
    private static func stuffedBodies() -> [[UInt8]] {
        let lists: [(kind: UInt64, field: UInt8)] = [(3, 2), (7, 4), (8, 4), (8, 5), (9, 3), (11, 1), (11, 5)]
        return lists.map { kind, field in
            let count = (Limits.controlBodyBytesMax - 8) / 2
            let entries = Array(repeatElement([field << 3 | 2, 0] as [UInt8], count: count).joined())
            return header(kind, length: UInt64(entries.count)) + entries
        }
    }

    /// Lengths of two gigabytes and of all that a number holds, with nothing behind them.
    private static func boasting() -> [[UInt8]] {
        let lengths: [UInt64] = [1 << 31 - 1, 1 << 40, .max]
        return lengths.flatMap { length -> [[UInt8]] in
            (1...12).map { kind -> [UInt8] in
                header(UInt64(kind), length: length) + header(1, length: length) + [1, 2, 3]
            }
        }
    }

    /// The beginning of a field that has so many bytes.
    private static func header(_ field: UInt64, length: UInt64) -> [UInt8] {
        varint(field << 3 | 2) + varint(length)
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8]()
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }

    /// The most memory that this process ever had; 0 when the system does not say.
    private static func peakKibibytes() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0
    }
}
