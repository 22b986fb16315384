import TourModel
import TourPresentation
import TourTLS
import TourWords

/// Why the page for guests cannot be served by https with these files.
package enum CertificateFault: SpokenFault, Hashable {
    /// The file of this path is not there, or this user may not read it.
    case unreadable(String)
    /// The file of this path has no certificate in PEM, or one that is damaged.
    case noCertificate(String)
    /// The file of this path has no private key in PEM, or one that a passphrase protects.
    case noKey(String)
    /// The key is not that of the certificate.
    case mismatch
    /// Browsers do not take its key or its signature.
    case weak
    /// The program that does TLS is not installed.
    case noStunnel
    /// The certificate has no name that a link could have: no DNS name at all, or wildcards alone.
    case noName(wildcards: [String])
    /// The certificate is not for the name that was asked for, but for these.
    case otherName(String, known: [String])
    /// The certificate ended at that time.
    case expired(Int64)
    /// The certificate begins at that time, in milliseconds since 1970.
    case notYet(Int64)

    init(_ fault: CertificatePairFault) {
        self =
            switch fault {
            case .unreadable(let path): .unreadable(path)
            case .noCertificate(let path): .noCertificate(path)
            case .noKey(let path): .noKey(path)
            case .mismatch: .mismatch
            case .weak: .weak
            case .noStunnel: .noStunnel
            }
    }

    package var scope: FaultScope { .node }

    package var code: String {
        switch self {
        case .unreadable: "tls-file"
        case .noCertificate: "tls-certificate"
        case .noKey: "tls-key"
        case .mismatch: "tls-mismatch"
        case .weak: "tls-weak"
        case .noStunnel: "tls-program"
        case .noName: "tls-no-name"
        case .otherName: "tls-name"
        case .expired: "tls-expired"
        case .notYet: "tls-not-yet"
        }
    }

    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .unreadable(let path):
            Phrase(
                """
                \(path) cannot be read, and the page for guests needs it for https: check the path, and that the user \
                of this node may read the file.
                """)
        case .noCertificate(let path):
            Phrase(
                """
                \(path) holds no certificate that can be read: give --tls-certificate the whole chain as a PEM file, \
                such as fullchain.pem.
                """)
        case .noKey(let path):
            Phrase(
                """
                \(path) holds no private key that can be read: give --tls-key a PEM file without a passphrase, such \
                as privkey.pem.
                """)
        case .mismatch:
            Phrase(
                """
                The key of --tls-key is not that of the certificate: give both as they were made together, the \
                certificate itself first in its file.
                """)
        case .weak:
            Phrase(
                """
                The key or the signature of the certificate is too weak for browsers of today: get one with an EC key, \
                or an RSA key of at least 2048 bits.
                """)
        case .noStunnel:
            Phrase(
                """
                Letting guests in by https needs the program stunnel: install it (apt install stunnel4), or start \
                without --tls-certificate.
                """)
        case .noName(let wildcards):
            wildcards.isEmpty
                ? Phrase(
                    """
                    The certificate has no DNS name, and browsers go by nothing else: get one with the name under \
                    which phones are to find this device.
                    """)
                : Phrase(
                    """
                    The certificate is for \(wildcards.joined(separator: ", ")), which no link can have: say the \
                    whole name with --tls-name.
                    """)
        case .otherName(let name, let known):
            Phrase(
                """
                The certificate is not for \(name), but for \(known.joined(separator: ", ")): choose one of these \
                with --tls-name, or another certificate.
                """)
        case .expired(let at):
            Phrase(
                """
                The certificate for guests ended on \(Timestamp.text(milliseconds: at)): renew it in the same files. \
                Until then guests are let in by http alone.
                """)
        case .notYet(let at):
            Phrase(
                """
                The certificate for guests begins on \(Timestamp.text(milliseconds: at)): is the clock of this \
                machine right? Until then guests are let in by http alone.
                """)
        }
    }
}
