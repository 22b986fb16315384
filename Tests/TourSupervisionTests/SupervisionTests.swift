import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import TourSupervision

/// Goal: the service manager hears that the program is there, works and ends, and nothing else.
/// Method: a socket of a test's own in the place of systemd's.
struct SupervisionTests {
    /// More often than a test would take to notice.
    private static let watchdog = ["WATCHDOG_USEC": "3000"]

    @Test(arguments: [false, true])
    func aWordArrivesAsItIs(isAbstract: Bool) async throws {
        let socket = try NotifySocket(isAbstract: isAbstract)
        let manager = try #require(Supervisor { ["NOTIFY_SOCKET": socket.name][$0] })
        let wasSent = manager.report(.ready)
        #expect(wasSent)
        #expect(await socket.next() == "READY=1")
        #expect(manager.watchdog == nil)
    }

    @Test func readyThenAliveThenStopping() async throws {
        let socket = try NotifySocket()
        let supervision = try Self.supervision(socket, Self.watchdog) { true }
        try await Self.run(supervision) {
            supervision.start()
            #expect(await socket.next() == "READY=1")
            #expect(await socket.next() == "WATCHDOG=1")
            #expect(await socket.next() == "WATCHDOG=1")
        }
        #expect(await socket.last() == "STOPPING=1")
    }

    /// What does not answer is not said to be alive.
    @Test func nothingIsSaidWhileNothingAnswers() async throws {
        let socket = try NotifySocket()
        let asked = Mutex(0)
        let supervision = try Self.supervision(socket, Self.watchdog) {
            asked.withLock { count in
                count += 1
                return count > 3
            }
        }
        try await Self.run(supervision) {
            supervision.start()
            #expect(await socket.next() == "READY=1")
            #expect(await socket.next() == "WATCHDOG=1")
            #expect(asked.withLock { $0 } > 3)
        }
    }

    @Test func nothingIsReadyThatHasNotStarted() async throws {
        let socket = try NotifySocket()
        try await Self.run(Self.supervision(socket, Self.watchdog) { true }) {}
        #expect(await socket.next() == "STOPPING=1")
    }

    @Test func withoutAWatchdogNothingIsAsked() async throws {
        let socket = try NotifySocket()
        let supervision = try Self.supervision(socket) {
            Issue.record("asked")
            return true
        }
        try await Self.run(supervision) {
            supervision.start()
            #expect(await socket.next() == "READY=1")
        }
        #expect(await socket.next() == "STOPPING=1")
    }

    @Test(arguments: ["", "@", "/", "run/notify", "vsock:2:1234", "/" + String(repeating: "a", count: 200)])
    func whatIsNoAddressIsNone(name: String) {
        #expect(Supervisor { ["NOTIFY_SOCKET": name][$0] } == nil)
    }

    @Test func whereNobodyListensNothingHappens() throws {
        let manager = try #require(Supervisor { ["NOTIFY_SOCKET": "/nowhere/notify"][$0] })
        let wasSent = manager.report(.alive)
        #expect(!wasSent)
    }

    @Test(arguments: [
        (["WATCHDOG_USEC": "500"], Duration.microseconds(500)),
        (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "7"], .microseconds(500)),
        (["WATCHDOG_USEC": "500", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil),
        (["WATCHDOG_USEC": "-1"], nil), (["WATCHDOG_USEC": "soon"], nil),
        (["WATCHDOG_USEC": "99999999999999999999"], nil), ([:], nil),
    ])
    func howOftenItIsAsked(environment: [String: String], expected: Duration?) throws {
        let manager = try #require(
            Supervisor(environment: { $0 == "NOTIFY_SOCKET" ? "/run/notify" : environment[$0] }, processID: 7))
        #expect(manager.watchdog == expected)
    }

    private static func supervision(
        _ socket: NotifySocket, _ environment: [String: String] = [:],
        isAnswering: @escaping @Sendable () async -> Bool
    ) throws -> Supervision {
        let manager = Supervisor { $0 == "NOTIFY_SOCKET" ? socket.name : environment[$0] }
        return Supervision(of: try #require(manager), isAnswering: isAnswering)
    }

    /// In a group, as programs have it, which ends in good order after the work.
    private static func run(_ supervision: Supervision, work: @Sendable () async throws -> Void) async throws {
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: supervision)], logger: Logger(label: "test")))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            try await work()
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
