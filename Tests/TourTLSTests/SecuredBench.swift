import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import Testing
import TourTLS

/// A folder with certificates by openssl.
final class Certificates: Sendable {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tour-tls-test-\(UUID().uuidString)")
        .path

    init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false) }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { "\(folder)/\(name)" }

    func openssl(_ arguments: [String]) throws {
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        openssl.arguments = arguments
        openssl.standardOutput = FileHandle.nullDevice
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    /// Makes NAME.pem and NAME.key.
    @discardableResult
    func issue(_ name: String, key: [String] = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]) throws -> Self {
        try openssl(
            [
                "req", "-x509", "-nodes", "-days", "2", "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)",
                "-out", path("\(name).pem"), "-keyout", path("\(name).key"), "-newkey",
            ] + key)
        return self
    }

    func pair(_ certificate: String, _ key: String) throws(CertificatePairFault) -> CertificatePair {
        try CertificatePair(certificate: path(certificate), key: path(key))
    }
}

/// A server by TLS, on loops of its own.
struct SecuredBench {
    let stunnel: Stunnel
    let port: Int
    let certificates: Certificates

    /// As much as no buffer on the way holds.
    static let bigBytes = 24 * 1_024 * 1_024

    private struct Context: RequestContext {
        var coreContext: CoreRequestContextStorage
        let channel: any Channel

        init(source: ApplicationRequestContextSource) {
            coreContext = CoreRequestContextStorage(source: source)
            channel = source.channel
        }
    }

    private static var router: Router<Context> {
        let router = Router(context: Context.self)
        router.get("who") { _, context in String(context.channel.ofClient.remoteAddress?.port ?? 0) }
        router.get("big") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody(contentLength: bigBytes) { writer in
                    let part = ByteBuffer(repeating: 65, count: 64 * 1_024)
                    for _ in 0..<(bigBytes / part.readableBytes) { try await writer.write(part) }
                    try await writer.finish(nil)
                })
        }
        router.get("stream") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    while !Task.isCancelled {
                        try await writer.write(ByteBuffer(string: "a sign of life\n"))
                        try await Task.sleep(for: .milliseconds(20))
                    }
                })
        }
        return router
    }

    /// - Parameter handshakeTime: see `SecuredChannel`.
    static func run(
        handshakeTime: TimeAmount = TLSLimits.handshakeTime, threads: Int = 2,
        _ body: (SecuredBench) async throws -> Void
    ) async throws {
        let certificates = try Certificates().issue("first.test")
        let group = MultiThreadedEventLoopGroup(numberOfThreads: threads)
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let stunnel = try await Stunnel.start(
            showing: try certificates.pair("first.test.pem", "first.test.key"), group: group, logger: logger)
        let (ports, source) = AsyncStream.makeStream(of: Int.self)
        let server = HTTPServerBuilder { responder in
            SecuredChannel(HTTP1Channel(responder: responder), by: stunnel, handshakeTime: handshakeTime)
        }
        let application = Application(
            router: router, server: server,
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { source.yield($0.localAddress?.port ?? 0) }, eventLoopGroupProvider: .shared(group),
            logger: logger)
        let serving = Task { try await application.run() }
        var port = 0
        for await found in ports {
            port = found
            break
        }
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await body(SecuredBench(stunnel: stunnel, port: port, certificates: certificates)))
        } catch {
            outcome = .failure(error)
        }
        serving.cancel()
        _ = await serving.result
        await stunnel.stop()
        try await group.shutdownGracefully()
        try outcome.get()
    }
}
