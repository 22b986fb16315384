import Foundation
import Glibc
import Testing

/// Goal: a server on a machine without libcurl names the package, where it needs it, and else serves.
/// Method: the built `tour-server` in a namespace of its own, in which the library's file is empty.
@Suite(
    .enabled(if: ServerProgram.isBuilt, "tour-server is not built"),
    .enabled("no namespaces") {
        try await ChildProcess("/usr/bin/unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).wait() == 0
    })
struct MissingLibraryTests {
    private static let script = """
        for file in /usr/lib/*/libcurl.so.4 /usr/lib/libcurl.so.4; do
            [ ! -e "$file" ] || mount --bind /dev/null "$(readlink -f "$file")" || exit 2
        done
        exec "$@"
        """

    private static func start(_ directory: String, _ more: [String]) throws -> ChildProcess {
        try ChildProcess(
            "/usr/bin/unshare",
            [
                "-rm", "/bin/sh", "-c", script, "sh", ServerProgram.path, "serve", "--listen", "127.0.0.1:0",
                "--data-dir", directory,
            ] + more,
            environment: [
                "TWILIO_ACCOUNT_SID": "AC1", "TWILIO_AUTH_TOKEN": "t", "TWILIO_FROM": "+15005550006",
                "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s",
            ], readsErrors: true)
    }

    @Test(arguments: [
        ["--sms", "twilio"], ["--smtp", "smtp://localhost", "--mail-from", "a@example.org"],
        ["--blobs", "s3://tours", "--blobs-endpoint", "https://localhost"],
        [
            "--issuer", "https://id.example.org", "--jwks", "https://id.example.org/keys", "--audience", "a",
            "--authorized-party", "a",
        ],
    ])
    func whatNeedsItNamesThePackage(options: [String]) async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try Self.start(directory, options)
        let line = try await server.line { $0.contains("libcurl") }
        #expect(line.contains("install the package libcurl4"), "\(line)")
        #expect(try await server.wait() == 1)
    }

    @Test func nothingElseNeedsIt() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let server = try Self.start(directory, [])
        _ = try await server.line { $0.hasPrefix("{") }
        #expect(try await server.end(SIGTERM) == 0)
    }
}
