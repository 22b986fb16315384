import Testing

/// Goal: the cycles of folders that are found are those that the rule means.
/// Method: small modules, each with the edges that are to be read in it.
struct FolderGraphTests {
    struct Sample: CustomTestStringConvertible {
        let what: String
        let files: [(String, String)]
        /// `A -> B: names`, or nothing.
        let edges: [String]

        init(_ what: String, _ files: KeyValuePairs<String, String>, _ edges: String...) {
            self.what = what
            self.files = files.map { ($0.key, $0.value) }
            self.edges = edges
        }

        var testDescription: String { what }
    }

    static let samples = [
        Sample("a type", ["M/A/a": "struct T {}", "M/B/b": "let t: T"], "B -> A: T"),
        Sample("an alias", ["M/A/a": "typealias T = Int", "M/B/b": "let t: [T]"], "B -> A: T"),
        Sample(
            "files beside the folders",
            ["M/a": "struct T {}\nlet u: U", "M/A/a": "let t: T", "M/B/b": "struct U {}"]),
        Sample("a type of two folders", ["M/A/a": "struct T {}", "M/B/b": "let t: T", "M/C/c": "struct T {}"]),
        Sample("another module's type", ["M/A/a": "", "M/B/b": "let t: T", "N/A/a": "struct T {}"]),
        Sample("a private type", ["M/A/a": "private struct T {}", "M/B/b": "let t: T"]),
        Sample("a private type of the same name", ["M/A/a": "struct T {}", "M/B/b": "private struct T {}\nlet t: T"]),
        Sample("a local name", ["M/A/a": "struct t {}", "M/B/b": "func f() { let t = 1\n g(t) }"]),
        Sample("a comment, a string", ["M/A/a": "struct T {}", "M/B/b": "// T\nlet t = \"T\""]),
        Sample("in a string", ["M/A/a": "struct T {}", "M/B/b": "let t = \"\\(T())\""], "B -> A: T"),
        Sample("a nested type", ["M/A/a": "extension T { struct U {} }", "M/B/b": "let u: T.U"], "B -> A: U"),
        Sample("a nested type elsewhere", ["M/A/a": "extension T { struct U {} }", "M/B/b": "let u: V.U\nlet w: U"]),
        Sample(
            "a nested type, bare",
            ["M/A/a": "extension T { struct U {} }", "M/B/b": "extension T { func f() -> U {} }"], "B -> A: U"),
        Sample(
            "a method of an extension",
            [
                "M/t": "struct T {}", "M/A/a": "extension T { func f() {} }",
                "M/B/b": "extension T { func g() { f() } }",
            ],
            "B -> A: f"),
        Sample(
            "a method after self",
            ["M/A/a": "extension T { func f() {} }", "M/B/b": "extension T { func g() { self.f() } }"], "B -> A: f"),
        Sample(
            "another type's method, bare",
            ["M/A/a": "extension T { func f() {} }", "M/B/b": "extension U { func g() { f() } }"]),
        Sample(
            "an own method of the name",
            ["M/A/a": "extension T { func f() {} }", "M/B/b": "extension T { private func f() {}\nfunc g() { f() } }"]),
        Sample(
            "a method after a dot", ["M/A/a": "extension T { func f() {} }", "M/B/b": "let t = u.f()"], "B -> A: f"),
        Sample(
            "a name that another module has",
            ["M/A/a": "extension T { func f() {} }", "M/B/b": "let t = u.f()", "N/a": "struct V { func f() {} }"]),
        Sample("a method in its type's file", ["M/A/a": "struct T { func f() {} }", "M/B/b": "let t = u.f()"]),
        Sample(
            "a folder in a folder", ["M/A/X/a": "struct T {}", "M/A/Y/a": "let t: T", "M/B/b": "let t: T"],
            "B -> A: T", "Y -> X: T"),
    ]

    @Test(arguments: samples) func edgesAreRead(_ sample: Sample) {
        let edges = Self.graphs(sample.files).flatMap { graph in
            graph.edges.sorted { $0.key < $1.key }
                .map { "\($0.key.from) -> \($0.key.to): \($0.value.sorted().joined(separator: ", "))" }
        }
        #expect(edges == sample.edges)
    }

    @Test func edgesOfCyclesAreFound() throws {
        let files = [
            ("M/A/a", "struct TA {}\nlet b: TB"), ("M/B/b", "struct TB {}\nlet c: TC"),
            ("M/C/c", "struct TC {}\nlet a: TA\nlet d: TD"), ("M/D/d", "struct TD {}\nlet e: TE"),
            ("M/E/e", "struct TE {}"),
        ]
        let graphs = Self.graphs(files)
        let graph = try #require(graphs.first)
        #expect(graph.edges.count == 5)
        #expect(graph.lines == ["A -> B: TB", "B -> C: TC", "C -> A: TA"])
        let allowed = FolderCap("M", edges: 3, reason: "")
        #expect(FolderCap.faults(of: graphs, exceptions: [allowed]) == [])
        for wrong in [nil, FolderCap("M", edges: 2, reason: ""), FolderCap("M", edges: 4, reason: "")] {
            let faults = FolderCap.faults(of: graphs, exceptions: wrong.map { [$0] } ?? [])
            #expect(faults.count == 1 && faults.first?.contains("\n    \"M\", edges: 3,") ?? false)
        }
        let straight = Self.graphs([("M/A/a", "struct T {}"), ("M/B/b", "let t: T")])
        #expect(FolderCap.faults(of: straight, exceptions: []) == [])
        #expect(FolderCap.faults(of: straight, exceptions: [allowed]).first?.hasSuffix("remove its exception") ?? false)
        let gone = FolderCap("N", edges: 1, reason: "")
        #expect(FolderCap.faults(of: straight, exceptions: [gone]).first?.hasSuffix("remove its exception") ?? false)
    }

    private static func graphs(_ files: [(String, String)]) -> [FolderGraph] {
        FolderGraph.graphs(of: files.map { ScannedFile(SourceFile(path: "Sources/\($0.0).swift", text: $0.1)) })
    }
}
