import Foundation
import Testing

/// Goal: types stay small enough to be understood whole, and the folders of a module are parts with an order.
/// Method: reads every file of Sources with `TypeScanner`, adds up the parts of each type, and holds the figures
/// against the caps and their exceptions, which may only become fewer and smaller.
struct TypeCapTests {
    @Test func typesAreSmall() {
        let faults = TypeCap.faults(of: TypeSize.all, exceptions: TypeCap.exceptions)
        #expect(faults.isEmpty, report(faults))
    }

    @Test func foldersFormNoCycle() {
        let faults = FolderCap.faults(of: FolderGraph.all, exceptions: FolderCap.exceptions)
        #expect(faults.isEmpty, report(faults))
    }

    /// A bracket without its counterpart would make the figures of a file wrong.
    @Test func everyFileIsUnderstood() {
        let files = ScannedFile.all.filter { !$0.isBalanced }.map(\.path)
        #expect(files.isEmpty, report(files))
        #expect(TypeSize.all.count > 500 && FolderGraph.all.count > 5)
    }

    /// Prints the ten largest types and the cycles of folders where `TOUR_REPORT` is set.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["TOUR_REPORT"] != nil))
    func largestTypesAndCycles() {
        print("\n lines  stored  files  type")
        for size in TypeSize.all.sorted(by: { $0.lines > $1.lines }).prefix(10) {
            let figures = [(size.lines, 6), (size.properties, 8), (size.files, 7)].map { value, width in
                String(repeating: " ", count: max(0, width - "\(value)".count)) + "\(value)"
            }
            print("\(figures.joined())  \(size.module)/\(size.name)")
        }
        for graph in FolderGraph.all where !graph.cyclic.isEmpty {
            print("\n\(graph.folder): \(graph.cyclic.count) of \(graph.edges.count) edges are parts of cycles")
            for line in graph.lines { print("  \(line)") }
        }
    }
}
