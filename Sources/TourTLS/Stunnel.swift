import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// TLS for the connections of this program, done by a child of its own: stunnel. What strangers send as TLS is parsed
/// there, where no key is but that of the certificate. Each connection goes to it as it came, and comes back decrypted
/// over a socket that only this user can open (see `Relay`). Source: stunnel(8) 5.68, and decision 012.
package final class Stunnel: Sendable {
    private struct State {
        /// The relays whose decrypted side has not come yet, by the port from which they reached stunnel.
        var waiting = [UInt16: Relay]()
        /// Why it does not run; nil: it runs.
        var trouble: String? = "it has not started yet"
    }

    private let state = Mutex(State())
    private let folder: PrivateFolder
    private let pair: MemoryFile
    private let listener: LoopbackListener
    private let logger: Logger
    private let program: String
    private let child = Mutex<StunnelChild?>(nil)
    private let door = Mutex<(any Channel)?>(nil)

    private static let socketName = "plain"
    private static let settingsName = "stunnel.conf"

    /// Whether TLS can be had on this machine.
    package static var isInstalled: Bool { StunnelChild.program != nil }

    /// Why it does not take connections now; nil: it does.
    package var trouble: String? { state.withLock { $0.trouble } }

    /// The process that does TLS now.
    package var processID: Int32? { child.withLock { $0?.processID } }

    /// The port on this machine where it takes connections.
    package var port: UInt16 { listener.port }

    /// The path of the socket to which it hands what is decrypted.
    package var socketPath: String { folder.file(Self.socketName) }

    private init(showing first: CertificatePair, logger: Logger) throws(StunnelFault) {
        guard let program = StunnelChild.program else { throw .missing }
        self.program = program
        self.logger = logger
        pair = try MemoryFile(named: "certificate")
        listener = try LoopbackListener()
        folder = try PrivateFolder(holding: Self.settingsName, environment: ProcessInfo.processInfo.environment)
        pair.replace(with: first.pem)
    }

    /// Starts it.
    /// - Parameter group: the loops of the decrypted sides.
    /// - Returns: once it takes connections.
    package static func start(
        showing pair: CertificatePair, group: any EventLoopGroup, logger: Logger
    ) async throws(StunnelFault) -> Stunnel {
        let stunnel = try Stunnel(showing: pair, logger: logger)
        do throws(StunnelFault) {
            try await stunnel.start(group)
            return stunnel
        } catch {
            await stunnel.stop()
            throw error
        }
    }

    private func start(_ group: any EventLoopGroup) async throws(StunnelFault) {
        let (events, source) = AsyncStream.makeStream(of: StunnelChild.Event.self)
        do {
            try Data(settings.utf8).write(to: URL(fileURLWithPath: folder.file(Self.settingsName)))
            let channel = try await DecryptedSide.listen(at: socketPath, group, for: self)
            door.withLock { $0 = channel }
        } catch {
            throw .notStarted("\(error)")
        }
        let child = StunnelChild(
            program, settings: folder.file(Self.settingsName),
            descriptors: StunnelChild.Descriptors(listener: listener.descriptor, pair: pair.descriptor), logger: logger
        ) { [weak self] event in
            self?.note(event)
            source.yield(event)
        }
        self.child.withLock { $0 = child }
        child.start()
        for await event in events {
            if case .down(let cause) = event { throw .notStarted(cause) }
            return
        }
    }

    /// Shows another certificate from the next connection on.
    package func show(_ other: CertificatePair) {
        pair.replace(with: other.pem)
        child.withLock { $0 }?.reload()
    }

    /// Ends it, with the connections that it has.
    package func stop() async {
        if let child = child.withLock({ $0 }) { await child.stop() }
        try? await door.withLock { $0 }?.close()
        folder.remove()
    }

    private func note(_ event: StunnelChild.Event) {
        let before = state.withLock { state in
            defer {
                state.trouble =
                    switch event {
                    case .up: nil
                    case .down(let cause): cause
                    }
            }
            return state.trouble
        }
        switch event {
        case .up: if before != nil { logger.notice("stunnel runs, and does TLS") }
        case .down(let cause):
            logger.error(
                "stunnel, which does TLS, has ended with its connections, and is started again",
                metadata: ["cause": "\(cause)"])
        }
    }

    /// The level of its log that it writes for each connection is errors, which nobody but strangers makes.
    private var settings: String {
        """
        foreground = yes
        syslog = no
        pid =
        debug = notice
        [tls]
        accept = \(LoopbackListener.host):\(listener.port)
        connect = \(socketPath)
        protocol = proxy
        cert = \(StunnelChild.pairPath)
        sslVersionMin = TLSv1.2
        renegotiation = no
        debug = err
        TIMEOUTbusy = \(TLSLimits.busySeconds)
        TIMEOUTclose = \(TLSLimits.halfOpenSeconds)
        TIMEOUTidle = \(TLSLimits.silentSeconds)

        """
    }

    // MARK: - Relays

    /// A relay reached stunnel from this port, and waits for its decrypted side.
    func expect(_ relay: Relay, from port: UInt16) { state.withLock { $0.waiting[port] = relay } }

    /// Its connection to stunnel is over.
    func forget(_ port: UInt16, of relay: Relay) {
        state.withLock { if $0.waiting[port] === relay { $0.waiting[port] = nil } }
    }

    /// The relay of which this line speaks, once; nil: of none of ours. Another user of this machine may reach stunnel,
    /// and be decrypted, but not be taken for a client.
    func claim(_ line: ProxyLine) -> Relay? {
        guard line.source == LoopbackListener.host, line.target == line.source, line.targetPort == port else {
            return nil
        }
        return state.withLock { $0.waiting.removeValue(forKey: line.sourcePort) }
    }
}
