import NIOCore
import NIOPosix
import Testing
import TourModel
import TourPosition

/// Goal: a fix comes over a real socket, and what is wrong on the way is said. Method: a server that says a few lines.
struct GpsdTests {
    private static let group = MultiThreadedEventLoopGroup.singleton
    private static let wall: @Sendable () -> Int64 = { GpsdSessionTests.wall }

    /// Says these lines to whoever comes; the lines behind the first only to who asked to watch.
    private final class Speaker: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let greeting: String
        private let lines: String

        init(_ greeting: String, _ lines: String) {
            self.greeting = greeting
            self.lines = lines
        }

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: greeting + "\r\n")), promise: nil)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard String(buffer: unwrapInboundIn(data)).hasPrefix("?WATCH=") else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: lines)), promise: nil)
        }
    }

    private static func server(_ greeting: String, _ lines: String = "") async throws -> (any Channel, GpsdAddress) {
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { $0.pipeline.addHandler(Speaker(greeting, lines)) }
            .bind(host: "127.0.0.1", port: 0).get()
        return (channel, GpsdAddress(host: "127.0.0.1", port: channel.localAddress?.port ?? 0))
    }

    @Test func theFirstFixIsTaken() async throws {
        let lines = """
            {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyS0"}]}
            {"class":"TPV","mode":1}
            {"class":"TPV","mode":3,"lat":48.8584,"lon":2.2945,"eph":4}
            {"class":"TPV","mode":3,"lat":1,"lon":1}

            """
        let (server, address) = try await Self.server(GpsdSessionTests.version, lines)
        let gpsd = Gpsd(at: address, group: Self.group, wallMilliseconds: Self.wall)
        let fix = try await gpsd.fix(patience: .seconds(60))
        #expect(fix.coordinate.description == "48.8584,2.2945" && fix.accuracyMetres == 4)
        try await server.close()
    }

    @Test func whatIsNotThereIsSaid() async throws {
        let (server, address) = try await Self.server("SSH-2.0-OpenSSH_9.2")
        let gpsd = Gpsd(at: address, group: Self.group, wallMilliseconds: Self.wall)
        await #expect(throws: PositionFault.notGpsd(address)) { try await gpsd.fix(patience: .seconds(60)) }
        try await server.close()
        await #expect(throws: PositionFault.unreachable(address)) { try await gpsd.fix(patience: .seconds(60)) }
    }

    @Test func addressesAreRead() {
        #expect(GpsdAddress("gps.local:2947") == GpsdAddress(host: "gps.local", port: 2947))
        #expect(GpsdAddress("[::1]:2947") == GpsdAddress(host: "::1", port: 2947))
        #expect(GpsdAddress("[::1]:2947")?.description == "[::1]:2947")
        for bad in ["", "host", "host:", ":2947", "host:0", "host:70000", "::1:2947", "[::1:2947", "a b:1"] {
            #expect(GpsdAddress(bad) == nil, "\(bad)")
        }
    }
}
