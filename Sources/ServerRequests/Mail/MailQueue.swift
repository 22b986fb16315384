import Logging
import ServerBase
import ServerStorage
import ServiceLifecycle
import Synchronization

/// Mail on its way to the mail server. It is stored before anybody is told that it was taken, so that neither an end of
/// the process nor a mail server that is away for a while loses a code. Where several processes serve from the
/// database, any of them sends it.
///
/// A mail may go out twice: where the process is killed between the mail server's word and the removal of the row.
package final class MailQueue: Service {
    private let storage: any Storage
    private let secret: ServerSecret
    private let sender: any MailSender
    private let metrics: ServerMetrics
    private let logger: Logger
    private let now: @Sendable () -> Int64
    private let capacity: Int
    private let calls: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation
    private let senders = Mutex(0)

    /// - Parameter capacity: how many mails wait at most.
    /// - Parameter now: microseconds since 1970.
    package init(
        storage: any Storage, secret: ServerSecret, sender: any MailSender, metrics: ServerMetrics, logger: Logger,
        capacity: Int = ServerLimits.mailsWaitingMax, now: @escaping @Sendable () -> Int64
    ) {
        self.storage = storage
        self.secret = secret
        self.sender = sender
        self.metrics = metrics
        self.logger = logger
        self.capacity = capacity
        self.now = now
        (calls, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(ServerLimits.mailsAtOnce))
    }

    /// Takes a mail, which goes out in a moment or later.
    /// - Throws: `mailFailed` where the queue is full; `unavailable`.
    package func add(_ mail: Mail) async throws(Failure) {
        let (secret, capacity, moment) = (secret, capacity, now())
        try await storage.write(.durable, .statements) { sql throws(Failure) in
            try MailRows(sql: sql, secret: secret).add(mail, now: moment, capacity: capacity)
        }
        bell.yield()
    }

    /// Sends until graceful shutdown, which lets the mails under way end, and leaves all others where they are.
    package func run() async throws {
        await cancelWhenGracefulShutdown { [self] in
            await withDiscardingTaskGroup { group in
                group.addTask { [bell] in
                    while !Task.isCancelled {
                        bell.yield()
                        try? await Task.sleep(for: ServerLimits.mailInterval)
                    }
                }
                for await _ in calls where begin() {
                    group.addTask { [self] in
                        await sendDue()
                        senders.withLock { $0 -= 1 }
                    }
                }
            }
        }
    }

    /// - Returns: false while as many send as may.
    private func begin() -> Bool {
        senders.withLock { count in
            guard count < ServerLimits.mailsAtOnce else { return false }
            count += 1
            return true
        }
    }

    /// Sends what is due, one mail after the other.
    private func sendDue() async {
        while !Task.isCancelled {
            do throws(Failure) {
                guard let waiting = try await next() else { return }
                // A mail that is under way is not broken off: half of it may be at the mail server.
                await Task { await self.send(waiting) }.value
            } catch {
                logger.error("the mails that wait could not be read", metadata: ["cause": "\(error)"])
                return
            }
        }
    }

    private func next() async throws(Failure) -> MailRows.Waiting? {
        let (secret, moment) = (secret, now())
        let isDue = try await storage.lookUp { sql throws(Failure) in
            try MailRows(sql: sql, secret: secret).isDue(now: moment)
        }
        guard isDue else { return nil }
        return try await storage.write(.relaxed, .statements) { sql throws(Failure) in
            try MailRows(sql: sql, secret: secret).take(now: moment, until: moment + ServerLimits.mailLease)
        }
    }

    private func send(_ waiting: MailRows.Waiting) async {
        do throws(Failure) {
            let mail = try waiting.mail(secret)
            guard waiting.expires > now() else {
                throw Failure(.mailFailed, cause: "it lost its use while it waited")
            }
            try await sender.send(mail)
            metrics.countMail(.sent)
            await settle { rows throws(Failure) in try rows.remove(waiting) }
        } catch {
            let due = now() + Self.wait(behind: waiting.tries) * 1_000_000
            guard error.retryAfter != nil, due < waiting.expires else { return await giveUp(waiting, error) }
            metrics.countMail(.failed)
            logger.warning(
                "a mail could not be sent, and waits", metadata: ["tries": "\(waiting.tries)", "cause": "\(error)"])
            await settle { rows throws(Failure) in try rows.put(off: waiting, until: due) }
        }
    }

    /// - Returns: seconds: twice as many for each try.
    private static func wait(behind tries: Int64) -> Int64 {
        let doubled = Int64(ServerLimits.mailWaitMin) << min(max(tries - 1, 0), 20)
        return min(doubled, Int64(ServerLimits.mailWaitMax))
    }

    private func giveUp(_ waiting: MailRows.Waiting, _ failure: Failure) async {
        metrics.countMail(.givenUp)
        logger.error(
            "a mail is given up",
            metadata: ["for": "\(waiting.need)", "tries": "\(waiting.tries)", "cause": "\(failure)"])
        await settle { rows throws(Failure) in try rows.remove(waiting) }
    }

    private func settle(_ change: @escaping @Sendable (MailRows) throws(Failure) -> Void) async {
        let secret = secret
        do throws(Failure) {
            try await storage.write(.durable, .statements) { sql throws(Failure) in
                try change(MailRows(sql: sql, secret: secret))
            }
        } catch {
            logger.error("what became of a mail could not be stored", metadata: ["cause": "\(error)"])
        }
    }
}
