import Foundation
import FuzzSupport
import NodeHarnesses
import Testing

/// Goal: what once brought a node down, or its reading of a server's answers, does so no more.
/// Method: plays what is kept of the fuzzer's inputs for the harnesses with a node, in the build of the tests; an input
/// that breaks a property ends the process with words.
@Suite(.serialized) struct KeptInputTests {
    private static let corpus = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../Fuzz/Corpus").standardizedFileURL

    @Test(arguments: NodeTarget.allCases) func keptInputsBreakNothing(_ target: NodeTarget) throws {
        let folder = Self.corpus.appending(path: target.rawValue)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(!names.isEmpty)
        for name in names {
            print("\(target.rawValue)/\(name)")
            target.run(try Array(Data(contentsOf: folder.appending(path: name))))
        }
    }
}
