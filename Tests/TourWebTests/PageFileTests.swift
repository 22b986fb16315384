import Foundation
import NIOCore
import Testing
import TourWeb
import TourWords

/// Goal: the page that is inside the program is the page's folder, whole, and stays small.
/// Method: compares the table with the folder's files.
@Suite struct PageFileTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/CPage/page")
    /// As it is written, for a reader of one language, without the handbook; on its way it takes a third of that. It
    /// was 240,000 before guests: their part takes 5,600 in Arabic, whose letters have two bytes each.
    private static let bytesMax = 280_000

    private static func filesOfTheFolder() throws -> Set<String> {
        // Folders have no dot in their names.
        Set(try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.contains(".") })
    }

    @Test func theTableHasEveryFileAndNoOther() throws {
        #expect(try Self.filesOfTheFolder() == Set(PageFile.all.keys))
    }

    @Test func eachFileIsInsideAsItIs() throws {
        for (path, file) in PageFile.all {
            let content = try Data(contentsOf: Self.folder.appendingPathComponent(path))
            let isAsItIs = Array(content) == Array(file.content.readableBytesView)
            #expect(isAsItIs, "\(path)")
            #expect(file.mediaType != "application/octet-stream", "\(path)")
        }
        #expect(PageFile.all["index.html"]?.mediaType == "text/html; charset=utf-8")
        #expect(PageFile.all["app.js"]?.mediaType == "text/javascript; charset=utf-8")
        #expect(PageFile.all["style.css"]?.mediaType == "text/css; charset=utf-8")
        #expect(PageFile.all["icon.svg"]?.mediaType == "image/svg+xml")
    }

    @Test func tagsTellContentsApart() {
        let contents = Set(PageFile.all.values.map { Array($0.content.readableBytesView) })
        #expect(Set(PageFile.all.values.map(\.tag)).count == contents.count)
    }

    @Test func thePageIsSmall() {
        for language in Language.allCases {
            let fetched = PageFile.all.filter { path, _ in
                !path.hasPrefix("handbook.")
                    && (!path.hasPrefix("words/") || path.hasPrefix("words/" + language.rawValue))
            }
            let bytes = fetched.values.map(\.content.readableBytes).reduce(0, +)
            #expect(bytes < Self.bytesMax, "\(language): \(bytes) bytes")
        }
    }
}
