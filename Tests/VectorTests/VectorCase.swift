import Foundation
import Testing
import TourModel

/// A value of a vector file.
enum VectorValue: Decodable, Sendable {
    case flag(Bool)
    case number(UInt64)
    case negative(Int64)
    case text(String)
    case list([VectorValue])
    case fields([String: VectorValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? container.decode(UInt64.self) {
            self = .number(number)
        } else if let negative = try? container.decode(Int64.self) {
            self = .negative(negative)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([VectorValue].self) {
            self = .list(list)
        } else {
            self = .fields(try container.decode([String: VectorValue].self))
        }
    }
}

/// One case of a vector file: its fields by name. Reading a field that is missing, or is of another kind, fails the
/// test.
struct VectorCase: Sendable {
    let fields: [String: VectorValue]

    func has(_ field: String) -> Bool { fields[field] != nil }

    func flag(_ field: String) throws -> Bool {
        guard case .flag(let flag)? = fields[field] else { throw Missing(field: field) }
        return flag
    }

    func flags(_ field: String) throws -> [Bool] {
        try list(field).map {
            guard case .flag(let flag) = $0 else { throw Missing(field: field) }
            return flag
        }
    }

    func number(_ field: String) throws -> UInt64 {
        guard case .number(let number)? = fields[field] else { throw Missing(field: field) }
        return number
    }

    func signed(_ field: String) throws -> Int64 {
        if case .negative(let number)? = fields[field] { return number }
        return try #require(Int64(exactly: try number(field)))
    }

    func count(_ field: String) throws -> Int { Int(try number(field)) }

    func text(_ field: String) throws -> String {
        guard case .text(let text)? = fields[field] else { throw Missing(field: field) }
        return text
    }

    func list(_ field: String) throws -> [VectorValue] {
        guard case .list(let list)? = fields[field] else { throw Missing(field: field) }
        return list
    }

    func cases(_ field: String) throws -> [VectorCase] {
        try list(field).map {
            guard case .fields(let fields) = $0 else { throw Missing(field: field) }
            return VectorCase(fields: fields)
        }
    }

    func numbers(_ field: String) throws -> [UInt64] {
        try list(field).map {
            guard case .number(let number) = $0 else { throw Missing(field: field) }
            return number
        }
    }

    func texts(_ field: String) throws -> [String] {
        try list(field).map {
            guard case .text(let text) = $0 else { throw Missing(field: field) }
            return text
        }
    }

    func byteLists(_ field: String) throws -> [[UInt8]] {
        try list(field).map {
            guard case .text(let text) = $0 else { throw Missing(field: field) }
            return try #require(Hex.decode(text))
        }
    }

    func bytes(_ field: String) throws -> [UInt8] { try #require(Hex.decode(try text(field)), "\(field)") }

    /// Bytes of which stretches repeat: hex, `[byte, times]`, and `[hex, times]`.
    func packed(_ field: String) throws -> [UInt8] { try Self.unpacked(try list(field)) }

    static func unpacked(_ pieces: [VectorValue]) throws -> [UInt8] {
        try pieces.flatMap { piece -> [UInt8] in
            switch piece {
            case .text(let hex): return try #require(Hex.decode(hex))
            case .list(let run):
                guard run.count == 2, case .number(let times) = run[1] else { throw Missing(field: "a run of bytes") }
                switch run[0] {
                case .number(let byte): return [UInt8](repeating: UInt8(byte), count: Int(times))
                case .text(let hex):
                    let stretch = try #require(Hex.decode(hex))
                    return Array(repeatElement(stretch, count: Int(times)).joined())
                default: throw Missing(field: "what is repeated")
                }
            default: throw Missing(field: "bytes")
            }
        }
    }

    /// Sixteen hexadecimal digits: a clock, a counter or an author's prefix.
    func word(_ field: String) throws -> UInt64 { try #require(UInt64(try text(field), radix: 16)) }

    func id<Kind: Identifier>(_ field: String) throws -> Kind { try #require(Kind(hex: try text(field)), "\(field)") }

    func bytes32(_ field: String) throws -> Bytes32 { try #require(Bytes32(hex: try text(field)), "\(field)") }

    var name: String { (try? text("name")) ?? "a case without a name" }
    var isValid: Bool { get throws { try flag("valid") } }

    struct Missing: Error {
        let field: String
    }
}

/// A file of `Protocol/Vectors`, found from this file through symbolic links, or in the checkout that the environment's
/// `TOUR_CHAT_ROOT` names.
enum VectorFile {
    static let folder: URL = {
        var root = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        for _ in 1...3 { root.deleteLastPathComponent() }
        if let path = ProcessInfo.processInfo.environment["TOUR_CHAT_ROOT"] {
            root = URL(fileURLWithPath: path, isDirectory: true)
        }
        return root.appendingPathComponent("Protocol/Vectors")
    }()

    /// The names of all files but the Noise ones, without `.json`.
    static func names() throws -> Set<String> {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return Set(files.filter { $0.hasSuffix(".json") && !$0.hasPrefix("noise-") }.map { String($0.dropLast(5)) })
    }

    static func cases(_ name: String) throws -> [VectorCase] {
        struct Document: Decodable {
            var cases: [[String: VectorValue]]
        }
        let data = try Data(contentsOf: folder.appendingPathComponent(name + ".json"))
        return try JSONDecoder().decode(Document.self, from: data).cases.map(VectorCase.init)
    }

    /// The lines of a file of `Protocol`.
    static func lines(_ name: String) throws -> [String] {
        let file = folder.deletingLastPathComponent().appendingPathComponent(name)
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    static func named(_ name: String, in file: String) throws -> VectorCase {
        try #require(try cases(file).first { $0.name == name })
    }
}
