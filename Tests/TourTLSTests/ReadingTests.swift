import Foundation
import Testing
import TourTLS

/// Goal: what stunnel says is read whole or not at all, and files that do not belong together are told apart.
/// Method: tables of lines; certificates by openssl.
@Suite struct ReadingTests {
    @Test func aProxyLineIsReadWholeOrNotAtAll() {
        let line = "PROXY TCP4 127.0.0.1 127.0.0.2 51120 46745\r\n"
        guard case .whole(let read, let bytes) = ProxyLine.read(Array((line + "GET /").utf8)) else {
            Issue.record("it is not read")
            return
        }
        #expect(bytes == line.utf8.count && read.source == "127.0.0.1" && read.target == "127.0.0.2")
        #expect(read.sourcePort == 51_120 && read.targetPort == 46_745)
        for count in 0..<line.utf8.count {
            #expect(ProxyLine.read(Array(line.utf8.prefix(count))) == .incomplete, "\(count)")
        }
        let address = String(repeating: "ffff:", count: 7) + "ffff"
        let longest = "PROXY TCP6 \(address) \(address) 65535 65535\r\n"
        #expect(longest.utf8.count <= ProxyLine.bytesMax)
        if case .whole = ProxyLine.read(Array(longest.utf8)) {} else { Issue.record("the longest is not read") }
        for wrong in [
            "X", "PROXI", "PROXY\r\n", "PROXY UNKNOWN\r\n", "PROXY TCP4 127.0.0.1 127.0.0.1 1\r\n",
            "PROXY TCP4 127.0.0.1 127.0.0.1 1 2 3\r\n", "PROXY TCP4  127.0.0.1 127.0.0.1 1 2\r\n",
            "PROXY TCP4 127.0.0.1 127.0.0.1 0 2\r\n", "PROXY TCP4 127.0.0.1 127.0.0.1 01 2\r\n",
            "PROXY TCP4 127.0.0.1 127.0.0.1 65536 2\r\n", "PROXY TCP4 127.0.0.1 127.0.0.1 +1 2\r\n",
            "PROXY TCP4 127.0.0.1 127.0.0.1 \u{0661} 2\r\n", "PROXY TCP4 127.0.0.256 127.0.0.1 1 2\r\n",
            "PROXY TCP6 127.0.0.1 127.0.0.1 1 2\r\n", "PROXY TCP4 ::1 ::1 1 2\r\n",
            "PROXY tcp4 127.0.0.1 127.0.0.1 1 2\r\n",
            "PROXY TCP4 127.0.0.1\0 127.0.0.1 1 2\r\n", "PROXY TCP4 127.0.0.1 127.0.0.1 1 2\n\r\n",
            "PROXY " + String(repeating: "x", count: 200),
        ] {
            #expect(ProxyLine.read(Array(wrong.utf8)) == .malformed, "\(wrong)")
        }
    }

    @Test func aLineOfTheLogIsAComplaintOrNot() {
        for (line, isComplaint, isOfConnection, words) in [
            ("2026.11.28 22:39:26 LOG5[ui]: Configuration successful", false, false, "Configuration successful"),
            (
                "2026.11.28 22:39:26 LOG3[ui]: No trusted certificates found", false, false,
                "No trusted certificates found"
            ),
            ("2026.11.28 22:39:26 LOG3[ui]: Configuration failed", true, false, "Configuration failed"),
            (
                "2026.11.28 22:39:26 LOG3[17]: SSL_accept: unsupported protocol", true, true,
                "SSL_accept: unsupported protocol"
            ),
            ("[!] Invalid configuration file name", true, false, "Invalid configuration file name"),
            ("[ ] Clients allowed=9765", false, false, "Clients allowed=9765"), ("", false, false, ""),
        ] {
            let read = StunnelLine(line)
            #expect(read.isComplaint == isComplaint && read.isOfConnection == isOfConnection, "\(line)")
            #expect(read.words == words)
        }
    }

    private static func fault(_ files: Certificates, _ certificate: String, _ key: String) -> CertificatePairFault? {
        do throws(CertificatePairFault) {
            _ = try files.pair(certificate, key)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsWrongWithFilesIsTold() throws {
        let files = try Certificates().issue("a.test").issue("b.test").issue("weak.test", key: ["rsa:1024"])
        let good = try files.pair("a.test.pem", "a.test.key")
        #expect(good.names == ["a.test"] && good.term.upperBound - good.term.lowerBound == 2 * 86_400)
        func text(_ name: String) throws -> String { try String(contentsOfFile: files.path(name), encoding: .utf8) }
        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: files.path(name), atomically: true, encoding: .utf8)
        }
        let (certificate, key) = (try text("a.test.pem"), try text("a.test.key"))
        // Both in one file, with words around them.
        try write("words\n\(key)\n\(certificate)", "both")
        #expect(try files.pair("both", "both") == good)
        #expect(try files.pair("a.test.pem", "both") == good)
        // The order of a chain: the certificate itself first.
        try write(certificate + (try text("b.test.pem")), "chain")
        #expect(try files.pair("chain", "a.test.key").names == ["a.test"])
        try write(try text("b.test.pem") + certificate, "turned")
        #expect(Self.fault(files, "turned", "a.test.key") == .mismatch)
        // Half of a file, while another one is written.
        try write(String(certificate.prefix(300)), "half")
        #expect(Self.fault(files, "half", "a.test.key") == .noCertificate(files.path("half")))
        try write(certificate + certificate.prefix(300), "more")
        #expect(Self.fault(files, "more", "a.test.key") == .noCertificate(files.path("more")))
        try write(String(key.prefix(100)), "halfkey")
        #expect(Self.fault(files, "a.test.pem", "halfkey") == .noKey(files.path("halfkey")))
        try files.openssl(
            ["ec", "-in", files.path("a.test.key"), "-aes256", "-passout", "pass:secret", "-out", files.path("locked")])
        #expect(Self.fault(files, "a.test.pem", "locked") == .noKey(files.path("locked")))
        #expect(Self.fault(files, "a.test.pem", "b.test.key") == .mismatch)
        #expect(Self.fault(files, "weak.test.pem", "weak.test.key") == .weak)
        #expect(Self.fault(files, "none", "a.test.key") == .unreadable(files.path("none")))
        #expect(Self.fault(files, "a.test.pem", "none") == .unreadable(files.path("none")))
        try write(String(repeating: certificate, count: 17), "endless")
        #expect(Self.fault(files, "endless", "a.test.key") == .noCertificate(files.path("endless")))
    }
}
