import Glibc
import Testing
import TourDesktop
import TourModel

/// Goal: whatever path the program has, the desktop starts it with that path and the link, and nothing else. Method:
/// the line is read back by the rules of the specification.
@Suite struct DesktopEntryTests {
    private static let comment = DesktopEntry.Comment(plain: "Chat \\ walk", translations: [("de", "Reden")])

    private static func value(_ key: String, _ entry: DesktopEntry) -> String? {
        entry.text.split(separator: "\n").first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
    }

    /// The words that a desktop starts: escapes of the value, then quotes, then field codes.
    private static func words(_ value: String) -> [String] {
        let exec = value.replacing("\\\\", with: "\\")
        var words: [String] = []
        var word = ""
        var isQuoted = false
        var isEscaped = false
        for letter in exec {
            switch letter {
            case _ where isEscaped:
                word.append(letter)
                isEscaped = false
            case "\\" where isQuoted: isEscaped = true
            case "\"": isQuoted.toggle()
            case " " where !isQuoted:
                words.append(word)
                word = ""
            default: word.append(letter)
            }
        }
        return (words + [word]).map { $0 == "%u" ? "URL" : $0.replacing("%%", with: "%") }
    }

    @Test(arguments: [
        "/usr/bin/tour-chat", "/home/me/My Programs/tour-chat", "/opt/a\"b`c$d\\e/tour-chat", "/opt/50 off;&|(*?)/x",
        "/home/günther/旅/tour-chat", "/a'b<c>~#/t",
    ])
    func commands(program: String) throws {
        let command = [program, "page", "--data-dir", "/home/me/.tour 50%u data"]
        let entry = try DesktopEntry(command: command, comment: Self.comment)
        #expect(Self.words(try #require(Self.value("Exec", entry))) == command + ["URL"])
        #expect(Self.value("MimeType", entry) == "x-scheme-handler/tour-chat;")
        #expect(Self.value("Comment", entry) == "Chat \\\\ walk" && Self.value("Comment[de]", entry) == "Reden")
        #expect(Self.value("Terminal", entry) == "false" && entry.text.hasPrefix("[Desktop Entry]\n"))
    }

    @Test(arguments: [
        ["tour-chat"], [], ["/opt/a=b/tour-chat"], ["/opt/50%/tour-chat"], ["/opt/a\nExec=sh/t"],
        ["/t", "--data-dir", "a\u{7F}"],
    ])
    func refusals(command: [String]) {
        #expect(throws: DesktopError.badPath) { try DesktopEntry(command: command, comment: Self.comment) }
    }

    @Test func everyErrorHasACode() {
        let errors: [DesktopError] = [.badPath, .noHome, .failed(path: "/x", reason: "no room")]
        #expect(Set(errors.map(\.code)).count == errors.count)
        #expect(errors.allSatisfy { $0.scope == .record })
    }

    @Test func filesComeAndGo() async throws {
        var template = Array("/tmp/tour-desktop-XXXXXX".utf8CString)
        let home = String(cString: try #require(mkdtemp(&template)))
        let files = DesktopFiles(dataHome: home + "/share")
        #expect(try await files.remove() == false)
        let entry = try DesktopEntry(command: ["/usr/bin/tour-chat", "page"], comment: Self.comment)
        try files.write(entry)
        try files.write(entry)
        #expect(access(files.entry, R_OK) == 0 && access(files.icon, R_OK) == 0)
        #expect(try await files.remove())
        #expect(access(files.entry, F_OK) != 0 && access(files.icon, F_OK) != 0)
        for path in ["applications/mimeinfo.cache", "applications"] { remove("\(home)/share/\(path)") }
        for path in ["icons/hicolor/scalable/apps", "icons/hicolor/scalable", "icons/hicolor", "icons", ""] {
            rmdir("\(home)/share/\(path)")
        }
        rmdir(home)
    }

    @Test func aHomeThatTakesNothingIsNamed() async throws {
        let files = DesktopFiles(dataHome: "/dev/null/share")
        let entry = try DesktopEntry(command: ["/usr/bin/tour-chat", "page"], comment: Self.comment)
        #expect(throws: DesktopError.self) { try files.write(entry) }
        #expect(try await files.remove() == false)
    }
}
