import Foundation
import Testing

/// Reads a tar archive as its form says, and nothing that it does not say.
struct TarReader {
    struct Entry {
        var name: String
        var mode: Int
        var content: Data

        var text: String { String(decoding: content, as: UTF8.self) }
    }

    private(set) var entries: [Entry] = []

    subscript(name: String) -> Entry? { entries.first { $0.name == name } }

    /// - Throws: for what is no whole archive.
    init(_ archive: Data) throws {
        let bytes = Array(archive)
        var place = 0
        var extended: [String: String] = [:]
        while true {
            let block = try Self.part(of: bytes, at: place, count: 512)
            place += 512
            if block.allSatisfy({ $0 == 0 }) { break }
            let sum = Self.octal(block[148..<156])
            let counted = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 32 : Int($1.element)) }
            try #require(sum == counted && Array(block[257..<265]) == Array("ustar\u{0}00".utf8))
            let size = extended["size"].flatMap { Int($0) } ?? Self.octal(block[124..<136])
            let content = try Self.part(of: bytes, at: place, count: size)
            place += (size + 511) / 512 * 512
            if block[156] == UInt8(ascii: "x") {
                extended = try Self.records(Array(content))
                continue
            }
            let name = extended["path"] ?? String(decoding: block[..<100].prefix { $0 != 0 }, as: UTF8.self)
            entries.append(Entry(name: name, mode: Self.octal(block[100..<108]), content: Data(content)))
            extended = [:]
        }
        let last = try Self.part(of: bytes, at: place, count: 512)
        try #require(last.allSatisfy { $0 == 0 } && place + 512 == bytes.count, "two blocks of zeros, and nothing more")
    }

    private static func part(of bytes: [UInt8], at place: Int, count: Int) throws -> [UInt8] {
        try #require(place + count <= bytes.count, "the archive is cut off")
        return Array(bytes[place..<place + count])
    }

    private static func octal(_ field: some Sequence<UInt8>) -> Int {
        Int(String(decoding: field.prefix { $0 != 0 && $0 != 32 }, as: UTF8.self), radix: 8) ?? -1
    }

    private static func records(_ content: [UInt8]) throws -> [String: String] {
        var records: [String: String] = [:]
        var rest = content[...]
        while !rest.isEmpty {
            let length = try #require(Int(String(decoding: rest.prefix { $0 != 32 }, as: UTF8.self)))
            let record = String(decoding: rest.prefix(length), as: UTF8.self)
            try #require(record.hasSuffix("\n"))
            let pair = record.drop { $0 != " " }.dropFirst().dropLast().split(separator: "=", maxSplits: 1)
            records[String(pair[0])] = String(pair[1])
            rest = rest.dropFirst(length)
        }
        return records
    }
}
