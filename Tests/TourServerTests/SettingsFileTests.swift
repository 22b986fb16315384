import Foundation
import ServerBase
import Testing

/// Goal: a settings file says what a command line would, and whatever is wrong in it is told with its line.
/// Method: files with each fault; the built `tour-server` reads one as an operator runs it.
struct SettingsFileTests {
    private static let options: [String: SettingsFile.Kind] = [
        "listen": .option, "sms-per-day": .option, "host-name": .options, "behind-proxy": .flag, "data-dir": .option,
    ]

    private static func file(_ text: String, mode: UInt32 = 0o100_640) throws(SettingsFileError) -> SettingsFile {
        try SettingsFile(Array(text.utf8), mode: mode, path: "f.toml", options: options)
    }

    private static func faults(_ text: String, mode: UInt32 = 0o100_640) -> [SettingsFileError.Fault] {
        do throws(SettingsFileError) { _ = try file(text, mode: mode) } catch { return error.faults }
        return []
    }

    @Test func settingsBecomeArguments() throws {
        let file = try Self.file(
            """
            # a remark
            listen = "0.0.0.0:8443"
            sms-per-day = 500
            host-name = ["a", "b"]
            behind-proxy = true
            smtp-password = "p # w"
            """)
        let all = Set(Self.options.keys)
        #expect(
            file.arguments(for: all, given: []) == [
                "--listen=0.0.0.0:8443", "--sms-per-day=500", "--host-name=a", "--host-name=b", "--behind-proxy",
            ])
        #expect(file.arguments(for: ["host-name", "listen"], given: ["host-name"]) == ["--listen=0.0.0.0:8443"])
        #expect(file.environment.map(\.name) == ["SMTP_PASSWORD"])
        #expect(file.environment.map(\.value) == ["p # w"])
        #expect(file.count == 5)
        #expect(file.places(namedIn: "--listen wants HOST:PORT", given: []) == ["--listen (line 2)"])
        #expect(file.places(namedIn: "--listen wants HOST:PORT", given: ["listen"]) == [])
        #expect(file.places(namedIn: "smtp-password wants more", given: []) == ["smtp-password (line 6)"])
    }

    @Test(arguments: [#"host-name = "a, b""#, #"host-name = ["a", "b",]"#])
    func listsMayHaveCommasOnly(text: String) throws {
        #expect(try Self.file(text).arguments(for: ["host-name"], given: []) == ["--host-name=a", "--host-name=b"])
    }

    @Test func aFlagThatIsOffIsNone() throws {
        #expect(try Self.file("behind-proxy = false").arguments(for: ["behind-proxy"], given: []) == [])
    }

    @Test func eachFaultHasItsLine() {
        let text = """
            listen = 8.5
            liste = "x"
            host_name = "x"
            what is this
            listen = "x"
            behind-proxy = "true"
            host-name = 7
            [server]
            data-dir = "x"
            """
        #expect(
            Self.faults(text) == [
                .wrongType(line: 1, key: "listen", kind: .option),
                .unknownKey(line: 2, key: "liste", nearest: "listen"),
                .unknownKey(line: 3, key: "host_name", nearest: "host-name"), .notASetting(line: 4),
                .twice(line: 5, key: "listen", first: 1), .wrongType(line: 6, key: "behind-proxy", kind: .flag),
                .wrongType(line: 7, key: "host-name", kind: .options), .section(line: 9, name: "server"),
            ])
    }

    @Test(arguments: [UInt32(0o100_644), 0o100_604, 0o100_602])
    func aSecretIsForFew(mode: UInt32) {
        let text = "listen = \"x\"\ntwilio-auth-token = \"secret\""
        // One that others may write is refused whatever is in it.
        let whole: [SettingsFileError.Fault] = mode & 0o002 == 0 ? [] : [.openToWriters]
        let secret = SettingsFileError.Fault.openSecret(line: 2, key: "twilio-auth-token")
        let found = Self.faults(text, mode: mode)
        var expected = whole
        expected.append(secret)
        #expect(found == expected)
        let plain = Self.faults("listen = \"x\"", mode: mode)
        #expect(plain == whole)
        #expect(Self.faults(text, mode: 0o100_640) == [])
        do throws(SettingsFileError) { _ = try Self.file(text, mode: mode) } catch {
            #expect(error.description.contains("line 2") && error.description.contains("chmod o-rwx f.toml"))
            #expect(!error.description.contains("\"secret\""))
        }
    }

    @Test func whatIsNoFileIsRefused() {
        for (path, fault) in [("/nowhere/f", SettingsFileError.Fault.noFile(2)), ("/", .noFile(22))] {
            do throws(SettingsFileError) {
                _ = try SettingsFile(path: path, options: Self.options)
                Issue.record("\(path) was read")
            } catch {
                #expect(error.faults == [fault])
            }
        }
    }

    @Test(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
    func theProgramReadsIt() async throws {
        let place = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: place) }
        let path = place + "/f.toml"
        func run(_ text: String, _ words: String...) async throws -> (text: String, status: Int32) {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            let process = try ChildProcess(ServerProgram.path, words, readsErrors: true)
            var lines = [String]()
            while let line = try? await process.line(where: { _ in true }) { lines.append(line) }
            return (lines.joined(separator: "\n"), try await process.wait())
        }
        let good = "listen = \"127.0.0.1:0\"\nhost-name = [\"a\", \"b\"]\nbehind-proxy = true\nsms-per-day = 9\n"
        let checked = try await run(good, "config", "check", path)
        #expect(checked.status == 0 && checked.text.contains("settings: 4"))
        let unknown = try await run("listen = \"127.0.0.1:0\"\nlisten-to = \"x\"", "config", "check", path)
        #expect(unknown.status == 78 && unknown.text.contains("line 2") && unknown.text.contains("listen-to"))
        let refused = try await run("sms = \"pigeon\"", "serve", "--config", path)
        #expect(refused.status == 64 && refused.text.contains("--sms (line 1)"))
        // The command line's own counts: were it the file's, the complaint would be about that.
        let mine = try await run("sms = \"log\"", "serve", "--config=" + path, "--sms", "pigeon")
        #expect(mine.status == 64 && !mine.text.contains("(line"))
        // Other commands take the place of the data, and leave what is for `serve` alone.
        let away = try await run(
            "data-dir = \"\(place)/none\"\nsms = \"log\"", "admin", "accounts", "--config", path)
        #expect(away.status == 1 && away.text.contains("\(place)/none"))
    }
}
