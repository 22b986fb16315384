import Testing

/// Goal: files and functions stay small enough to be read, and types keep little state.
/// Method: counts lines; finds bodies and stored properties by the layout.
struct SizeTests {
    static let fileLinesMax = 500
    static let testFileLinesMax = 800
    static let functionLinesMax = 70
    static let propertiesMax = 20
    static let columnsMax = 120

    /// The types with more stored properties, and how many these may be. The numbers may only become smaller.
    static let properties: [String: Int] = [
        // The members of one answer, as the contract has them.
        "TourAPI/MemberSummary": 22,
        "TourAPI/Status": 34,
        "TourBlob/OpenBlob": 26,
        "TourNode/TourNode": 52,
        "TourNode/TourSession": 35,
        "TourSimulator/SimulatedNode": 24,
        "TourSimulator/Simulation": 27,
        "TourSimulator/SwarmOptions": 30,
    ]

    private static var written: [SourceFile] { (Repository.sources + Repository.tests).filter { !$0.isGenerated } }

    @Test func filesAreShort() {
        let long = Self.written.filter { !$0.isWordList }.compactMap { file -> String? in
            let max = file.path.hasPrefix("Tests/") ? Self.testFileLinesMax : Self.fileLinesMax
            return file.lineCount > max ? "\(file.path): \(file.lineCount) lines, at most \(max)" : nil
        }
        #expect(long.isEmpty, report(long))
    }

    @Test func functionsAreShort() {
        let long = Self.written.flatMap { file in
            file.bodies(longerThan: Self.functionLinesMax)
                .map { "\(file.path):\($0.line): a body of \($0.length) lines" }
        }
        #expect(long.isEmpty, report(long))
    }

    /// Comments above all: `swift format` does not break them.
    @Test func linesAreNarrow() {
        let wide = Self.written.filter { !$0.isWordList }.flatMap { file in
            file.lines(widerThan: Self.columnsMax).map { "\(file.path):\($0.number): \($0.text.count) columns" }
        }
        #expect(wide.isEmpty, report(wide))
    }

    @Test func typesKeepLittleState() {
        var gone = Self.properties
        let large = Repository.sources.filter { !$0.isGenerated }.flatMap { file in
            file.types(withPropertiesAbove: Self.propertiesMax).compactMap { type -> String? in
                let max = gone.removeValue(forKey: "\(file.target)/\(type.name)") ?? Self.propertiesMax
                guard type.properties > max else { return nil }
                return "\(file.path):\(type.line): \(type.name) stores \(type.properties) properties, at most \(max)"
            }
        }
        #expect(large.isEmpty, report(large))
        #expect(gone.isEmpty, "no longer larger than others: remove their exceptions")
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
                let stored = list.map {
                    $0
                }
            }
            """
        let bodies = SourceFile(path: "Sources/TourModel/Sample.swift", text: text).bodies(longerThan: 0)
        #expect(bodies.map { [$0.line, $0.length] } == [[7, 3], [17, 2]])
    }

    static let declarations = [
        ("let a: Int", 1), ("var a = 1", 1), ("let a, b: Int", 2), ("let a: Int, b: [Int: Int]", 2),
        ("let (a, b) = (1, 2)", 1), ("static let a = 1", 0), ("package static var a: Int { 1 }", 0),
        ("class var a: Int { 1 }", 0), ("var a: Int { 1 }", 0), ("var a: Int {\n        get { b }\n    }", 0),
        ("var a: Int { didSet { b() } }", 1), ("var a = 1 {\n        willSet { b() }\n    }", 1),
        ("lazy var a: Int = { let b = 1; return b }()", 1), ("weak var a: A?", 1), ("@State private var a: Int", 1),
        ("@Option(name: .short, help: \"a, b\") var a: Int?", 1), ("private(set) var a: Int", 1),
        ("@Option(\n        help: \"a\"\n    ) var a: Int?", 1), ("nonisolated(unsafe) var a: Int", 1),
        ("let a: (Int, Int) -> Void", 1), ("let a: Result<B, C>, b: Int", 2), ("let a = [1, 2].map { $0 + 1 }", 1),
        ("case a, b(Int)", 0), ("func a(b: Int) {\n        let c = 1\n    }", 0), ("// let a: Int", 0),
        ("struct B {\n        let c: Int\n    }\n    let d: Int", 1),
    ]

    @Test(arguments: declarations) func storedPropertiesAreCounted(_ text: String, _ count: Int) {
        let all = "package final class A: B\nwhere C: D {\n    let first: Int\n    \(text)\n}\nlet after = 1\n"
        let types = SourceFile(path: "Sources/TourModel/Sample.swift", text: all).types(withPropertiesAbove: 0)
        #expect(types.first == SourceFile.TypeState(line: 1, name: "A", properties: count + 1))
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
        #expect(code.utf8.count == text.utf8.count)
    }

    /// Whatever a file is cut off at, it is read to its end.
    @Test func anyTextIsRead() {
        let text = Array("let a = \"b\\(c(\"d\"))\" /* e /* f */ */ + #\"g\"# + /h/ // i\n\"\"\"\n\0\\\n\"\"\"".utf8)
        for end in text.indices { #expect(CodeScanner.code(in: Array(text[..<end])).count == end) }
    }
}
