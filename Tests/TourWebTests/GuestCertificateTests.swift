import Foundation
import Testing
import TourNode
import TourPresentation
import TourWeb
import TourWords

/// Goal: with sound files a link has a name that browsers find in the certificate; of others it is said what is wrong
/// and what to do; a renewed certificate is taken, and half of one is not.
/// Method: tables of names; certificates by openssl in a folder of the test's own.
@Suite struct GuestCertificateTests {
    @Test func aLinkHasTheFirstNameThatIsNoWildcard() throws {
        for (names, wanted, chosen) in [
            (["guide.tours.test"], nil, "guide.tours.test"), (["*.tours.test", "Tours.Test"], nil, "tours.test"),
            (["a.test", "b.test"], "B.test", "b.test"), (["*.tours.test"], "guide.tours.test", "guide.tours.test"),
            (["bad name.test", "-", "x..test", "10.1.1.1.test"], nil, "10.1.1.1.test"),
        ] as [([String], String?, String)] {
            #expect(try CertificateNames(names).chosen(wanted) == chosen)
        }
        for (names, wanted, fault) in [
            ([], nil, .noName(wildcards: [])), (["localhost"], nil, .noName(wildcards: [])),
            (["*.tours.test"], nil, .noName(wildcards: ["*.tours.test"])),
            (["*.tours.test"], "a.b.tours.test", .otherName("a.b.tours.test", known: ["*.tours.test"])),
            (["*.tours.test"], "tours.test", .otherName("tours.test", known: ["*.tours.test"])),
            (["*.tours.test"], "*.tours.test", .otherName("*.tours.test", known: ["*.tours.test"])),
            (["a.test"], "b.test", .otherName("b.test", known: ["a.test"])),
            (["a.test"], "a.test/evil", .otherName("a.test/evil", known: ["a.test"])),
        ] as [([String], String?, CertificateFault)] {
            #expect(throws: fault) { try CertificateNames(names).chosen(wanted) }
        }
    }

    @Test func aWildcardStandsForOneLabel() {
        let names = CertificateNames(["*.tours.test", "guide.test"])
        for (host, isCovered) in [
            ("a.tours.test", true), ("A.Tours.TEST", true), ("tours.test", false), ("a.b.tours.test", false),
            ("guide.test", true), ("x.guide.test", false), ("", false), (".tours.test", false), ("evil.example", false),
        ] {
            #expect(names.covers(host) == isCovered, "\(host)")
        }
    }

