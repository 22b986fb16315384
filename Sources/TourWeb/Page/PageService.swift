import Glibc
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle
import TourNode
import TourNodeWords
import TourWords

/// Serves the page and, with its token, the local API on a port of 127.0.0.1.
struct PageService: Service {
    let door: PageListener
    let place: PagePlace
    let directory: String
    let api: LocalAPI
    let bounds: DoorBounds
    let group: any EventLoopGroup
    let logger: Logger

    /// - Throws: `page-port` where the requested port is not available.
    func run() async throws {
        defer { door.close() }
        let known = door.record.port
        let wanted: UInt16 =
            switch place {
            case .port(let port): port
            case .last, .off: known
            }
        do {
            try await serve(port: wanted)
        } catch let error as IOError where door.openAddress == nil && wanted != 0 {
            // A program that has taken our old port receives the token from a page that is still open.
            if wanted == known {
                door.renew()
                keepRecord()
            }
            guard case .last = place else { throw Self.refusal(of: wanted, error) }
            try await serve(port: 0)
        }
    }

    private static func refusal(of port: UInt16, _ error: IOError) -> WebError {
        WebError(
            "page-port",
            Phrase(
                """
                The page cannot be served on port \(port): \(PortTrouble(code: error.errnoCode).phrase). Choose \
                another one with --web PORT.
                """))
    }

    private func serve(port: UInt16) async throws {
        let keeper = ConnectionLimits(bounds, api.surfaces, headers: .ofPage) { [door] head, _ in door.isKnown(head) }
        let application = Application(
            router: api.pageRouter(door), server: keeper.server,
            configuration: ApplicationConfiguration(
                address: .hostname("127.0.0.1", port: Int(port)), serverName: "tour-chat",
                backlog: DoorLimits.waitingMax),
            onServerRunning: { channel in
                await keeper.keep(channel)
                door.open(port: channel.localAddress?.port.flatMap { UInt16(exactly: $0) } ?? port)
                keepRecord()
            },
            eventLoopGroupProvider: .shared(group), logger: logger)
        try await application.run()
    }

    /// A failing disk keeps nobody from the page: it gets another address at the next start.
    private func keepRecord() {
        guard PageRecord.kept(in: directory) != door.record else { return }
        do { try door.record.keep(in: directory) } catch { logger.error("the page's address is not kept: \(error)") }
    }
}
