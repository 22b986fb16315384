import Glibc
import NIOCore
import TourStore
import TourTransport

// Listening for connections.
extension TourNode {
    private static let portSetting = "port"

    /// Listens on the requested port; without one on the last port, so that links with that port keep working, or on
    /// any free one.
    /// - Throws: `port` when the requested port is not available.
    func listen(by transport: Transport) async throws -> any Channel {
        if settings.listenPort == 0, let last = lastPort, let channel = try? await transport.listen(port: last) {
            return channel
        }
        let channel: any Channel
        do {
            channel = try await transport.listen(port: settings.listenPort)
        } catch let error as IOError {
            throw NodeError.network(.port(settings.listenPort, code: error.errnoCode))
        }
        remember(port: channel.localAddress?.port)
        return channel
    }

    private var lastPort: UInt16? {
        guard let stored = try? store.setting(Self.portSetting) else { return nil }
        return UInt16(String(decoding: stored, as: UTF8.self)).flatMap { $0 == 0 ? nil : $0 }
    }

    /// A store that fails does not keep the node from listening: the next start uses another port.
    private func remember(port: Int?) {
        let last = lastPort.map { Int($0) }
        guard let port, last != port else { return }
        try? store.setSetting(Self.portSetting, value: Array(String(port).utf8))
    }
}

extension NodeSettings {
    /// - Parameter present: the names of all interfaces; empty when the system does not report them.
    /// - Throws: when a chosen interface does not exist.
    package func check(interfaces present: [String]) throws(NodeError) {
        guard !present.isEmpty, let missing = interfaces.first(where: { !present.contains($0) }) else { return }
        throw .network(.noInterface(missing, present: present))
    }
}
