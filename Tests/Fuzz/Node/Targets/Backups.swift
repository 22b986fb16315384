import Foundation
import FuzzSupport
import TourCrypto
import TourModel
import TourNotebook
import TourStore
import TourWire

/// A backup that somebody has made or changed: the bytes as they are, or sealed as a backup is by who knows the
/// passphrase, with what the input says in it. What opens is read as a store.
enum BackupHarness {
    private static let passphrase = Array("three short words".utf8)
    private static let chunkBytes = 65_536
    private static let salt = [UInt8](repeating: 7, count: Passphrase.Parameters.saltBytes)
    private static let start = Array("TCBACKUP".utf8) + [1]
    /// As cheap as it may be.
    private static let cost: (passes: UInt32, memory: UInt64) = (1, 8 * 1_024)

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        let isRaw = program.number(below: 8) == 0
        restore(isRaw ? program.rest() : sealed(&program))
    }

    private static func restore(_ file: [UInt8]) {
        let path = Scratch.fresh("backup")
        let target = Scratch.fresh("restored")
        _ = FileManager.default.createFile(atPath: path, contents: Data(file))
        guard let directory = try? DataDirectory(path: target) else { return check(false, "no directory in memory") }
        let key = try? directory.restore(from: path, passphrase: passphrase) { done, total in
            check(done <= total, "more is done than there is")
        }
        guard let key else { return check(directory.isEmpty, "a backup that does not open leaves something") }
        let store = try? TourStore(directory: directory, storageKey: key) { bytes, id in
            (try? RawEvent(decoding: bytes)).map { Event(header: $0.header, id: id, bytes: bytes) }
        }
        guard let store else { return }
        for record in (try? store.tours()) ?? [] { _ = try? store.heads(record.tour) }
        _ = try? store.notebook(.place)
        try? store.verify()
        try? store.close()
    }

    /// A header as the writer's, most times, and chunks of which each says what the input says.
    private static func sealed(_ program: inout ByteProgram) -> [UInt8] {
        let isOdd = program.number(below: 8) == 0
        let passes = isOdd ? UInt32(truncatingIfNeeded: program.sequence()) : cost.passes
        // The harness does not wait for what is allowed to take a machine's memory.
        let memory = isOdd ? program.sequence() : cost.memory
        var prefix = start
        prefix.append(bigEndian: passes)
        prefix.append(bigEndian: memory)
        prefix += salt
        let checked = prefix + Hash.of(.backup, prefix).bytes.prefix(16)
        let isCheap = passes <= cost.passes && memory <= cost.memory
        guard isCheap else { return checked.dropLast() }
        let parameters = try? Passphrase.Parameters(
            operations: UInt64(passes), memoryBytes: Int(memory), salt: salt)
        guard let parameters, let key = try? Passphrase.key(passphrase, parameters) else {
            return checked + program.rest()
        }
        let header = checked + Seal.seal([UInt8](), key: key, associatedData: checked)
        var file = header
        var number: UInt64 = 0
        var plain = content(&program)
        while true {
            let part = Array(plain.prefix(chunkBytes))
            plain.removeFirst(part.count)
            let isLast = part.count < chunkBytes
            var place: [UInt8] = []
            place.append(bigEndian: program.number(below: 64) == 1 ? number ^ program.sequence() : number)
            let chunk = Seal.seal(part, key: key, associatedData: header + place + [isLast ? 1 : 0])
            let length = program.number(below: 64) == 1 ? program.sequence() : UInt64(chunk.count)
            file.append(bigEndian: UInt32(truncatingIfNeeded: length))
            file += chunk
            number += 1
            if isLast { break }
        }
        return program.number(below: 8) == 1 ? file + program.chunk() : file
    }

    /// A storage key and a database: a node's, somewhere changed, or anything.
    private static func content(_ program: inout ByteProgram) -> [UInt8] {
        let key = [UInt8](repeating: 9, count: program.number(below: 16) == 1 ? program.number(below: 256) : 32)
        guard program.flag() else { return key + program.chunk() }
        var database = FuzzNode.database
        for _ in 0..<program.number(below: 8) where !database.isEmpty {
            let page = program.number(below: 256)
            let offset = (page * 4_096 + program.number(below: 256) * 16) % database.count
            for (index, byte) in program.chunk().enumerated() where offset + index < database.count {
                database[offset + index] = byte
            }
        }
        return key + database
    }
}
