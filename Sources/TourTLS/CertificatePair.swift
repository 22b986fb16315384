import CCertificate
import Foundation

/// Why a certificate and its key cannot be used.
package enum CertificatePairFault: Error, Hashable, Sendable {
    /// The file of this path is not there, or this user may not read it.
    case unreadable(String)
    /// The file of this path has no certificate in PEM, or one that is damaged.
    case noCertificate(String)
    /// The file of this path has no private key in PEM, or one that a passphrase protects.
    case noKey(String)
    /// The key is not that of the first certificate of its file.
    case mismatch
    /// Key or signature are weaker than what browsers take.
    case weak
    /// Neither stunnel nor the library that it needs is installed.
    case noStunnel
}

/// A certificate with those that vouch for it, and its key, which belong together.
package struct CertificatePair: Equatable, Sendable {
    /// All of them in PEM, as stunnel reads them.
    let pem: [UInt8]
    /// The DNS names of the certificate.
    package let names: [String]
    /// Since when, and until when, it is valid, in seconds since 1970.
    package let term: ClosedRange<Int64>

    /// - Parameters:
    ///   - certificate: the path of a PEM file with the chain, the certificate itself first.
    ///   - key: the path of a PEM file with the key.
    package init(certificate: String, key: String) throws(CertificatePairFault) {
        let (chain, secret) = (try Self.bytes(certificate), try Self.bytes(key))
        var read = certificate_pair()
        let verdict = certificate_pair_read(chain, chain.count, secret, secret.count, &read)
        defer { certificate_pair_free(&read) }
        switch verdict {
        case CERTIFICATE_GOOD: break
        case CERTIFICATE_NO_LIBRARY: throw .noStunnel
        case CERTIFICATE_NO_KEY: throw .noKey(key)
        case CERTIFICATE_MISMATCH: throw .mismatch
        case CERTIFICATE_WEAK: throw .weak
        default: throw .noCertificate(certificate)
        }
        pem = Array(UnsafeRawBufferPointer(start: read.pem, count: read.pem_size))
        names = UnsafeRawBufferPointer(start: read.names, count: read.names_size).split(separator: 0).map {
            String(decoding: $0, as: UTF8.self)
        }
        term = read.begins...max(read.begins, read.ends)
    }

    private static func bytes(_ path: String) throws(CertificatePairFault) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else { throw .unreadable(path) }
        defer { try? file.close() }
        // At the end of a file, as in an empty one, nothing comes.
        do { return Array(try file.read(upToCount: TLSLimits.fileBytesMax) ?? Data()) } catch {
            throw .unreadable(path)
        }
    }
}
