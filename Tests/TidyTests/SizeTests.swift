import Testing

/// Goal: files, functions and lines stay small enough to be read.
/// Method: counts lines; finds function bodies by their braces.
struct SizeTests {
    static let fileLinesMax = 500
    static let testFileLinesMax = 800
    static let functionLinesMax = 70
    static let columnsMax = 120

    private static var written: [SourceFile] { (Repository.sources + Repository.tests).filter { !$0.isGenerated } }

    @Test func filesAreShort() {
        let long = Self.written.filter { !$0.isWordList }.compactMap { file -> String? in
            let max = file.path.hasPrefix("Tests/") ? Self.testFileLinesMax : Self.fileLinesMax
            return file.lines.count > max ? "\(file.path): \(file.lines.count) lines, at most \(max)" : nil
        }
        #expect(long.isEmpty, report(long))
    }

    @Test func functionsAreShort() {
        let long = Self.written.flatMap { file in
            FunctionScanner.bodies(in: file.codeLines)
                .filter { $0.length > Self.functionLinesMax }
                .map { "\(file.path):\($0.line): a body of \($0.length) lines" }
        }
        #expect(long.isEmpty, report(long))
    }

    @Test func linesAreNarrow() {
        let manifest = SourceFile(path: "Package.swift").map { [$0] } ?? []
        let wide = (Self.written + manifest).filter { !$0.isWordList }.flatMap { file in
            file.lines.enumerated().compactMap { index, line in
                // What is short in bytes is short in letters.
                line.utf8.count > Self.columnsMax && line.count > Self.columnsMax
                    ? "\(file.path):\(index + 1): \(line.count) columns" : nil
            }
        }
        #expect(wide.isEmpty, report(wide))
    }

    @Test func bodiesAreMeasuredRight() {
        let text = """
            protocol P {
                func none(a: Int) -> Int
                var x: Int { get }
                init(b: Int)
            }
            struct S {
                init(
                    a: Int, b: @escaping () -> Void = { print("}") }
                ) throws
                where Int: Sendable
                {
                    self.init(c: 1)
                    // }
                }
                func one() { two() }
                var computed: Int {
                    let text = "{ \\(one { 1 })"
                    return text.count
                }
            }
            """
        let file = SourceFile(path: "Sources/TourModel/Sample.swift", text: text)
        let bodies = FunctionScanner.bodies(in: file.codeLines)
        #expect(bodies == [.init(line: 7, length: 2), .init(line: 15, length: 0), .init(line: 16, length: 2)])
    }

    @Test func stringsAndCommentsAreNoCode() {
        let text = #"""
            let a = "x\"y" + z // c
            let b = """
                Task "quoted" \(value(1)) end
                """ /* d /* e */ f */ + g
            let c = #"raw \"# + h
            let d = i / j / k + l.matches(of: /\/["{]/) + m/n/o
            """#
        let code = String(decoding: CodeScanner.code(in: Array(text.utf8)), as: UTF8.self)
        let kept = code.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
        #expect(kept == "let a = + z let b = (value(1)) + g let c = + h let d = i / j / k + l.matches(of: ) + m/n/o")
    }
}
