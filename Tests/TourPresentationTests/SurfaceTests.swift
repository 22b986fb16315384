import Foundation
import Testing
import TourPresentation
import TourWords

/// Goal: the page's advice names what is written there, in every language, and a terminal's word where it has nothing.
/// Method: the names are compared with the page's own words.
@Suite struct SurfaceTests {
    /// The page's own words in one language, as the lines of its files.
    private static func words(_ language: Language) throws -> String {
        let folder = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Sources/CPage/page/words")
        return try ["", "-tour"].map { part in
            try String(contentsOf: folder.appendingPathComponent("\(language.rawValue)\(part).js"), encoding: .utf8)
        }.joined()
    }

    private static func label(_ key: String, in words: String) throws -> String {
        let pattern = try Regex("(?:^|[\\s,{])\(key): '([^']*)'", as: (Substring, Substring).self)
        return String(try #require(words.firstMatch(of: pattern)).1)
    }

    @Test(arguments: Language.allCases)
    func thePageNamesActionsByItsOwnLabels(language: Language) throws {
        let words = try Self.words(language)
        for action in UserAction.allCases {
            guard let (key, phrase) = PageSurface.label(of: action) else { continue }
            let label = try Self.label(key, in: words).replacing("{name}", with: "NAME")
            let name = phrase.said(in: language)
            #expect(name.contains(label) && name.count > label.count, "\(action): \(name), not \(label)")
        }
    }

    @Test func whatThePageCannotDoHasItsNameElsewhere() {
        let page = PageSurface(elsewhere: PlainSurface())
        for action in UserAction.allCases {
            let isElsewhere = page.name(of: action) == PlainSurface().name(of: action)
            #expect(isElsewhere == (PageSurface.label(of: action) == nil))
        }
        #expect(page.name(of: .login(.server)).english.contains("login"))
    }

    @Test func allActionsAreListedOnce() {
        #expect(Set(UserAction.allCases).count == UserAction.allCases.count)
        #expect(Set(UserAction.allCases.map { PlainSurface().name(of: $0) }).count == UserAction.allCases.count)
    }
}
