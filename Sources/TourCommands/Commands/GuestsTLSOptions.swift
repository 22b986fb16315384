import ArgumentParser
import TourClient
import TourNode
import TourWords

/// By what `run` serves the page for guests over https.
struct GuestsTLSOptions: ParsableArguments {
    @Option(
        name: .customLong("tls-certificate"),
        help: ArgumentHelp(
            Phrase(
                """
                Serve the page for guests by https as well, with the certificate chain in this PEM file; read again \
                when it is renewed.
                """), valueName: "file"),
        completion: .file())
    var certificate: String?
    @Option(
        name: .customLong("tls-key"),
        help: ArgumentHelp(
            Phrase("The private key of --tls-certificate, a PEM file without a passphrase."), valueName: "file"),
        completion: .file())
    var key: String?
    @Option(
        name: .customLong("tls-name"),
        help: ArgumentHelp(
            Phrase(
                """
                The name under which phones find this device, if the certificate has several or a wildcard (default: \
                its first).
                """), valueName: "name"))
    var name: String?
    @Option(
        name: .customLong("tls-port"),
        help: ArgumentHelp(
            Phrase("Port of the page for guests by https (default: 8443, or another)."), valueName: "port"))
    var port: UInt16?

    func validate() throws {
        guard (certificate == nil) == (key == nil) else {
            throw ValidationError(Phrase("--tls-certificate and --tls-key belong together."))
        }
        guard certificate != nil || name == nil && port == nil else {
            throw ValidationError(Phrase("--tls-name and --tls-port go with --tls-certificate."))
        }
    }

    /// Nil: by http alone.
    func chosen() throws -> GuestsTLS? {
        guard let certificate, let key else { return nil }
        return GuestsTLS(
            certificate: try AbsolutePath.of(certificate), key: try AbsolutePath.of(key), name: name, port: port)
    }
}
