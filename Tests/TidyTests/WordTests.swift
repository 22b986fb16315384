import Testing

/// Goal: pure layers stay pure, and nothing unfinished or trapping is in Sources.
/// Method: searches the code of every file, comments and strings left out, for words that would break the rule.
struct WordTests {
    @Test func pureTargetsHaveNoClockTaskLockFileOrSocket() {
        let found = Repository.sources.filter { ImportTable.pure.contains($0.target) && !$0.isGenerated }
            .flatMap(Self.impurities)
        #expect(found.isEmpty, report(found))
    }

    @Test func pureTargetsDrawNoUnseededRandomness() {
        let found = Repository.sources.filter { ImportTable.pure.contains($0.target) && !$0.isGenerated }
            .flatMap(Self.unseeded)
        #expect(found.isEmpty, report(found))
    }

    @Test func nothingTrapsOnPurposeOrIsUnfinished() {
        let traps = Repository.sources.filter { !$0.isGenerated }.flatMap { $0.places(of: /\bfatalError\(|\btry!/) }
        let unfinished = Repository.sources.flatMap { $0.places(of: /\b(TODO|FIXME|XXX)\b/, in: $0.lines) }
        #expect(traps.isEmpty, report(traps))
        #expect(unfinished.isEmpty, report(unfinished))
    }

    @Test func noTypeIsNamedAfterNothing() {
        let vague = /\b(struct|class|enum|actor|protocol|typealias)\s+\w*(Manager|Helpers?|Utils?|Coordinator|Impl)\b/
        let found = (Repository.sources + Repository.tests).filter { !$0.isGenerated }.flatMap { $0.places(of: vague) }
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

    private static func sample(_ text: String) -> SourceFile {
        SourceFile(path: "Sources/TourGossip/Sample.swift", text: text)
    }

    private static func impurities(_ file: SourceFile) -> [String] {
        let words =
            /\bDate\(|\bTask\b|\bFoundation\b|\bimport NIO|\bDispatch\w*|\bMutex\b|\bNSLock\b|\bpthread_\w+|\bactor\b/
        let more =
            /\bawait\b|\basync\b|\w+Clock\.now\b|\b(Continuous|Suspending)Clock\b|\bProcessInfo\b|\bFileManager\b/
        let system = /\bThread\b|\bprint\(|\bgetenv\(|\bu?sleep\(|\bclock_gettime\b|\bfopen\(|\bsocket\(/
        return file.places(of: words) + file.places(of: more) + file.places(of: system)
    }

    /// Randomness without a generator as argument. `TourCrypto` has functions named for it, whose bytes all come from
    /// its one file `Randomness.swift`.
    private static func unseeded(_ file: SourceFile) -> [String] {
        var found = file.places(of: /\bSystemRandomNumberGenerator\b|\.shuffled\(\)|\.shuffle\(\)|\.randomElement\(\)/)
        found += file.places(of: /\barc4random\w*|\bgetrandom\(|\brand\(\)/)
        if file.name != "Randomness.swift" { found += file.places(of: /\brandombytes\w*/) }
        guard file.target != "TourCrypto" else { return found }
        for (index, line) in file.codeLines.enumerated() {
            for match in line.matches(of: /\.random\(/) {
                let rest = [String(line[match.range.upperBound...])] + file.codeLines[(index + 1)...]
                let call = Self.arguments(in: rest)
                if !call.contains("using:") { found.append("\(file.path):\(index + 1): .random(") }
            }
        }
        return found
    }

    /// The text up to the parenthesis that closes the call.
    private static func arguments(in lines: some Sequence<String>) -> String {
        var text = ""
        var depth = 1
        for character in lines.lazy.prefix(8).joined(separator: "\n") {
            if character == "(" { depth += 1 }
            if character == ")" { depth -= 1 }
            if depth == 0 { break }
            text.append(character)
        }
        return text
    }

    private static func unexplained(_ file: SourceFile) -> [String] {
        file.codeLines.enumerated().compactMap { index, line in
            guard line.contains("unchecked") || line.contains("unsafe"),
                line.contains(/@unchecked\s+Sendable|nonisolated\(unsafe\)/)
            else { return nil }
            let above = index > 0 ? file.lines[index - 1].drop { $0 == " " } : ""
            return above.hasPrefix("//") ? nil : "\(file.path):\(index + 1): no reason on the line above"
        }
    }
}
