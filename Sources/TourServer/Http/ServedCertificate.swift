import Logging
import NIOCore
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The server's certificate. The server reads the files again on the operator's request and at intervals, and presents
/// a renewed certificate from the next connection on.
final class ServedCertificate: Service {
    private struct Pair: Sendable {
        let chain: [NIOSSLCertificate]
        let key: NIOSSLPrivateKey

        var configuration: TLSConfiguration {
            .makeServerConfiguration(certificateChain: sources, privateKey: .privateKey(key))
        }
        var sources: [NIOSSLCertificateSource] { chain.map { .certificate($0) } }
        var override: NIOSSLContextConfigurationOverride {
            var override = NIOSSLContextConfigurationOverride()
            override.certificateChain = sources
            override.privateKey = .privateKey(key)
            return override
        }

        /// - Throws: the library's errors for files that cannot be read or do not match.
        init(_ files: ServerSettings.TLSFiles) throws {
            chain = try NIOSSLCertificate.fromPEMFile(files.certificate)
            key = try NIOSSLPrivateKey(file: files.key, format: .pem)
            _ = try NIOSSLContext(configuration: configuration)
        }
    }

    private let files: ServerSettings.TLSFiles
    private let requests: AsyncStream<Void>
    private let logger: Logger
    private let pair: Mutex<Pair>

    /// - Parameter requests: an element for each time that the operator asks to read the files again.
    /// - Throws: the library's errors for files that cannot be read or do not match.
    init(_ files: ServerSettings.TLSFiles, requests: AsyncStream<Void>, logger: Logger) throws {
        self.files = files
        self.requests = requests
        self.logger = logger
        pair = Mutex(try Pair(files))
    }

    /// A configuration that presents, in each handshake, the current certificate.
    var configuration: TLSConfiguration {
        var configuration = pair.withLock { $0 }.configuration
        configuration.sslContextCallback = { [self] _, promise in promise.succeed(pair.withLock { $0 }.override) }
        return configuration
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
        do {
            let fresh = try Pair(files)
            let isOther = pair.withLock { held in
                defer { held = fresh }
                return held.chain != fresh.chain
            }
            if isOther { logger.notice("another certificate is shown from now on") }
        } catch {
            logger.error("the certificate cannot be read, the one before is shown", metadata: ["cause": "\(error)"])
        }
    }
}
