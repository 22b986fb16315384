import Glibc
import TourCrypto
import TourModel
import TourStore

/// A scratch directory that is gone when the test is.
final class Scratch: Sendable {
    let path: String
    private let mounted: Bool

    /// - Parameter megabytes: the size of a file system of its own; nil for a plain directory.
    init(megabytes: Int? = nil) throws {
        var template = Array("/tmp/tour-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError.io(code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        mounted = megabytes != nil
        if let megabytes {
            guard mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
                throw StoreError.io(code: errno)
            }
        }
    }

    func remount(readOnly: Bool) throws {
        let flags = UInt(32) | (readOnly ? 1 : 0)
        guard mount("tmpfs", path, "tmpfs", flags, nil) == 0 else { throw StoreError.io(code: errno) }
    }

    deinit {
        if mounted { umount2(path, 2) }
        remove(directory: path)
    }

    private func remove(directory: String) {
        for name in Self.names(directory) {
            if unlink(directory + "/" + name) != 0 { remove(directory: directory + "/" + name) }
        }
        rmdir(directory)
    }

    static func names(_ directory: String) -> [String] {
        guard let stream = opendir(directory) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Mode bits of a file.
    static func mode(_ path: String) -> UInt32 {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// The bytes of a file; empty when there is none.
    static func bytes(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
    }

    static func write(_ bytes: [UInt8], to path: String) {
        guard let file = fopen(path, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }
}

/// Events with made-up ids: the store trusts what it is given, so they need no signatures. The header is written out as
/// the real one is, and `decode` reads it back.
enum Sample {
    static let key = SecretBytes([UInt8](repeating: 7, count: 32))
    static let tour = TourID(raw: bytes(0xA0))
    static let otherTour = TourID(raw: bytes(0xA1))
    static let anna = MemberID(raw: bytes(1))
    static let bert = MemberID(raw: bytes(2))

    static func bytes(_ value: UInt8) -> Bytes32 {
        Bytes32([UInt8](repeating: value, count: 32)) ?? .zero
    }

    static func store(_ scratch: Scratch, name: String = "data") throws -> TourStore {
        try TourStore(
            directory: DataDirectory(path: scratch.path + "/" + name), storageKey: key, decode: decode)
    }

    /// Random-looking, different for each (author, sequence).
    static func id(_ author: MemberID, _ sequence: UInt64) -> EventID {
        guard sequence > 0 else { return .none }
        var state = sequence &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(author.bytes[0]) << 56 ^ UInt64(author.bytes[1]) << 48
        var result: [UInt8] = []
        for _ in 0..<4 {
            state = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            state = (state ^ (state >> 27)) &* 0x94D0_49BB_1331_11EB
            state ^= state >> 31
            withUnsafeBytes(of: state.bigEndian) { result += $0 }
        }
        return EventID(result) ?? .none
    }

    static func event(
        _ author: MemberID, _ sequence: UInt64, clock: UInt64, class eventClass: EventClass = .chat,
        previous: EventID? = nil, body: [UInt8] = [1, 2, 3]
    ) -> Event {
        let header = EventHeader(
            eventClass: eventClass, tour: tour, author: author, sequence: sequence,
            previous: previous ?? id(author, sequence - 1), clock: LogicalClock(value: clock), epoch: .none)
        var bytes: [UInt8] = [1, eventClass.rawValue]
        bytes += header.tour.bytes + header.author.bytes
        withUnsafeBytes(of: sequence.bigEndian) { bytes += $0 }
        bytes += header.previous.bytes
        withUnsafeBytes(of: clock.bigEndian) { bytes += $0 }
        bytes += header.epoch.bytes + header.bodyHash.bytes + [UInt8](repeating: 9, count: 64) + body
        return Event(header: header, id: id(author, sequence), bytes: bytes)
    }

    /// A log of `count` chat events of one author with the readings `clock`, `clock + step`…
    static func log(
        _ author: MemberID, _ sequences: ClosedRange<UInt64>, clock: UInt64 = 100, step: UInt64 = 10
    ) -> [(event: Event, hops: Int)] {
        sequences.map { (event(author, $0, clock: clock + ($0 - sequences.lowerBound) * step), 1) }
    }

    static let decode: @Sendable ([UInt8], EventID) -> Event? = { bytes, id in
        guard bytes.count >= Event.bodyOffset, let tour = TourID(bytes[2..<34]), let author = MemberID(bytes[34..<66]),
            let previous = EventID(bytes[74..<106]), let epoch = EpochID(bytes[114..<146]),
            let bodyHash = Bytes32(bytes[146..<178])
        else { return nil }
        func integer(_ range: Range<Int>) -> UInt64 { bytes[range].reduce(0) { $0 << 8 | UInt64($1) } }
        let header = EventHeader(
            eventClass: EventClass(rawValue: bytes[1]), tour: tour, author: author, sequence: integer(66..<74),
            previous: previous, clock: LogicalClock(value: integer(106..<114)), epoch: epoch, bodyHash: bodyHash)
        return Event(header: header, id: id, bytes: bytes)
    }
}

extension [UInt8] {
    func contains(_ text: String) -> Bool {
        let needle = Array(text.utf8)
        guard let first = needle.first, count >= needle.count else { return false }
        return indices.dropLast(needle.count - 1).contains { index in
            self[index] == first && self[index..<(index + needle.count)].elementsEqual(needle)
        }
    }
}
