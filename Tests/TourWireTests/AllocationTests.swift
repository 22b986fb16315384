import Foundation
import Testing
import TourModel
import TourWire

/// Goal: no message makes its decoder take much memory, whatever it claims to hold.
/// Method: in a process of its own, messages of the largest size whose lists have as many and as small entries as
/// bytes allow, and some that claim more than is there; the process's peak is read before and after.
@Suite struct AllocationTests {
    /// Lists are counted before they are decoded: what is left is a few copies of a message, and the code that reads
    /// it, which comes into memory as it is used.
    private static let peakKibibytesMax = 4 * 1024

    @Test func noMessageTakesMuchMemory() async {
        await #expect(processExitsWith: .success) {
            let inputs = Self.stuffed() + Self.boasting()
            // What the first of all decodings sets up is not the messages'.
            _ = try? LinkMessage.decode(LinkMessage.ping.encode())
            _ = try? ControlBody(decoding: ControlBody.leave.encode())
            let before = Self.peakKibibytes()
            for input in inputs { _ = try? LinkMessage.decode(input) }
            for input in Self.stuffedBodies() { _ = try? ControlBody(decoding: input) }
            let grown = Self.peakKibibytes() - before
            FileHandle.standardError.write(Data("grown by \(grown) KiB\n".utf8))
            exit(before > 0 && grown <= Self.peakKibibytesMax ? EXIT_SUCCESS : EXIT_FAILURE)
        }
    }

    /// For each kind of message with a list: the list's field, and as many empty entries as fit.
    private static func stuffed() -> [[UInt8]] {
        let lists: [(kind: UInt64, field: UInt8)] = [
            (3, 1), (5, 1), (6, 4), (7, 2), (10, 1), (11, 1), (12, 1), (40, 1), (41, 1),
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
