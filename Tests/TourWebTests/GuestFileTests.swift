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
    private static let bytesMax = 88_000
    /// What https gives, for a reader of one language, and without the pictures of the icon.
    private static let laterBytesMax = 9_000

    /// What a browser asks for once a device is in reach, and https with it.
    private static func isLater(_ path: String) -> Bool {
        path.hasPrefix("later/") || path == GuestFile.worker || path.hasSuffix(".png") || path.hasSuffix(".webmanifest")
    }

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
            let content = Array(try Data(contentsOf: Self.folder.appendingPathComponent(path)))
            let inside = Array(file.content.readableBytesView)
            let isAsItIs = path == GuestFile.worker ? Array(inside.suffix(content.count)) == content : inside == content
            #expect(isAsItIs, "\(path)")
            #expect(file.mediaType != "application/octet-stream", "\(path)")
        }
        #expect(GuestFile.all["index.html"]?.mediaType == "text/html; charset=utf-8")
    }

    @Test func everyLanguageHasItsWords() {
        for language in Language.allCases {
            #expect(GuestFile.all["words/\(language.rawValue).js"] != nil, "\(language)")
            #expect(GuestFile.all["later/words/\(language.rawValue).js"] != nil, "\(language)")
        }
    }

    @Test func theFirstLoadIsSmall() {
        for language in Language.allCases {
            let first = Self.bytes(for: language) { !Self.isLater($0) }
            #expect(first <= Self.bytesMax, "\(language): \(first) bytes")
            let later = Self.bytes(for: language) { Self.isLater($0) && !$0.hasSuffix(".png") }
            #expect(later <= Self.laterBytesMax, "\(language): \(later) bytes")
        }
    }

    private static func bytes(for language: Language, _ isMeant: (String) -> Bool) -> Int {
        GuestFile.all.filter { path, _ in
            isMeant(path) && (!path.contains("words/") || path.hasSuffix("words/\(language.rawValue).js"))
        }.values.map { ($0.compressed ?? $0.content).readableBytes }.reduce(0, +)
    }

    /// What the worker keeps is the page of one version, whole: another file of it is another worker.
    @Test func theWorkerKnowsEveryFile() throws {
        let worker = try #require(GuestFile.all[GuestFile.worker]).content
        let head = String(buffer: worker).prefix { $0 != "\n" }
        #expect(head.firstMatch(of: /^const VERSION = '[0-9a-f]+', FILES = \[/) != nil)
        let named = head.matches(of: /'\/([^']*)'/).map { String($0.1) }
        let files = Set(GuestFile.all.keys).subtracting([GuestFile.worker, "index.html"]).union([""])
        #expect(Set(named) == files && named.count == files.count)
    }

    /// The manifest's icons are there, as large as it says.
    @Test func theManifestIsWhole() throws {
        let file = try #require(GuestFile.all["manifest.webmanifest"])
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(file.content.readableBytesView))
        #expect(manifest.start_url == "/" && manifest.scope == "/" && manifest.display == "standalone")
        #expect(manifest.icons.contains { $0.sizes == "192x192" } && manifest.icons.contains { $0.sizes == "512x512" })
        for icon in manifest.icons {
            let picture = Array(try #require(GuestFile.all[icon.src]).content.readableBytesView)
            // Source: PNG, "IHDR".
            let sides = [16, 20].map { picture[$0..<$0 + 4].reduce(0) { $0 << 8 | Int($1) } }
            #expect(icon.sizes == "\(sides[0])x\(sides[1])" && icon.type == "image/png")
        }
    }

    private struct Manifest: Decodable {
        struct Icon: Decodable { let src, sizes, type: String }
        let start_url, scope, display: String
        let icons: [Icon]
    }

    /// A module that the page does not name is asked for only when the one that needs it has come.
    @Test func thePageNamesItsModules() {
        let html = GuestFile.all["index.html"].map { String(buffer: $0.content) } ?? ""
        for path in GuestFile.all.keys where path.hasSuffix(".js") && !path.hasPrefix("words/") && !Self.isLater(path) {
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
