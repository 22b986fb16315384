import NIOHTTP1
import ServerBase
import Testing
import TourServer

/// Goal: the server takes no more connections than the process's descriptors bear, of one address no more than its
/// share, and keeps none with which nothing is done.
/// Method: reckons at several limits, each connection with a file; a whole server with few connections and short times.
@Suite struct ConnectionBoundTests {
    @Test func connectionsFitTheDescriptors() {
        #expect(ServerLimits.connectionsMax(descriptors: ServerLimits.descriptorsMax) == ServerLimits.connectionsMax)
        for limit in 160...10_000 {
            let most = ServerLimits.connectionsMax(descriptors: limit)
            #expect(2 * most + ServerLimits.descriptorsKept <= limit, "\(limit)")
        }
        #expect(ServerLimits.connectionsMax(descriptors: 1_024) == 448)
        #expect(ServerLimits.connectionsMax(descriptors: 0) == ServerLimits.connectionsMin)
    }

    @Test func oneAddressHasItsShare() async throws {
        #expect(ServerLimits.connectionsPerAddress(of: ServerLimits.connectionsMax) == 682)
        #expect(ServerLimits.connectionsPerAddress(of: 448) == 74 && ServerLimits.connectionsPerAddress(of: 16) == 16)
        let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
        // On a busy machine it takes a while until all are there.
        let change: (inout ServerSettings) -> Void = { settings in
            settings.connectionsMax = 384
            settings.patience.head = .seconds(600)
            settings.patience.idle = .seconds(600)
        }
        try await RunningServer.run(change: change) { server async throws in
            var clients = [RawClient]()
            for _ in 0..<64 { clients.append(try await RawClient(server.port)) }
            for client in clients {
                try client.write(request)
                #expect(await client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200"))
            }
            // The end comes at once, or as a reset when the request is there already.
            let refused = try await RawClient.exchange(server.port, [request])
            #expect(refused.isEmpty)
            // Who goes makes room, and others have theirs all the while.
            clients[0].close()
            #expect(try await RawClient.exchange(server.port, from: "127.0.0.2", [request], until: "200 OK"))
            var isServed = false
            for _ in 0..<2_000 where !isServed {
                isServed = try await RawClient.exchange(server.port, from: "127.0.0.1", [request], until: "200 OK")
            }
            #expect(isServed)
            for client in clients.dropFirst() { client.close() }
        }
    }

    /// A byte now and then is no silence.
    @Test func aHeadByDropsIsCutOff() async throws {
        try await RunningServer.run(change: { $0.patience.head = .milliseconds(200) }) { server async throws in
            for start in ["", "GET /healthz HTTP/1.1\r\nHost: lo"] {
                let answer = try await RawClient.exchange(server.port, [start])
                #expect(!answer.hasPrefix("HTTP/1.1 200"), "\(answer.prefix(80))")
            }
        }
    }

    /// The server answers a request that a proxy sends on a kept connection while the process is replaced; and the last
    /// answer of each connection says so. Then the server waits no longer.
    @Test func aServerThatEndsAnswersWhatStillComes() async throws {
        try await RunningServer.run(change: { $0.patience.farewell = .seconds(600) }) { server async throws in
            let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let clients = [try await RawClient(server.port), try await RawClient(server.port)]
            for client in clients {
                try client.write(request)
                #expect(await client.read(until: "\"ok\"").contains("200 OK"))
            }
            await server.end()
            for client in clients {
                var answer = ""
                while !answer.lowercased().contains("connection: close") {
                    try client.write(request)
                    answer = await client.read(until: "\"ok\"")
                    try #require(answer.contains("200 OK"))
                }
            }
            for client in clients { client.close() }
        }
    }

    /// The answers fill both ends' buffers, and nobody reads them.
    @Test func whoDoesNotReadIsCutOff() async throws {
        try await RunningServer.run(change: { $0.patience.idle = .milliseconds(500) }) { server async throws in
            let client = try await RawClient(server.port)
            let request = "GET /openapi.yaml HTTP/1.1\r\nHost: localhost\r\n\r\n"
            let asking = Task.detached {
                var count = 0
                while (try? client.write(request)) != nil { count += 1 }
                return count
            }
            // Writing fails once the server has ended it.
            #expect(await asking.value > 0)
            client.close()
        }
    }
}
