import NIOHTTP1
import ServerBase
import Testing
import TourModel
import TourServer

/// Goal: a place among the listeners is free again however its request ended, and nobody takes all of them.
/// Method: a whole server, and clients that ask for the head alone, break off, or stay.
struct ListenerTests {
    private struct Scene {
        var path: String
        var guide: String
        var member: String

        init(_ server: RunningServer) async throws {
            var tour = SampleTour()
            let person = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            path = "/groups/\(tour.id.hex)/live"
            guide = try await server.memberToken(tour.guide)
            member = try await server.memberToken(person, controls: Array(tour.guide.log.dropFirst()))
        }

        func request(_ token: String) -> String {
            "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n\r\n"
        }
    }

    @Test func whoAsksForTheHeadAloneTakesNoPlace() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            for number in 0...ServerLimits.listenersMax {
                // So that no rate is in the way.
                if number % 10 == 0 { server.clock.advance(seconds: 1) }
                let reply = try await server.send(.HEAD, scene.path, token: scene.guide)
                try #require(reply.status == 200, "number \(number)")
            }
        }
    }

    @Test func whoBreaksOffBeforeTheAnswerTakesNoPlace() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            for number in 0...ServerLimits.listenersMax {
                if number % 10 == 0 { server.clock.advance(seconds: 1) }
                // On a busy machine the server learns late who has gone, and has as many connections of one address as
                // it takes: it ends a further one at once.
                if number % 100 == 0 { _ = try await server.send(.HEAD, scene.path, token: scene.guide) }
                let client = try await RawClient(server.port)
                try? client.write(scene.request(number % 2 == 0 ? scene.guide : scene.member))
                client.reset()
            }
            // The server may be at work for the last of them still.
            var status = 0
            for _ in 0..<600 where status != 200 {
                server.clock.advance(seconds: 1)
                status = try await server.send(.HEAD, scene.path, token: scene.guide).status
            }
            #expect(status == 200)
        }
    }

    /// What many hear of is read once.
    @Test func oneChangeIsReadOnceForAll() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            var person = tour.join()
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            let token = try await server.memberToken(person, controls: Array(tour.guide.log.dropFirst()))
            let request = "GET /groups/\(tour.id.hex)/live HTTP/1.1\r\nHost: localhost\r\n"
            var clients = [RawClient]()
            for _ in 0..<40 {
                let client = try await RawClient(server.port)
                try client.write(request + "Authorization: Bearer \(token)\r\n\r\n")
                clients.append(client)
                #expect(await client.read(until: ": listening").hasPrefix("HTTP/1.1 200"))
            }
            for round in 1...3 {
                let said = person.say("\(round)", under: tour.epoch, at: SampleTour.wall)
                _ = try await server.push(round == 1 ? tour.guide.log + [said] : [said], token: token)
                for client in clients {
                    let news = "\"\(person.id.hex)\":\(round)"
                    #expect(await client.read(until: news).contains(news))
                }
            }
            let metrics = try await server.send(.GET, "/metrics").text
            let count = try #require(metrics.firstMatch(of: /live_readings_total (\d+)/).flatMap { Int($0.1) })
            // Once for each push, and once more for who was read to while the next came; on PostgreSQL also each time
            // that all look by themselves, which on a busy machine is some times. Each for itself would be 120.
            #expect((3...(TestDatabase.isPostgres ? 40 : 6)).contains(count), "\(count)")
            for client in clients { client.reset() }
        }
    }

    @Test func oneMemberHasItsShareOfThePlaces() async throws {
        try await RunningServer.run { server async throws in
            let scene = try await Scene(server)
            var clients = [RawClient]()
            for _ in 0..<ServerLimits.listenersPerCaller {
                let client = try await RawClient(server.port)
                try client.write(scene.request(scene.member))
                clients.append(client)
                #expect(await client.read(until: ": listening").hasPrefix("HTTP/1.1 200"))
            }
            let refused = try await server.send(.HEAD, scene.path, token: scene.member)
            #expect(refused.status == 429 && refused.headers.first(name: "Retry-After") == "30")
            #expect(try await server.send(.HEAD, scene.path, token: scene.guide).status == 200, "others have theirs")
            for client in clients { client.reset() }
        }
    }

    /// The operator's command is another process, whose wakes do not come to a server on SQLite: the stream looks by
    /// itself, once in `ServerLimits.liveSilence`.
    @Test func streamsOfADisabledAccountAndOfADeletedTourEnd() async throws {
        try await RunningServer.run(change: { $0.patience.live = .milliseconds(100) }) { server async throws in
            let (tour, other) = (SampleTour(), SampleTour())
            let account = try await server.newGuide().access_token
            for tour in [tour, other] { _ = try await server.found(tour, token: account) }
            let member = try await server.memberToken(other.guide)
            var clients = [RawClient]()
            for (id, token) in [(tour.id, account), (other.id, member)] {
                let client = try await RawClient(server.port)
                let request = "GET /groups/\(id.hex)/live HTTP/1.1\r\nHost: localhost\r\n"
                try client.write(request + "Authorization: Bearer \(token)\r\n\r\n")
                clients.append(client)
                #expect(await client.read(until: ": listening").hasPrefix("HTTP/1.1 200"))
            }
            try await server.asOperator { server in
                _ = try await server.setDisabled(true, "guide@example.org")
                _ = try await server.deleteTour(other.id.hex)
            }
            let end = "0\r\n\r\n"
            for client in clients { #expect(await client.read(until: end).hasSuffix(end)) }
        }
    }
}
