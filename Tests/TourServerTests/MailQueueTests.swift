import Foundation
import NIOHTTP1
import ServerBase
import ServerRequests
import ServerStorage
import Synchronization
import Testing
import TourServer

/// Goal: a mail server that is away or busy costs nobody a code, codes go out before notices, and what cannot be sent
/// is told and ends. Method: a queue with a sender that the test rules and a clock that it sets; a whole server with
/// real mail servers, across a restart.
struct MailQueueTests {
    /// Notes what it is given, and answers as the test says.
    private final class Relay: MailSender {
        enum Manner: Sendable { case takes, isAway, refuses }

        let mayTryAgain = true
        private let clock: RunningServer.Clock
        private let state = Mutex<(manner: Manner, tried: [String])>((.takes, []))

        init(_ clock: RunningServer.Clock) { self.clock = clock }

        var tried: [String] { state.withLock { $0.tried } }

        func be(_ manner: Manner) { state.withLock { $0.manner = manner } }

        func send(_ mail: Mail) async throws(Failure) {
            let manner = state.withLock { state in
                state.tried.append(mail.subject)
                return state.manner
            }
            switch manner {
            case .takes: return
            case .isAway:
                // A moment passes: when the mail is due again then differs from when its sender's lease ends.
                clock.advance(seconds: 1)
                throw Failure(.mailFailed, retryAfter: 1, cause: "the relay is away")
            case .refuses: throw Failure(.mailFailed, cause: "the relay refuses it")
            }
        }
    }

    private struct Scene: Sendable {
        let queue: MailQueue
        let relay: Relay
        let clock: RunningServer.Clock
        let messages: SentMessages
        let storage: any Storage
        let secret: ServerSecret

        func add(
            _ subject: String, _ need: Mail.Need = .code, account: Int64? = nil
        ) async throws(Failure) {
            try await queue.add(
                Mail(to: "a@example.org", subject: subject, text: "1", need: need, account: account))
        }

        func waiting() async throws -> Int64 {
            let secret = secret
            return try await storage.read { sql throws(Failure) in try MailRows(sql: sql, secret: secret).count() }
        }

        /// Sends for as long as `body` takes.
        func run(_ body: () async throws -> Void) async throws {
            let task = Task { [queue] in try await queue.run() }
            do { try await body() } catch {
                task.cancel()
                throw error
            }
            task.cancel()
            try await task.value
        }

        func hasTried(_ count: Int) async throws -> Bool {
            try await MailQueueTests.comes { relay.tried.count >= count } && relay.tried.count == count
        }

        func tells(_ words: String, _ count: Int = 1) async throws -> Bool {
            try await MailQueueTests.comes { messages.all.filter { $0.hasPrefix(words) }.count >= count }
        }

        /// Whether the sender has let go of the only mail, which is due again after so many seconds: until then a clock
        /// that is set ahead ends the sender's lease.
        func isPutOff(by seconds: Int) async throws -> Bool {
            let due = clock.now + Int64(seconds) * 1_000_000
            return try await MailQueueTests.comes {
                try await storage.read { sql throws(Failure) in
                    try sql.row("SELECT due FROM mails", [])?.integer(0)
                } == due
            }
        }

        func isEmpty() async throws -> Bool { try await MailQueueTests.comes { try await waiting() == 0 } }
    }

    /// Waits for it, ten minutes at most.
    private static func comes(_ condition: () async throws -> Bool) async throws -> Bool {
        for _ in 0..<60_000 {
            if try await condition() { return true }
            try await Task.sleep(for: .milliseconds(10))
        }
        return false
    }

