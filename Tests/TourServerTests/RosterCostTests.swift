import NIOHTTP1
import Synchronization
import Testing
import TourModel

/// Goal: a tour whose roster is dear to work out delays nobody but its own members.
/// Method: a whole server; a request that brings thousands of admissions at once, and another account that writes while
/// the server is at work on them.
struct RosterCostTests {
    /// Such requests keep a processor busy for a part of a second and more, and any other one takes milliseconds.
    private static let requests = 6
    private static let admissionsOfEach = 900

    private static func sample(_ name: String, on server: RunningServer) async throws -> Int {
        let text = try await server.send(.GET, "/metrics").text
        let line = text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
        return try #require(line.flatMap { Int($0.dropFirst(name.count + 1)) })
    }

    private final class Count: Sendable {
        private let count = Mutex(0)
        var value: Int { count.withLock { $0 } }
        func rise() { count.withLock { $0 += 1 } }
    }

    private static func largeTour() -> SampleTour {
        var tour = SampleTour()
        for _ in 0..<(requests * admissionsOfEach) { _ = tour.join(isKnown: false) }
        return tour
    }

    @Test func othersWriteWhileARosterIsWorkedOut() async throws {
        try await RunningServer.run { server async throws in
            let stranger = try await server.newAccount("stranger@example.org").access_token
            let guide = try await server.newGuide().access_token
            // A quick machine may be through with all of a tour before anybody else is answered: it gets another one.
            var isFree = false
            for _ in 0..<10 where !isFree { isFree = try await Self.isFree(stranger, guide, server) }
            #expect(isFree, "a stranger waited for the rosters of others")
        }
    }

    /// Whether a stranger's note was taken while the server was at work on a roster.
    private static func isFree(_ stranger: String, _ guide: String, _ server: RunningServer) async throws -> Bool {
        let tour = largeTour(), answered = Count()
        _ = try await server.found(tour, token: guide)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            for number in 0..<requests {
                let part = tour.guide.log.dropFirst(2 + number * admissionsOfEach)
                let controls = [tour.guide.log[1]] + part.prefix(admissionsOfEach)
                tasks.addTask {
                    // A machine that is busy otherwise may be too slow for all six: the server says so, and a client
                    // comes again.
                    var reply = try await server.logIn(tour.guide, controls: controls)
                    for _ in 0..<60 where reply.status == 503 {
                        reply = try await server.logIn(tour.guide, controls: controls)
                    }
                    #expect(reply.status == 200, "\(reply.text)")
                    answered.rise()
                }
            }
            while answered.value < requests, try await sample("tour_server_rosters_under_way", on: server) == 0 {
                await Task.yield()
            }
            let note = try await server.send(.POST, "/notes", token: stranger, #"{"title":"A","content":"b"}"#)
            #expect(note.status == 201)
            let isFree = answered.value < requests
            try await tasks.waitForAll()
            return isFree
        }
    }

    /// What many bring at once is all there, and each is told of what it brought.
    @Test func requestsThatAddToOneTourTakeTurns() async throws {
        try await RunningServer.run { server async throws in
            var tour = SampleTour()
            let people = (0..<8).map { _ in tour.join() }
            let log = tour.guide.log
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            try await withThrowingTaskGroup(of: Int.self) { tasks in
                for (index, person) in people.enumerated() {
                    // The genesis, the invite, and as many admissions as lead to this one.
                    let controls = Array(log[1...(index + 2)])
                    tasks.addTask { try await server.logIn(person, controls: controls).status }
                }
                for try await status in tasks { #expect(status == 200) }
            }
            let left = try await server.rowCounts(["controls"])
            #expect(left == ["controls": Int64(log.count - 1)])
        }
    }
}
