import Testing

/// Goal: pure layers stay pure, and nothing unfinished or trapping is in Sources.
/// Method: searches the code of every file, comments and strings left out, for words that would break the rule.
struct WordTests {
    @Test func pureTargetsImportOnlyEachOther() {
        let found = Repository.sources.filter { PureModules.names.contains($0.target) }.flatMap { file in
            file.imports.filter { !PureModules.allow($0.module, in: file) }
                .map { "\(file.path):\($0.line): \(file.target) is pure, and may not import \($0.module)" }
        }
        #expect(found.isEmpty, report(found))
    }

    @Test func pureTargetsHaveNoClockTaskLockFileOrSocket() {
        let found = Repository.sources.filter { PureModules.names.contains($0.target) && !$0.isGenerated }
            .flatMap(Self.impurities)
        #expect(found.isEmpty, report(found))
    }

    @Test func pureTargetsDrawNoUnseededRandomness() {
        let found = Repository.sources.filter { PureModules.names.contains($0.target) && !$0.isGenerated }
            .flatMap(Self.unseeded)
        #expect(found.isEmpty, report(found))
    }

    @Test func nothingTrapsOnPurposeOrIsUnfinished() {
        let traps = Repository.sources.filter { !$0.isGenerated }.flatMap {
            $0.places(of: /\bfatalError\(|\btry!/, with: ["fatalError", "try!"])
        }
        let unfinished = Repository.sources.flatMap {
            $0.places(of: /\b(TODO|FIXME|XXX)\b/, with: ["TODO", "FIXME", "XXX"], in: \.text)
        }
        #expect(traps.isEmpty, report(traps))
        #expect(unfinished.isEmpty, report(unfinished))
    }

    @Test func noTypeIsNamedAfterNothing() {
        let vague = /\b(struct|class|enum|actor|protocol|typealias)\s+\w*(Manager|Helpers?|Utils?|Coordinator|Impl)\b/
        let words = ["Manager", "Helper", "Util", "Coordinator", "Impl"]
        let found = (Repository.sources + Repository.tests).filter { !$0.isGenerated }
            .flatMap { $0.places(of: vague, with: words) }
        #expect(found.isEmpty, report(found))
    }

    @Test func uncheckedSendabilityHasItsReasonOnTheLineAbove() {
        let found = (Repository.sources + Repository.tests).filter { !$0.isGenerated }.flatMap(Self.unexplained)
        #expect(found.isEmpty, report(found))
    }

    @Test func samplesAreJudgedRight() {
        let impure = Self.sample("let now = Date()\nTask { await x() }\n// Date()\nlet s = \"Task\"\nmutex.lock()")
        #expect(Self.impurities(impure).map { $0.split(separator: ":")[1] } == ["1", "2", "2"])
        let random = Self.sample(
            "Int.random(in: 0..<f(2), using: &rng)\nInt.random(in: 0..<f(2))\nx.shuffled()\ny.shuffled(using: &g)")
        #expect(Self.unseeded(random).map { $0.split(separator: ":")[1] } == ["3", "2"])
        let unsafe = Self.sample("// Why.\nfinal class A: @unchecked Sendable {}\nnonisolated(unsafe) var x = 1")
        #expect(Self.unexplained(unsafe).map { $0.split(separator: ":")[1] } == ["3"])
    }

    @Test func importLinesAreRecognised() {
        let file = Self.sample(
            """
            import TourModel
            @preconcurrency import NIOCore
            package import struct Foundation.URL
            // import Hidden
            let text = "import Quoted"
            @_spi(Test) internal import TourWire
            """)
        #expect(file.imports.map(\.module) == ["TourModel", "NIOCore", "Foundation", "TourWire"])
        #expect(file.imports.map(\.line) == [1, 2, 3, 6])
        #expect(file.imports.map { PureModules.allow($0.module, in: file) } == [true, false, false, true])
    }

    private static func sample(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/TourGossip/Sample.swift", text: text)
    }

    private static func impurities(_ file: SourceFile) -> [String] {
        let words =
            /\bDate\(|\bTask\b|\bFoundation\b|\bimport NIO|\bDispatch\w*|\bMutex\b|\bNSLock\b|\bpthread_\w+|\bactor\b/
        let more =
            /\bawait\b|\basync\b|\w+Clock\.now\b|\b(Continuous|Suspending)Clock\b|\bProcessInfo\b|\bFileManager\b/
        let system = /\bThread\b|\bprint\(|\bgetenv\(|\bu?sleep\(|\bclock_gettime\b|\bfopen\(|\bsocket\(/
        let begun = [
            "Date(", "Task", "Foundation", "import NIO", "Dispatch", "Mutex", "NSLock", "pthread_", "actor", "await",
            "async", "Clock", "ProcessInfo", "FileManager", "Thread", "print(", "getenv(", "sleep(", "clock_gettime",
            "fopen(", "socket(",
        ]
        return file.places(of: words, with: begun) + file.places(of: more, with: begun)
            + file.places(of: system, with: begun)
    }

    /// Randomness without a generator as argument. `TourCrypto` has functions named for it, whose bytes all come from
    /// its one file `Randomness.swift`.
    private static func unseeded(_ file: SourceFile) -> [String] {
        var found = file.places(
            of: /\bSystemRandomNumberGenerator\b|\.shuffled\(\)|\.shuffle\(\)|\.randomElement\(\)/,
            with: ["SystemRandomNumberGenerator", ".shuffle", ".randomElement"])
        found += file.places(
            of: /\barc4random\w*|\bgetrandom\(|\brand\(\)/, with: ["arc4random", "getrandom(", "rand()"])
        if file.name != "Randomness.swift" { found += file.places(of: /\brandombytes\w*/, with: ["randombytes"]) }
        guard file.target != "TourCrypto" else { return found }
        for line in file.lines(with: [".random("]) {
            let end =
                file.code.index(line.offset, offsetBy: 1_000, limitedBy: file.code.count - 1) ?? file.code.count - 1
            let calls = String(decoding: file.code[line.offset..<end], as: UTF8.self)
            for match in line.text.matches(of: /\.random\(/) {
                let call = Self.arguments(in: calls[match.range.upperBound...])
                if !call.contains("using:") { found.append("\(file.path):\(line.number): .random(") }
            }
        }
        return found
    }

    /// The text up to the parenthesis that closes the call.
    private static func arguments(in rest: Substring) -> String {
        var text = ""
        var depth = 1
        for character in rest {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 { break }
            text.append(character)
        }
        return text
    }

    private static func unexplained(_ file: SourceFile) -> [String] {
        file.lines(with: ["@unchecked", "nonisolated(unsafe)"]).compactMap { line in
            guard line.text.contains(/@unchecked\s+Sendable|nonisolated\(unsafe\)/) else { return nil }
            let before = file.text[..<max(0, line.offset - 1)]
            let above = before[(before.lastIndex(of: UInt8(ascii: "\n")) ?? 0)...]
                .drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
            return above.starts(with: "//".utf8) ? nil : "\(file.path):\(line.number): no reason on the line above"
        }
    }
}
