import Foundation

/// One Swift file: its text, and the same text with comments and strings blanked out.
struct SourceFile {
    /// Relative to the repository's root.
    let path: String
    let lines: [String]
    /// As many bytes as the text has; what is no code is spaces.
    let code: [UInt8]
    /// As many lines as `lines`; what is no code is spaces.
    let codeLines: [String]

    /// - Returns: nil when the file is not UTF-8 or has gone.
    init?(path: String) {
        guard let text = try? String(contentsOf: Repository.url(path), encoding: .utf8) else { return nil }
        self.init(path: path, text: text)
    }

    init(path: String, text: String) {
        self.path = path
        let bytes = Array(text.utf8)
        lines = Self.lines(of: bytes)
        code = CodeScanner.code(in: bytes)
        codeLines = Self.lines(of: code)
    }

    /// The folder below `Sources` or `Tests`.
    var target: String { path.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    var isGenerated: Bool { name.hasSuffix(".pb.swift") }
    var isWordList: Bool { name.contains("WordList") }

    /// Where a pattern is in the code, as "path:line: matched text".
    func places(of pattern: some RegexComponent, in text: [String]? = nil) -> [String] {
        (text ?? codeLines).enumerated().flatMap { index, line in
            line.matches(of: pattern).map { "\(path):\(index + 1): \(line[$0.range])" }
        }
    }

    private static func lines(of bytes: [UInt8]) -> [String] {
        var lines: [String] = []
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(String(decoding: bytes[start..<index], as: UTF8.self))
            start = index + 1
        }
        if start < bytes.count { lines.append(String(decoding: bytes[start...], as: UTF8.self)) }
        return lines
    }
}
