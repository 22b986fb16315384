import Synchronization
import TourModel

/// Permission to download a file once.
package struct Ticket: Hashable, Sendable {
    /// The tour's id.
    package var tour: String
    /// The id of the file's message.
    package var file: String

    package init(tour: String, file: String) {
        self.tour = tour
        self.file = file
    }
}

/// Tickets for requests without the token: a browser that saves a file sends none, and a program that opens a browser
/// writes its arguments where other users of the machine read them. Each ticket is valid once, and for a short time.
package final class DownloadTickets<Subject: Sendable>: Sendable {
    /// A moment of a clock that never steps.
    package typealias Time = ContinuousClock.Instant

    private struct Issued: Sendable {
        var word: String
        var subject: Subject
        var until: Time
    }

    private let issued = Mutex<[Issued]>([])

    package init() {}

    /// - Returns: the ticket's word for a link; nobody can guess it.
    package func issue(_ subject: Subject, now: Time = .now) -> String {
        var random = SystemRandomNumberGenerator()
        let word = Hex.encode((0..<TicketLimits.wordBytes).map { _ in UInt8.random(in: 0...255, using: &random) })
        issued.withLock { issued in
            issued.removeAll { $0.until <= now }
            issued.append(Issued(word: word, subject: subject, until: now + TicketLimits.lifetime))
            issued.removeFirst(max(0, issued.count - TicketLimits.ticketsMax))
        }
        return word
    }

    /// Whether the ticket would be accepted now.
    func holds(_ word: String, now: Time = .now) -> Bool {
        issued.withLock { $0.contains { $0.word == word && $0.until > now } }
    }

    /// - Returns: nil for a ticket that was never issued, is used, or too old.
    package func redeem(_ word: String, now: Time = .now) -> Subject? {
        issued.withLock { issued in
            guard let index = issued.firstIndex(where: { $0.word == word }) else { return nil }
            let found = issued.remove(at: index)
            return found.until > now ? found.subject : nil
        }
    }
}

/// Source: `Protocol/13-page.md`, The door.
package enum TicketLimits {
    /// How long a ticket is valid.
    package static let lifetime: Duration = .seconds(60)
    /// The oldest are dropped first.
    package static let ticketsMax = 256
    static let wordBytes = 32
}
