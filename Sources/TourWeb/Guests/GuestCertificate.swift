import Foundation
import Glibc
import Synchronization
import TourNode
import TourTLS

/// The certificate by which guests are let in over https. Its files are read again while the door is open, so that a
/// renewed one is shown without a restart. Source: `Protocol/15-seats.md`, "By https".
package final class GuestCertificate: Sendable {
    /// What was read last.
    private struct Reading: Sendable {
        let pair: CertificatePair
        let names: CertificateNames
        /// The name in links.
        let name: String

        init(_ files: GuestsTLS) throws(CertificateFault) {
            do throws(CertificatePairFault) {
                pair = try CertificatePair(certificate: files.certificate, key: files.key)
            } catch {
                throw CertificateFault(error)
            }
            names = CertificateNames(pair.names)
            name = try names.chosen(files.name)
        }

        /// Why browsers would not take it at this time.
        func trouble(wallMilliseconds: Int64) -> CertificateFault? {
            let now = wallMilliseconds / 1_000
            if now < pair.term.lowerBound { return .notYet(pair.term.lowerBound * 1_000) }
            return now > pair.term.upperBound ? .expired(pair.term.upperBound * 1_000) : nil
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
    private let reading: Mutex<Reading>
    private let stamps: Mutex<[Stamp?]>

    /// - Throws: why these files cannot be used at any time. What time is against is told by `trouble` alone.
    package init(_ files: GuestsTLS) throws(CertificateFault) {
        guard Stunnel.isInstalled else { throw .noStunnel }
        self.files = files
        port = files.port
        // What changes while it is read is read again.
        stamps = Mutex(Stamp.all(of: files))
        reading = Mutex(try Reading(files))
    }

    /// The name in links to the page.
    package var name: String { reading.withLock { $0.name } }

    /// Whether a browser would take the certificate for that of this host.
    package func covers(_ host: some StringProtocol) -> Bool { reading.withLock { $0.names.covers(host) } }

    /// Why browsers would not take it at this time.
    package func trouble(wallMilliseconds: Int64) -> CertificateFault? {
        reading.withLock { $0.trouble(wallMilliseconds: wallMilliseconds) }
    }

    /// The same, by this machine's clock.
    var troubleNow: CertificateFault? { trouble(wallMilliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }

    /// What was read last.
    var pair: CertificatePair { reading.withLock { $0.pair } }

    /// Reads the files, if they have changed. Two files are never replaced at the same instant: while they do not
    /// match, the pair before stays. A file that cannot be opened now, for one because this process has no descriptor
    /// left, is tried again though it does not change.
    /// - Returns: whether there is another certificate now.
    package func read() throws(CertificateFault) -> Bool {
        let stamps = Stamp.all(of: files)
        guard self.stamps.withLock({ $0 != stamps }) else { return false }
        let fresh: Reading
        do {
            fresh = try Reading(files)
        } catch {
            if case .unreadable = error { throw error }
            self.stamps.withLock { $0 = stamps }
            throw error
        }
        self.stamps.withLock { $0 = stamps }
        return reading.withLock { held in
            defer { held = fresh }
            return held.pair != fresh.pair
        }
    }
}
