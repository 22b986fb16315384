import Foundation
import Glibc
import Testing

/// A certificate of its own issue, in two files.
struct TestCertificate {
    let certificate: String
    let key: String

    /// Makes it, or another one in the same files.
    init(_ directory: String, named name: String) async throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        certificate = directory + "/cert.pem"
        key = directory + "/key.pem"
        let openssl = try ChildProcess(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-out", certificate, "-keyout", key,
            ])
        #expect(try await openssl.wait() == 0)
    }

    /// The name in the certificate that a server on this port shows.
    static func shown(_ port: Int) async throws -> String {
        let client = try ChildProcess(
            "/bin/sh",
            ["-c", "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>&1 | openssl x509 -noout -subject"])
        let line = try await client.line { $0.hasPrefix("subject") }
        _ = try await client.wait()
        return line.split(separator: "=").last.map { $0.filter { !$0.isWhitespace } } ?? ""
    }
}

/// Goal: a certificate that was renewed is shown without a restart, and SIGHUP ends nothing.
/// Method: the built `tour-server`; openssl makes certificates and looks at the one that is shown.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct CertificateTests {
    @Test func renewedCertificateIsShownWithoutARestart() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let files = try await TestCertificate(directory, named: "first")
        let server = try ChildProcess(
            ServerProgram.path,
            [
                "serve", "--listen", "127.0.0.1:0", "--data-dir", directory + "/data", "--tls-certificate",
                files.certificate, "--tls-key", files.key,
            ], readsErrors: true)
        let ready = try await server.line { $0.hasPrefix("{") }
        let port = try #require(ready.firstMatch(of: /"port":(\d+)/).flatMap { Int($0.1) })
        #expect(try await TestCertificate.shown(port) == "first")
        // Half of another one: as long as the two do not belong together.
        let held = try String(contentsOfFile: files.key, encoding: .utf8)
        _ = try await TestCertificate(directory, named: "second")
        let fresh = try String(contentsOfFile: files.key, encoding: .utf8)
        try held.write(toFile: files.key, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        _ = try await server.line { $0.contains("the one before is shown") }
        #expect(try await TestCertificate.shown(port) == "first")
        try fresh.write(toFile: files.key, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        _ = try await server.line { $0.contains("another certificate is shown from now on") }
        #expect(try await TestCertificate.shown(port) == "second")
        #expect(try await server.end(SIGTERM) == 0)
    }

    @Test func hangupEndsNoServerWithoutACertificate() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let (server, port) = try await ProcessTests.start(directory)
        for _ in 0..<3 { server.signal(SIGHUP) }
        #expect(try await server.end(SIGTERM) == 0)
        #expect(port > 0)
    }
}
