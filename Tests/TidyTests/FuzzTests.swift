import Foundation
import Testing

/// Goal: the fuzzer has kept inputs for each of its targets, few and small, and sees only what it is to feed.
/// Method: holds the names in CoreTarget.swift and NodeTarget.swift against the folders of Corpus; counts files and
/// bytes; reads imports.
struct FuzzTests {
    private static let corpus = "Tests/Fuzz/Corpus"
    private static let filesMax = 100
    private static let fileBytesMax = 4_096
    private static let bytesMax = 1 << 20

    @Test func everyTargetHasItsCorpusAndEveryCorpusItsTarget() throws {
        let node = try Self.targets("Node/NodeTarget.swift")
        let targets = try Self.targets("Core/CoreTarget.swift") + node
        #expect(!targets.isEmpty)
        #expect(try Set(targets) == Set(Self.entries(Self.corpus)))
        for target in targets {
            #expect(try !Self.entries("\(Self.corpus)/\(target)").isEmpty, "\(target): nothing is kept")
        }
        let script = try String(contentsOf: Repository.url("Scripts/fuzz"), encoding: .utf8)
        #expect(script.contains("node_targets=(\(node.sorted().joined(separator: " ")))"))
    }

    @Test func corporaAreSmall() throws {
        var total = 0
        for target in try Self.entries(Self.corpus) {
            let files = try Self.entries("\(Self.corpus)/\(target)")
            #expect(files.count <= Self.filesMax, "\(target): \(files.count) files")
            for name in files {
                let size = try Data(contentsOf: Repository.url("\(Self.corpus)/\(target)/\(name)")).count
                #expect(size <= Self.fileBytesMax, "\(target)/\(name): \(size) bytes")
                total += size
            }
        }
        #expect(total < Self.bytesMax, "\(total) bytes")
    }

    @Test func theFuzzerImportsWhatItFeedsOnly() {
        let platform: Set = ["Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization"]
        let shells: Set = [
            "TourStore", "TourCurl", "TourMailbox", "TourNode", "TourWeb", "GRDB", "Logging", "NIOHTTP1",
        ]
        let allowed = PureModules.names.subtracting(["TourSimulator"]).union(shells).union(platform)
            .union(["CSodium", "CSanitizer", "FuzzDriver", "FuzzSupport", "NodeHarnesses"])
        let files = Repository.tests.filter { $0.target == "Fuzz" }
        let wrong = files.flatMap { file in
            file.imports.filter { !allowed.contains($0.module) }
                .map { "\(file.path):\($0.line): \($0.module)" }
        }
        #expect(!files.isEmpty)
        #expect(wrong.isEmpty, report(wrong))
    }

    private static func targets(_ name: String) throws -> [String] {
        try #require(SourceFile(path: "Tests/Fuzz/\(name)")).lines(with: ["case "], in: \.text).compactMap {
            line -> String? in
            guard let match = line.text.wholeMatch(of: /\s+case (\w+)(?: = "([a-z-]+)")?/) else { return nil }
            return String(match.output.2 ?? match.output.1)
        }
    }

    private static func entries(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: Repository.url(folder).path)
            .filter { !$0.hasPrefix(".") }.sorted()
    }
}
