import NIOCore
import NIOPosix
import TourModel

/// Reads positions from gpsd: its JSON protocol over TCP. Source: gpsd_json(5).
package struct Gpsd: Sendable {
    private let address: GpsdAddress
    private let group: any EventLoopGroup
    /// This machine's clock, in milliseconds since 1970.
    private let wall: @Sendable () -> Int64

    private static let connectTimeout: TimeAmount = .seconds(3)
    private static let watch = #"?WATCH={"enable":true,"json":true};"# + "\n"
    /// The pause before a lost connection is tried again: doubles from the first value to the second.
    private static let pauseMin: Duration = .seconds(1)
    private static let pauseMax: Duration = .seconds(60)

    package init(
        at address: GpsdAddress, group: any EventLoopGroup, wallMilliseconds: @escaping @Sendable () -> Int64
    ) {
        self.address = address
        self.group = group
        wall = wallMilliseconds
    }

    /// The first fix that the receiver reports from now on.
    /// - Parameter patience: how long to wait for one.
    /// - Throws: the last reported reason why there is none.
    package func fix(patience: Duration) async throws(PositionFault) -> Fix {
        let latest = LatestReading(.nothing(.unreachable(address)))
        let result = await withTaskGroup(of: Result<Void, PositionFault>.self) { tasks in
            tasks.addTask {
                do throws(PositionFault) {
                    try await read { reading in
                        latest.set(reading)
                        if case .fix = reading { return false }
                        return true
                    }
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            tasks.addTask {
                try? await Task.sleep(for: patience)
                return .success(())
            }
            let first = await tasks.next() ?? .success(())
            tasks.cancelAll()
            return first
        }
        switch (latest.value, result) {
        case (.fix(let fix), _): return fix
        case (_, .failure(let fault)): throw fault
        case (.nothing(let fault), .success): throw fault
        }
    }

    /// Reads without end, and passes on each reading, or why there is none. Reconnects after ever longer pauses, until
    /// the task is cancelled.
    package func follow(_ take: @Sendable (Reading) async -> Void) async {
        var pause = Self.pauseMin
        while !Task.isCancelled {
            do throws(PositionFault) {
                try await read { reading in
                    await take(reading)
                    if case .fix = reading { pause = Self.pauseMin }
                    return true
                }
            } catch {
                await take(.nothing(error))
            }
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.pauseMax)
        }
    }

    /// Reads from one connection, until `take` returns false.
    private func read(_ take: (Reading) async -> Bool) async throws(PositionFault) {
        var session = GpsdSession(address)
        var lines = BoundedLines()
        do {
            let channel = try await connect()
            try await channel.executeThenClose { inbound, outbound in
                for try await bytes in inbound {
                    for line in try lines.add(bytes.readableBytesView) {
                        let wasGreeted = session.isGreeted
                        let reading = try session.receive(line, wallMilliseconds: wall())
                        if !wasGreeted { try await outbound.write(ByteBuffer(string: Self.watch)) }
                        if let reading, !(await take(reading)) { return }
                    }
                }
                throw PositionFault.unreachable(address)
            }
        } catch let fault as PositionFault {
            throw fault
        } catch is BoundedLines.TooLong {
            throw .notGpsd(address)
        } catch {
            throw .unreachable(address)
        }
    }

    private func connect() async throws -> NIOAsyncChannel<ByteBuffer, ByteBuffer> {
        try await ClientBootstrap(group: group)
            .connectTimeout(Self.connectTimeout)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .connect(host: address.host, port: address.port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel(
                        wrappingChannelSynchronously: channel,
                        configuration: .init(inboundType: ByteBuffer.self, outboundType: ByteBuffer.self))
                }
            }
    }
}
