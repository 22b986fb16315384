import Synchronization
import TourModel

/// A file that may be downloaded once.
package struct Ticket: Hashable, Sendable {
    /// Its id.
    package var tour: String
    /// The id of its message.
    package var file: String

    package init(tour: String, file: String) {
        self.tour = tour
        self.file = file
    }
}

/// Tickets for what is asked without the token: a browser that saves a file shows none, and what opens a browser writes
/// down where others of the machine read. Each is good once, and not for long.
package final class TicketDesk<Subject: Sendable>: Sendable {
    package typealias Time = ContinuousClock.Instant

    private struct Issued: Sendable {
        var word: String
        var subject: Subject
        var until: Time
    }

    private let issued = Mutex<[Issued]>([])

    package init() {}

    /// - Returns: what stands in the link: nobody guesses it.
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

    /// Whether it would be taken now.
    func holds(_ word: String, now: Time = .now) -> Bool {
        issued.withLock { $0.contains { $0.word == word && $0.until > now } }
    }

    /// - Returns: nil for one that was never issued, is used, or too old.
    package func take(_ word: String, now: Time = .now) -> Subject? {
        issued.withLock { issued in
            guard let index = issued.firstIndex(where: { $0.word == word }) else { return nil }
            let found = issued.remove(at: index)
            return found.until > now ? found.subject : nil
        }
    }
}

/// Source: `Protocol/13-page.md`, The door.
package enum TicketLimits {
    package static let lifetime: Duration = .seconds(60)
    /// The oldest go first.
    package static let ticketsMax = 256
    static let wordBytes = 32
}