    private static func scene(
        capacity: Int = ServerLimits.mailsWaitingMax, _ body: (Scene) async throws -> Void
    ) async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let door = try OpenedServer(settings: .data(in: directory))
        _ = try await door.storage.migrate()
        let (clock, messages) = (RunningServer.Clock(), SentMessages())
        let relay = Relay(clock)
        let secret = try ServerSecret(directory: door.directory)
        let queue = MailQueue(
            storage: door.storage, secret: secret, sender: relay, metrics: ServerMetrics(), logger: messages.logger,
            capacity: capacity, now: { clock.now })
        try await body(
            Scene(
                queue: queue, relay: relay, clock: clock, messages: messages, storage: door.storage, secret: secret))
        try await door.storage.close()
    }

    @Test func codesGoBeforeInvitationsAndNoticesLast() async throws {
        try await Self.scene { scene async throws in
            // All of them wait: what goes out first is tried first once the relay is back.
            for (subject, need) in [
                ("notice", Mail.Need.notice), ("invitation", .invitation), ("code 1", .code), ("code 2", .code),
            ] {
                try await scene.add(subject, need)
            }
            var order = [String]()
            for _ in 1...4 {
                let (secret, now) = (scene.secret, scene.clock.now)
                let mail = try await scene.storage.write { sql throws(Failure) in
                    try MailRows(sql: sql, secret: secret).take(now: now, until: now + 1)?.mail(secret)
                }
                order.append(mail?.subject ?? "none")
            }
            #expect(order == ["code 1", "code 2", "invitation", "notice"])
        }
    }

    /// The waits grow, and end where the code does.
    @Test func aCodeIsTriedForAsLongAsItIsGood() async throws {
        try await Self.scene { scene async throws in
            scene.relay.be(.isAway)
            try await scene.add("code")
            try await scene.run { () async throws in
                for (count, wait) in [15, 30, 60, 120, 240, 480].enumerated() {
                    #expect(try await scene.hasTried(count + 1))
                    #expect(try await scene.tells("a mail could not be sent", count + 1))
                    #expect(try await scene.isPutOff(by: wait))
                    scene.clock.advance(seconds: Int64(wait))
                }
                #expect(try await scene.hasTried(7))
                #expect(try await scene.isEmpty())
                let told = scene.messages.all.filter { $0.hasPrefix("a mail is given up") }
                #expect(told.count == 1 && told.first?.contains("the relay is away") == true)
                #expect(scene.messages.all.allSatisfy { !$0.contains("a@example.org") })
            }
        }
    }

    @Test func aMailServerThatComesBackGetsWhatWaits() async throws {
        try await Self.scene { scene async throws in
            scene.relay.be(.isAway)
            try await scene.add("notice", .notice)
            try await scene.run { () async throws in
                #expect(try await scene.hasTried(1))
                #expect(try await scene.tells("a mail could not be sent"))
                scene.relay.be(.takes)
                scene.clock.advance(seconds: 3 * 60 * 60)
                #expect(try await scene.hasTried(2))
                #expect(try await scene.isEmpty())
                #expect(!scene.messages.all.contains { $0.hasPrefix("a mail is given up") })
            }
        }
    }

    @Test func whatIsRefusedForGoodEndsAtOnce() async throws {
        try await Self.scene { scene async throws in
            scene.relay.be(.refuses)
            try await scene.add("code")
            try await scene.run { () async throws in
                #expect(try await scene.isEmpty())
                #expect(scene.relay.tried.count == 1)
                #expect(scene.messages.all.contains { $0.hasPrefix("a mail is given up") })
            }
        }
    }

    @Test func aFullQueueIsToldToWhoAsks() async throws {
        try await Self.scene(capacity: 120) { scene async throws in
            for number in 0..<100 { try await scene.add("\(number)", account: 1) }
            let own = await #expect(throws: Failure.self) { try await scene.add("more", account: 1) }
            #expect(own?.code == .mailFailed)
            for number in 0..<20 { try await scene.add("\(number)", account: 2) }
            let all = await #expect(throws: Failure.self) { try await scene.add("more", account: 3) }
            #expect(all?.code == .mailFailed)
            #expect(try await scene.waiting() == 120)
        }
    }

    private static let signup = #"{"email":"a@example.org","password":"correct horse"}"#

    /// The mail server is away until after the restart.
    @Test(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
    func aRestartLosesNoCode() async throws {
        let gone = try await MailServer(withTLS: false)
        let away = try gone.settings()
        try await gone.end()
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let place: @Sendable (inout ServerSettings) -> Void = {
            ($0.dataDirectory, $0.database) = (directory, TestDatabase.name(of: directory))
        }
        try await RunningServer.run(
            change: {
                place(&$0)
                $0.mail = away
            }
        ) { server async throws in
            #expect(try await server.send(.POST, "/auth/signup", Self.signup).status == 201)
            #expect(
                try await Self.comes {
                    server.messages.all.contains { $0.hasPrefix("a mail could not be sent, and waits") }
                })
            let metrics = try await server.send(.GET, "/metrics").text
            #expect(metrics.contains(#"tour_server_mail_total{result="failed"} 1"#))
        }
        let back = try await MailServer(withTLS: false, manner: .busyOnce)
        let settings = try back.settings()
        try await RunningServer.run(
            change: {
                place(&$0)
                $0.mail = settings
            }
        ) { server async throws in
            server.clock.advance(seconds: 15)
            #expect(
                try await Self.comes {
                    server.messages.all.contains { $0.hasPrefix("a mail could not be sent, and waits") }
                })
            server.clock.advance(seconds: 30)
            let got = try await back.message()
            #expect(got.to == ["a@example.org"])
            let tokens: Tokens = try await server.send(.POST, "/auth/login", Self.signup).decoded()
            let code = got.text.firstMatch(of: /\d{6}/).map { String($0.0) } ?? ""
            let verified = try await server.send(
                .POST, "/auth/email/verify", token: tokens.access_token, #"{"code":"\#(code)"}"#)
            #expect(verified.status == 200, "the code of before the restart")
        }
        try await back.end()
    }

    @Test(.enabled("no aiosmtpd") { try await MailServer.isInstalled() })
    func anAddressThatNobodyHasIsGivenUp() async throws {
        let mail = try await MailServer(withTLS: false, manner: .knowsNobody)
        let settings = try mail.settings()
        try await RunningServer.run(change: { $0.mail = settings }) { server async throws in
            #expect(try await server.send(.POST, "/auth/signup", Self.signup).status == 201)
            #expect(try await Self.comes { server.messages.all.contains { $0.hasPrefix("a mail is given up") } })
            let metrics = try await server.send(.GET, "/metrics").text
            #expect(metrics.contains(#"tour_server_mail_total{result="given-up"} 1"#))
            #expect(metrics.contains(#"tour_server_mail_total{result="failed"} 0"#))
        }
        try await mail.end()
    }
}
