import Foundation
import NIOCore
import Testing
import TourWeb
import TourWords

/// Goal: the guests' page that is inside the program is its folder, whole, and loads fast where many load it at once.
/// Method: compares the table with the folder's files; adds up what a browser loads at first.
@Suite struct GuestFileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CPage/guest")
    /// Compressed, for a reader of one language.
    private static let bytesMax = 60_000

    private static func filesOfTheFolder() throws -> Set<String> {
        // Folders have no dot in their names; what explains a folder is for its readers.
        Set(
            try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter {
                $0.contains(".") && !$0.hasSuffix(".md")
            })
    }

    @Test func theTableHasEveryFileAndNoOther() throws {
        #expect(try Self.filesOfTheFolder() == Set(GuestFile.all.keys))
    }

    @Test func eachFileIsInsideAsItIs() throws {
        for (path, file) in GuestFile.all {
            let content = try Data(contentsOf: Self.folder.appendingPathComponent(path))
            let isAsItIs = Array(content) == Array(file.content.readableBytesView)
            #expect(isAsItIs, "\(path)")
            #expect(file.mediaType != "application/octet-stream", "\(path)")
        }
        #expect(GuestFile.all["index.html"]?.mediaType == "text/html; charset=utf-8")
    }

    @Test func everyLanguageHasItsWords() {
        for language in Language.allCases {
            #expect(GuestFile.all["words/\(language.rawValue).js"] != nil, "\(language)")
        }
    }

    @Test func theFirstLoadIsSmall() {
        for language in Language.allCases {
            let loaded = GuestFile.all.filter { path, _ in
                !path.hasPrefix("words/") || path == "words/\(language.rawValue).js"
            }
            let bytes = loaded.values.map { ($0.compressed ?? $0.content).readableBytes }.reduce(0, +)
            #expect(bytes <= Self.bytesMax, "\(language): \(bytes) bytes")
        }
    }

    /// A module that the page does not name is asked for only when the one that needs it has come.
    @Test func thePageNamesItsModules() {
        let html = GuestFile.all["index.html"].map { String(buffer: $0.content) } ?? ""
        for path in GuestFile.all.keys where path.hasSuffix(".js") && !path.hasPrefix("words/") {
            #expect(html.contains("\"\(path)\""), "\(path)")
        }
    }

    /// The page has no part of another origin, and its policy allows no script or style within a file.
    @Test func nothingComesFromElsewhere() {
        let html = GuestFile.all["index.html"].map { String(buffer: $0.content) } ?? ""
        #expect(!html.contains("http:") && !html.contains("https:"))
        #expect(!html.contains("<style") && !html.contains("style=") && !html.contains("onload"))
    }
}
