import Logging
import NIOCore
import ServerBase
import ServiceLifecycle
import Synchronization
import TourTLS

/// The server's certificate, and stunnel, which shows it. The server reads the files again on the operator's request
/// and at intervals, and presents a renewed certificate from the next connection on.
final class ServedCertificate: Service {
    let stunnel: Stunnel
    private let files: ServerSettings.TLSFiles
    private let requests: AsyncStream<Void>
    private let logger: Logger
    private let pair: Mutex<CertificatePair>

    private init(
        _ pair: CertificatePair, _ stunnel: Stunnel, _ files: ServerSettings.TLSFiles, _ requests: AsyncStream<Void>,
        _ logger: Logger
    ) {
        self.pair = Mutex(pair)
        self.stunnel = stunnel
        self.files = files
        self.requests = requests
        self.logger = logger
    }

    /// Starts stunnel, which the caller must stop.
    /// - Parameters:
    ///   - group: the loops of the connections.
    ///   - requests: an element for each time that the operator asks to read the files again.
    /// - Throws: `unavailable` for files that cannot be read or do not match, and without stunnel.
    static func start(
        _ files: ServerSettings.TLSFiles, group: any EventLoopGroup, requests: AsyncStream<Void>, logger: Logger
    ) async throws(Failure) -> ServedCertificate {
        guard Stunnel.isInstalled else { throw Failure(.unavailable, cause: StunnelFault.missing.description) }
        let pair = try read(files)
        do throws(StunnelFault) {
            let stunnel = try await Stunnel.start(showing: pair, group: group, logger: logger)
            return ServedCertificate(pair, stunnel, files, requests, logger)
        } catch {
            throw Failure(.unavailable, cause: error.description)
        }
    }

    func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup(of: Void.self) { tasks in
                tasks.addTask { for await _ in self.requests { self.read() } }
                tasks.addTask {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: ServerLimits.certificateInterval)
                        if !Task.isCancelled { self.read() }
                    }
                }
            }
        }
    }

    /// Reads the files. Two files are never replaced at the same instant: while they do not match, the old pair stays.
    private func read() {
        do throws(Failure) {
            let fresh = try Self.read(files)
            let isOther = pair.withLock { held in
                defer { held = fresh }
                return held != fresh
            }
            guard isOther else { return }
            stunnel.show(fresh)
            logger.notice("another certificate is shown from now on")
        } catch {
            logger.error("the certificate cannot be read, the one before is shown", metadata: ["cause": "\(error)"])
        }
    }

    private static func read(_ files: ServerSettings.TLSFiles) throws(Failure) -> CertificatePair {
        do throws(CertificatePairFault) {
            return try CertificatePair(certificate: files.certificate, key: files.key)
        } catch {
            throw Failure(.unavailable, cause: words(error))
        }
    }

    private static func words(_ fault: CertificatePairFault) -> String {
        switch fault {
        case .unreadable(let path): "\(path) cannot be read: check the path, and that the server's user may read it"
        case .noCertificate(let path): "\(path) holds no certificate that can be read: give the whole chain in PEM"
        case .noKey(let path): "\(path) holds no private key that can be read: give it in PEM, without a passphrase"
        case .mismatch: "the key of --tls-key is not that of the first certificate of --tls-certificate"
        case .weak: "browsers of today do not take the key or the signature of the certificate"
        case .noStunnel: StunnelFault.missing.description
        }
    }
}
