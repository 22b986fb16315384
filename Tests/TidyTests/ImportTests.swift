import Foundation
import Testing

/// Goal: imports point down the layers only.
/// Method: reads the `import` lines of every file in Sources and holds them against `ImportTable`.
struct ImportTests {
    @Test func everyImportIsInTheTable() {
        let wrong = Repository.sources.flatMap { file in
            ImportTable.imports(of: file)
                .filter { !ImportTable.allows($0.module, in: file) }
                .map { "\(file.path):\($0.line): \(file.target) may not import \($0.module)" }
        }
        #expect(wrong.isEmpty, report(wrong))
    }

    @Test func everyTargetIsInTheTable() throws {
        let targets = try Repository.targets()
        let wrong = Set(targets).symmetricDifference(ImportTable.allowed.keys).sorted()
        #expect(wrong.isEmpty, report(wrong.map { "\($0): in Sources or in the table, but not in both" }))
        #expect(!Repository.sources.isEmpty)
    }

    @Test func everyTargetOfTheTableIsInThePackage() throws {
        let manifest = try String(contentsOf: Repository.url("Package.swift"), encoding: .utf8)
            .filter { !$0.isWhitespace }
        let missing = ImportTable.allowed.keys.filter { name in
            !["library(\"\(name)\"", "name:\"\(name)\""].contains { manifest.contains($0) }
        }
        #expect(missing.isEmpty, report(missing.sorted().map { "\($0): no such target in Package.swift" }))
    }

    @Test func importLinesAreRecognised() {
        let text = """
            import TourModel
            @preconcurrency import NIOCore
            package import struct Foundation.URL
            // import Hidden
            let text = "import Quoted"
            @_spi(Test) internal import TourWire
            """
        let file = SourceFile(path: "Sources/TourLink/Sample.swift", text: text)
        let found = ImportTable.imports(of: file)
        #expect(found.map(\.module) == ["TourModel", "NIOCore", "Foundation", "TourWire"])
        #expect(found.map(\.line) == [1, 2, 3, 6])
        #expect(found.map { ImportTable.allows($0.module, in: file) } == [true, false, false, true])
    }
}