    @Test func everyFaultSaysWhatToDo() {
        let faults: [CertificateFault] = [
            .unreadable("/x.pem"), .noCertificate("/x.pem"), .noKey("/x.pem"), .mismatch, .weak, .noStunnel,
            .noName(wildcards: []),
            .noName(wildcards: ["*.x.test"]), .otherName("a.test", known: ["b.test"]), .expired(0), .notYet(0),
        ]
        let words = faults.map { $0.phrase(on: PlainSurface()).english }
        #expect(Set(faults.map(\.code)).count == 10 && Set(words).count == 11)
        for word in words { #expect(word.contains(":"), "\(word)") }
    }

    // MARK: - Files

    /// A folder with certificates.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("tour-tls-\(UUID().uuidString)")

        init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false) }

        deinit { try? FileManager.default.removeItem(at: url) }

        func path(_ name: String) -> String { url.appendingPathComponent(name).path }

        static let ec = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]

        /// Makes a certificate and its key, also in place of those before.
        func issue(_ names: [String], called: String = "door", key: [String] = ec) throws -> GuestsTLS {
            let files = GuestsTLS(certificate: path("\(called).pem"), key: path("\(called).key"))
            let alternatives = names.map { "DNS:\($0)" }.joined(separator: ",")
            let openssl = Process()
            openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            openssl.arguments =
                [
                    "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=door", "-out", files.certificate, "-keyout",
                    files.key, "-newkey",
                ] + key + (names.isEmpty ? [] : ["-addext", "subjectAltName=\(alternatives)"])
            openssl.standardError = FileHandle.nullDevice
            try openssl.run()
            openssl.waitUntilExit()
            try #require(openssl.terminationStatus == 0)
            return files
        }
    }

    private static func fault(_ files: GuestsTLS) -> CertificateFault? {
        do {
            _ = try GuestCertificate(files)
            return nil
        } catch {
            return error
        }
    }

    @Test func whatIsWrongWithFilesIsSaid() throws {
        let folder = try Folder()
        let files = try folder.issue(["guide.tours.test"])
        let other = try folder.issue(["guide.tours.test"], called: "other")
        let bare = try folder.issue([], called: "bare")
        func with(_ certificate: String, _ key: String) -> GuestsTLS { GuestsTLS(certificate: certificate, key: key) }
        #expect(Self.fault(files) == nil)
        #expect(Self.fault(with(folder.path("none"), files.key)) == .unreadable(folder.path("none")))
        #expect(Self.fault(with(files.certificate, folder.path("none"))) == .unreadable(folder.path("none")))
        #expect(Self.fault(with(folder.url.path, files.key)) == .unreadable(folder.url.path))
        #expect(Self.fault(with(files.key, files.key)) == .noCertificate(files.key))
        #expect(Self.fault(with(files.certificate, files.certificate)) == .noKey(files.certificate))
        #expect(Self.fault(with(files.certificate, other.key)) == .mismatch)
        #expect(Self.fault(bare) == .noName(wildcards: []))
        let weak = try folder.issue(["weak.test"], called: "weak", key: ["rsa:1024"])
        #expect(Self.fault(weak) == .weak)
        try Data().write(to: folder.url.appendingPathComponent("empty"))
        #expect(Self.fault(with(folder.path("empty"), files.key)) == .noCertificate(folder.path("empty")))
        #expect(Self.fault(with(files.certificate, folder.path("empty"))) == .noKey(folder.path("empty")))
    }

    @Test func timeIsAgainstOneThatIsOverOrToCome() throws {
        let folder = try Folder()
        let certificate = try GuestCertificate(folder.issue(["guide.tours.test"]))
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        #expect(certificate.trouble(wallMilliseconds: now + 60_000) == nil)
        #expect(certificate.trouble(wallMilliseconds: now + 3 * 86_400_000)?.code == "tls-expired")
        #expect(certificate.trouble(wallMilliseconds: now - 86_400_000)?.code == "tls-not-yet")
    }

    @Test func aRenewedCertificateIsTakenAndHalfOfOneIsNot() throws {
        let folder = try Folder()
        let files = try folder.issue(["first.test"])
        let certificate = try GuestCertificate(files)
        #expect(try !certificate.read() && certificate.name == "first.test")
        let other = try folder.issue(["other.test"], called: "other")
        try FileManager.default.removeItem(atPath: files.key)
        // What cannot be opened is tried again and again.
        for _ in 1...2 { #expect(throws: CertificateFault.unreadable(files.key)) { try certificate.read() } }
        try FileManager.default.copyItem(atPath: other.key, toPath: files.key)
        #expect(throws: CertificateFault.mismatch) { try certificate.read() }
        #expect(certificate.name == "first.test" && !certificate.covers("other.test"))
        // What has not changed since is not read again.
        #expect(try !certificate.read())
        try FileManager.default.removeItem(atPath: files.certificate)
        try FileManager.default.copyItem(atPath: other.certificate, toPath: files.certificate)
        #expect(try certificate.read() && certificate.name == "other.test" && certificate.covers("other.test"))
    }

    /// A node starts with an old certificate, and not with a wrong one.
    @Test func aNodeStartsOnlyWithFilesThatTimeMayMend() async throws {
        let folder = try Folder()
        let node = try OfflineNode()
        await #expect(throws: CertificateFault.unreadable(folder.path("none"))) {
            try await node.run(
                change: { $0.guestsTLS = GuestsTLS(certificate: folder.path("none"), key: folder.path("none")) }
            ) {}
        }
        let files = try folder.issue(["guide.tours.test"])
        try await node.run(change: { $0.guestsTLS = files }) {
            let seats = try await node.ask("GET", "/status")
            #expect(seats.status == 200)
        }
    }
}
