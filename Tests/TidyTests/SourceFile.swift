import Foundation
import Glibc

/// One Swift file: its text, and the same text with comments and strings blanked out.
///
/// The rules look for their words among the bytes, and take apart only the lines that have one: to make a string of
/// each line of the sources, or to match patterns in all of them, takes most of a minute in a debug build.
struct SourceFile {
    struct Line: Equatable {
        /// From 1.
        let number: Int
        /// Of its first byte.
        let offset: Int
        let text: String

        /// The spaces that it begins with.
        var indentation: Int { text.utf8.prefix { $0 == UInt8(ascii: " ") }.count }
    }

    /// Relative to the repository's root.
    let path: String
    /// Ends with a zero, for the functions of the C library.
    let text: [UInt8]
    /// As many bytes as the text has; what is no code is spaces.
    let code: [UInt8]

    /// - Returns: nil when the file has gone.
    init?(path: String) {
        guard let data = FileManager.default.contents(atPath: Repository.url(path).path) else { return nil }
        self.init(path: path, bytes: Array(data))
    }

    init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }

    private init(path: String, bytes: [UInt8]) {
        self.path = path
        text = bytes + [0]
        code = CodeScanner.code(in: bytes) + [0]
    }

    /// The folder below `Sources` or `Tests`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isGenerated: Bool { name.hasSuffix(".pb.swift") || name.hasSuffix(".generated.swift") }
    var isWordList: Bool { name.contains("WordList") }

    /// How many lines it has.
    var lineCount: Int {
        Self.newlines(in: text, 0..<text.count) + (text.dropLast().last == UInt8(ascii: "\n") ? 0 : 1)
    }

    /// The lines that have one of the words, in order.
    ///
    /// - Parameters:
    ///   - bytes: `code` or `text`.
    ///   - range: where to look.
    func lines(
        with words: [String], in bytes: KeyPath<SourceFile, [UInt8]> = \.code, of range: Range<Int>? = nil
    ) -> [Line] {
        let all = self[keyPath: bytes]
        let range = range ?? 0..<all.count - 1
        var number = Self.newlines(in: all, 0..<range.lowerBound) + 1
        var counted = range.lowerBound
        var starts = Set<Int>()
        for word in words {
            var next = range.lowerBound
            while let found = Self.offset(of: word, in: all, next..<range.upperBound) {
                starts.insert((all[..<found].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1)
                next = Self.end(ofLineAt: found, in: all)
            }
        }
        return starts.sorted().map { start in
            number += Self.newlines(in: all, counted..<max(counted, start))
            counted = max(counted, start)
            let line = all[start..<Self.end(ofLineAt: start, in: all)]
            return Line(number: number, offset: start, text: String(decoding: line, as: UTF8.self))
        }
    }

    /// The lines of the text with more letters than `columns`.
    func lines(widerThan columns: Int) -> [Line] {
        var found: [Line] = []
        var number = 1
        var start = 0
        while start < text.count - 1 {
            let end = Self.end(ofLineAt: start, in: text)
            // What is short in bytes is short in letters.
            if end - start > columns {
                let line = Line(number: number, offset: start, text: String(decoding: text[start..<end], as: UTF8.self))
                if line.text.count > columns { found.append(line) }
            }
            number += 1
            start = end + 1
        }
        return found
    }

    /// The next line, or nil behind the last one.
    func line(after line: Line, in bytes: KeyPath<SourceFile, [UInt8]> = \.code) -> Line? {
        let all = self[keyPath: bytes]
        let start = line.offset + line.text.utf8.count + 1
        guard start < all.count - 1 else { return nil }
        let text = String(decoding: all[start..<Self.end(ofLineAt: start, in: all)], as: UTF8.self)
        return Line(number: line.number + 1, offset: start, text: text)
    }

    /// Where a pattern is, as "path:line: matched text".
    ///
    /// - Parameter words: every match has one of them.
    func places(
        of pattern: some RegexComponent, with words: [String], in bytes: KeyPath<SourceFile, [UInt8]> = \.code
    ) -> [String] {
        lines(with: words, in: bytes).flatMap { line in
            line.text.matches(of: pattern).map { "\(path):\(line.number): \(line.text[$0.range])" }
        }
    }
}

extension SourceFile {
    /// Of the first place of a text there.
    static func offset(of text: String, in bytes: [UInt8], _ range: Range<Int>) -> Int? {
        bytes.withUnsafeBytes { all in
            let start = all.assumingMemoryBound(to: CChar.self).baseAddress!
            guard let found = strstr(start + range.lowerBound, text) else { return nil }
            let offset = UnsafePointer(found) - start
            return offset < range.upperBound ? offset : nil
        }
    }

    static func newlines(in bytes: [UInt8], _ range: Range<Int>) -> Int {
        var count = 0
        var next = range.lowerBound
        while let found = offset(of: "\n", in: bytes, next..<range.upperBound) {
            count += 1
            next = found + 1
        }
        return count
    }

    private static func end(ofLineAt offset: Int, in bytes: [UInt8]) -> Int {
        self.offset(of: "\n", in: bytes, offset..<bytes.count) ?? bytes.count - 1
    }
}

extension SourceFile {
    /// The modules that it imports, each with its line.
    var imports: [(line: Int, module: String)] {
        let pattern = /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:[a-z]+\s+)?import\s+(?:[a-z]+\s+)?(\w+)/
        return lines(with: ["import "]).compactMap { line in
            line.text.firstMatch(of: pattern).map { (line.number, String($0.1)) }
        }
    }
}
