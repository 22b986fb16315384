import Testing

/// Goal: the caps judge what stands in the code.
/// Method: small sources, each with what is to be read in it.
struct TypeScannerTests {
    struct Sample: CustomTestStringConvertible {
        let what: String
        let text: String
        /// Each as `Name lines properties`, with `+` before the name of an extension and `-` before a private type's.
        let parts: [String]

        init(_ what: String, _ text: String, _ parts: String...) {
            self.what = what
            self.text = text
            self.parts = parts
        }

        var testDescription: String { what }
    }

    static let samples = [
        Sample("an empty file", ""),
        Sample("lines from the word to the brace", "/// A.\nstruct A {\n\n    // b\n}\n\nlet b = 1\n", "A 4 0"),
        Sample(
            "nested types count for themselves", "enum A {\n    struct B {\n        let c: Int\n    }\n}", "A 2 0",
            "A.B 3 1"),
        Sample("nested twice", "enum A {\nenum B {\nenum C {\nlet d = 1\n}\n}\n}", "A 2 0", "A.B 2 0", "A.B.C 3 1"),
        Sample(
            "extensions, dotted too", "extension A {\nstruct B {}\n}\nextension A.B: C where D == E {}", "+A 2 0",
            "A.B 1 0", "+A.B 1 0"),
        Sample(
            "private types", "private struct A { struct B {} }\nfileprivate extension C { enum D {} }", "-A 0 0",
            "-A.B 1 0", "+C 0 0", "-C.D 1 0"),
        Sample(
            "after a private one", "private let a = 1\nstruct B { private(set) var c = 1\n struct D {} }", "B 1 1",
            "B.D 1 0"),
        Sample("a type in a function", "struct A {\nfunc b() {\nstruct C { let d = 1 }\n}\n}", "A 4 0", "-A.C 1 1"),
        Sample(
            "all kinds", "actor A {}\nclass B {}\nfinal class C: B {}\nprotocol D: AnyObject {}\nenum E<F> {}", "A 1 0",
            "B 1 0", "C 1 0", "D 1 0", "E 1 0"),
        Sample(
            "words that are no types",
            """
            import struct A.B
            let actor = 1
            for actor in actors {}
            f(class: a, struct: b)
            x.extension { }
            let y = T.protocol { }
            """
        ),
        Sample(
            "what only looks like a brace",
            ##"""
            struct A {
            // }
            /* } /* } */ } */
            let b = "}", c = "\"}"
            let d = #"\"}"#
            let e = """
            } " }
            """
            let f = "\(g { "}" })"
            }
            """##,
            "A 10 5"),
        Sample(
            "all branches of a condition", "struct A {\n#if os(Linux) && !B\nlet c = 1\n#else\nlet c = 2\n#endif\n}",
            "A 7 2"),
        Sample("braces that do not match", "} ) ]\nstruct A {\nfunc b( {\n}\nstruct C {", "A 3 0", "-A.C 1 0"),
        Sample("names in backticks", "struct `A` { let `let`: Int\n let `struct` = 1 }\nlet x = `class` { }", "A 2 2"),
    ]

    static let properties = [
        ("let a: Int", 1), ("var a = 1", 1), ("let a, b: Int", 2), ("let a: Int, b = 2, c: [Int: Int]", 3),
        ("let (a, b) = (1, 2)", 1), ("let (a, (b, c)): (Int, (Int, Int)), d: Int", 2),
        ("static let a = 1", 0), ("package static var a: Int { 1 }", 0), ("class var a: Int { 1 }", 0),
        ("var a: Int { 1 }", 0), ("var a: Int { return 1 }", 0), ("var a: Int { get }", 0),
        ("var a: Int {\n    get { b }\n    set { b = newValue }\n}", 0),
        ("var a: Int {\n    let b = 1\n    return b\n}", 0),
        ("var a: Int { didSet { b() } }", 1), ("var a = 1 {\n    willSet { b() }\n}", 1),
        ("lazy var a: Int = { let b = 1; return b }()", 1), ("weak var a: A?", 1), ("@State private var a: Int", 1),
        ("@Option(name: .short, help: \"a, b\") var a: Int?", 1), ("private(set) var a: Int", 1),
        ("nonisolated(unsafe) var a: Int", 1), ("let a: (Int, Int) -> Void", 1), ("let a: Result<B, C>, b: Int", 2),
        ("let a = Dictionary<B, C>(), b = 1", 2), ("let a = b < c, d = e > f", 2),
        ("let a = [1, 2].map { $0 + 1 }, b = 1", 2),
        ("let a =\n    b\n    .c(1, 2)\nlet d: Int", 2), ("let a: @Sendable (Int) -> Void = { _ in }", 1),
        ("let a = \"b, c: Int\"", 1), ("let a = if b { 1 } else { 2 }\nlet c = 1", 2),
        ("case a, b(Int)\ncase c", 0), ("func a(b: Int, c: () -> Void = { let d = 1 }) { var e = 1 }", 0),
        ("init() { let a = 1 }\nsubscript(a: Int) -> Int { let b = 1; return b }\nlet c = 1", 1),
        ("static func a() {}\nlet b = 1", 1), ("static let a = 1; let b = 1", 1), ("let a: Int; let b: Int", 2),
        ("// let a: Int\n/* let b: Int */ let c: Int // let d: Int", 1),
    ]

    @Test(arguments: samples) func partsAreRead(_ sample: Sample) {
        let parts = Self.scan(sample.text).parts
        let read = parts.map {
            "\($0.isExtension ? "+" : $0.isPrivate ? "-" : "")\($0.name) \($0.lines) \($0.properties)"
        }
        #expect(read == sample.parts)
        #expect(Self.scan(sample.text).isBalanced == !sample.what.contains("do not match"))
    }

    @Test(arguments: properties) func storedPropertiesAreCounted(_ text: String, _ count: Int) {
        #expect(Self.scan("struct A {\n\(text)\n}\nlet after = 1").parts.map(\.properties) == [count])
        #expect(Self.scan("enum A { struct B { \(text) }; static let c = 1 }").parts.map(\.properties) == [0, count])
        #expect(Self.scan("protocol A {\n\(text)\n}").parts.map(\.properties) == [0])
    }

    /// Whatever a file is cut off at, it is read to its end.
    @Test func anyTextIsRead() {
        let text = Array(Self.samples.map(\.text).joined(separator: "\n").utf8)
        for end in text.indices {
            let parts = TypeScanner(code: CodeScanner.code(in: Array(text[..<end]))).parts
            #expect(parts.allSatisfy { $0.lines >= 0 && $0.properties >= 0 })
        }
    }

    @Test func namesAreRead() {
        let names = Self.scan(
            """
            struct A { struct B {}; typealias C = B; let d = 1; private let e = 1 }
            extension F { func g(h i: Int) { let j = self.k + Self.l; m.n(o: p) }; private func q() {} }
            extension A { func r() {} }
            enum S { case t(Int), u }
            let v = w.map { x, y in T.z }
            """
        ).names
        #expect(names.types == ["A", "A.B", "A.C", "S"])
        #expect(names.members == ["d", "g", "r", "t", "u", "v"])
        #expect(names.extensionMembers == ["F.g"])
        #expect(names.bound.isSuperset(of: ["e", "i", "j", "q", "x", "y"]))
        #expect(names.bare["F"]?.isSuperset(of: ["Int", "k", "l", "m", "p"]) ?? false)
        #expect(names.bare["A"]?.contains("B") ?? false)
        #expect(names.bare[""]?.isSuperset(of: ["A", "F", "w", "T"]) ?? false)
        let bare = names.bare.values.reduce(into: Set()) { $0.formUnion($1) }
        #expect(bare.isDisjoint(with: ["n", "o", "h", "map", "z"]))
        #expect(names.dotted == ["n", "map", "z"])
        #expect(names.pairs == ["m.n", "w.map", "T.z"])
    }

    private static func scan(_ text: String) -> TypeScanner {
        TypeScanner(code: CodeScanner.code(in: Array(text.utf8)))
    }
}
