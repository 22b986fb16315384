import Foundation
import Glibc
import NIOCore
import NIOSSL
import Synchronization
import TourModel
import TourNode

/// The certificate by which guests are let in over https. Its files are read again while the door is open, so that a
/// renewed one is shown without a restart. Source: `Protocol/15-seats.md`, "By https".
package final class GuestCertificate: Sendable {
    /// A certificate and its key, which belong together.
    private struct Pair: Sendable {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey
        let names: CertificateNames
        /// The name in links.
        let name: String
        /// Since when, and until when, browsers take it, in seconds since 1970.
        let term: ClosedRange<Int>

        var sources: [NIOSSLCertificateSource] { chain.map { .certificate($0) } }

        var configuration: TLSConfiguration {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: sources, privateKey: .privateKey(key))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return configuration
        }

        var override: NIOSSLContextConfigurationOverride {
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = sources
            override.privateKey = .privateKey(key)
            return override
        }

        init(_ files: GuestsTLS) throws(CertificateFault) {
            let certificates = try Self.bytes(files.certificate)
            let keys = try Self.bytes(files.key)
            guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificates), let leaf = chain.first else {
                throw .noCertificate(files.certificate)
            }
            // A key behind a passphrase is refused, rather than asked for on a terminal that may not be there.
            guard let key = try? NIOSSLPrivateKey(bytes: keys, format: .pem, passphraseCallback: { $0([UInt8]()) })
            else { throw .noKey(files.key) }
            (self.chain, self.key) = (chain, key)
            let begin = Int(leaf.notValidBefore)
            term = begin...max(begin, Int(leaf.notValidAfter))
            names = CertificateNames(Self.names(of: leaf))
            name = try names.chosen(files.name)
            guard (try? NIOSSLContext(configuration: configuration)) != nil else { throw .mismatch }
        }

        private static let bytesMax = 1_024 * 1_024

        private static func bytes(_ path: String) throws(CertificateFault) -> [UInt8] {
            guard let file = FileHandle(forReadingAtPath: path) else { throw .unreadable(path) }
            defer { try? file.close() }
            // At the end of a file, as in an empty one, nothing comes.
            do { return Array(try file.read(upToCount: bytesMax) ?? Data()) } catch { throw .unreadable(path) }
        }

        private static func names(of certificate: NIOSSLCertificate) -> [String] {
            certificate._subjectAlternativeNames().compactMap { name in
                guard name.nameType == .dnsName else { return nil }
                return String(decoding: name.contents, as: UTF8.self)
            }
        }

        /// Why browsers would not take it at this time.
        func trouble(wallMilliseconds: Int64) -> CertificateFault? {
            let now = Int(wallMilliseconds / 1_000)
            if now < term.lowerBound { return .notYet(Int64(term.lowerBound) * 1_000) }
            return now > term.upperBound ? .expired(Int64(term.upperBound) * 1_000) : nil
        }
    }

    /// What tells a file from the one that was there before.
    private struct Stamp: Equatable, Sendable {
        let inode: UInt
        let size: Int
        let seconds, nanoseconds: Int

        /// Of the certificate and the key; nil where there is none.
        static func all(of files: GuestsTLS) -> [Stamp?] { [files.certificate, files.key].map(Stamp.init) }

        private init?(_ path: String) {
            var found = stat()
            guard stat(path, &found) == 0 else { return nil }
            inode = UInt(found.st_ino)
            size = Int(found.st_size)
            (seconds, nanoseconds) = (found.st_mtim.tv_sec, found.st_mtim.tv_nsec)
        }
    }

    /// Where the page is to be served; nil: at the usual port, else at any.
    package let port: UInt16?
    private let files: GuestsTLS
    private let pair: Mutex<Pair>
    private let stamps: Mutex<[Stamp?]>

    /// - Throws: why these files cannot be used at any time. What time is against is told by `trouble` alone.
    package init(_ files: GuestsTLS) throws(CertificateFault) {
        self.files = files
        port = files.port
        // What changes while it is read is read again.
        stamps = Mutex(Stamp.all(of: files))
        pair = Mutex(try Pair(files))
    }

    /// The name in links to the page.
    package var name: String { pair.withLock { $0.name } }

    /// Whether a browser would take the certificate for that of this host.
    package func covers(_ host: some StringProtocol) -> Bool { pair.withLock { $0.names.covers(host) } }

    /// Why browsers would not take it at this time.
    package func trouble(wallMilliseconds: Int64) -> CertificateFault? {
        pair.withLock { $0.trouble(wallMilliseconds: wallMilliseconds) }
    }

    /// The same, by this machine's clock.
    var troubleNow: CertificateFault? { trouble(wallMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// A configuration that shows, in each handshake, what was read last.
    package var configuration: TLSConfiguration {
        var configuration = pair.withLock { $0.configuration }
        configuration.sslContextCallback = { [self] _, promise in promise.succeed(pair.withLock { $0.override }) }
        return configuration
    }

    /// Reads the files, if they have changed. Two files are never replaced at the same instant: while they do not
    /// match, the pair before stays. A file that cannot be opened now, for one because this process has no descriptor
    /// left, is tried again though it does not change.
    /// - Returns: whether there is another certificate now.
    package func read() throws(CertificateFault) -> Bool {
        let stamps = Stamp.all(of: files)
        guard self.stamps.withLock({ $0 != stamps }) else { return false }
        let fresh: Pair
        do {
            fresh = try Pair(files)
        } catch {
            if case .unreadable = error { throw error }
            self.stamps.withLock { $0 = stamps }
            throw error
        }
        self.stamps.withLock { $0 = stamps }
        return pair.withLock { held in
            defer { held = fresh }
            return held.chain != fresh.chain
        }
    }
}
