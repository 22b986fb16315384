import TourAPI
import TourMailbox
import TourNode
import TourPresentation
import TourWords

extension ServerFinding {
    /// What was found.
    func message(on surface: any Surface) -> Phrase {
        switch self {
        case .none: Phrase("No server (optional).")
        case .noTour(let server):
            Phrase("\(server) is set; this node is in no tour, so there is nothing to sync.")
        case .asked(let server): Phrase("\(server) is being asked; no answer yet.")
        case .reached(let server, let seconds, let waiting, let isSyncing):
            Self.reached(server, TimeSpan(seconds: seconds).ago, waiting, isSyncing)
        case .failed(let server, let problem, let trouble):
            Self.failed(server, problem.phrase(on: surface), trouble)
        case .refuses(let refused):
            Phrase(refused, one: "It does not take \(refused) event.", other: "It does not take \(refused) events.")
        case .clockLead(let lead):
            lead > 0
                ? Phrase("This clock is \(TimeSpan(milliseconds: lead).phrase) behind the server's.")
                : Phrase("This clock is \(TimeSpan(milliseconds: lead).phrase) ahead of the server's.")
        }
    }

    private static func reached(_ server: String, _ ago: Phrase, _ waiting: Int, _ isSyncing: Bool) -> Phrase {
        guard waiting > 0 else { return Phrase("\(server), reached \(ago): it has everything.") }
        guard isSyncing else {
            return Phrase(
                waiting, one: "\(server), reached \(ago): \(waiting) event not there yet.",
                other: "\(server), reached \(ago): \(waiting) events not there yet.")
        }
        return Phrase(
            waiting, one: "\(server), reached \(ago): \(waiting) event not there yet, on the way.",
            other: "\(server), reached \(ago): \(waiting) events not there yet, on the way.")
    }

    private static func failed(_ server: String, _ problem: Phrase, _ trouble: ServerStanding.Trouble) -> Phrase {
        var sentences = [
            trouble.answeredAgo.map { Phrase("\(server), reached \(TimeSpan(seconds: $0).ago): \(problem)") }
                ?? Phrase("\(server), not reached since the start: \(problem)")
        ]
        let waiting = trouble.waiting
        if waiting > 0 {
            sentences.append(
                Phrase(waiting, one: "\(waiting) event not there yet.", other: "\(waiting) events not there yet."))
        }
        return Phrase(sentences, separator: " ")
    }

    /// What the user can do; empty when all is well.
    func advice(on surface: any Surface) -> Phrase {
        switch self {
        case .none: Phrase("If your operator has one: \(surface.name(of: .login(.serverAndAccount))).")
        case .noTour, .reached: .empty
        case .asked: Phrase("Try again in a few seconds.")
        case .failed(_, let problem, let trouble): trouble.advice(on: problem, surface)
        case .refuses:
            Phrase(
                """
                \(surface.name(of: .status)) says why; members have these all the same. Tell the operator.
                """)
        case .clockLead:
            Phrase(
                """
                Set it (timedatectl set-ntp true), so that the times shown are right. Nothing is lost by it.
                """)
        }
    }
}

extension ServerStanding.Trouble {
    fileprivate func advice(on problem: APIError, _ surface: any Surface) -> Phrase {
        let sync = surface.name(of: .sync)
        return switch problem {
        case .network:
            Phrase(
                """
                Nothing is lost: it goes on by itself once this machine, or another member's, has a way to the \
                internet.
                """)
        case .loginPage(.redirect), .loginPage(.type):
            Phrase("Open a browser on this machine and sign in to this Wi-Fi; then \(sync).")
        case .loginPage(.certificate):
            Phrase(
                """
                Sign in to this Wi-Fi in a browser; set the clock, if it is wrong. A server with a certificate of \
                its own authority wants \(surface.name(of: .run(.authority))), with a file from the operator.
                """)
        case .loginPage(.marker):
            Phrase(
                """
                Compare the address with the operator's, or sign in to this Wi-Fi in a browser; then \(sync).
                """)
        case .http(_, "unknown-group", _): unknownAdvice(on: surface)
        case .http(_, "not-a-guide", _):
            account.map { Phrase("Ask the operator to make \($0) a guide; then \(sync).") }
                ?? Phrase("Ask the operator to make your account a guide; then \(sync).")
        case .http(_, "removed", _):
            Phrase("If that is a mistake, ask a guide for a new code: \(surface.name(of: .joinTour)).")
        case .unauthenticated: Phrase("\(surface.name(of: .login(.account))).")
        case .http(429, _, _), .http(503, _, _): Phrase("The server is busy; it is asked again later by itself.")
        case .noLibrary: Phrase("Install the package libcurl4, then start tour-chat again.")
        case .http, .decoding, .invalidURL, .badAuthority:
            Phrase("Tell the operator the words above; the tour itself goes on without the server.")
        }
    }

    /// A guide with an account makes a tour known.
    private func unknownAdvice(on surface: any Surface) -> Phrase {
        guard leads else {
            return Phrase("Ask a guide of this tour to log in at the server, on the guide's own device.")
        }
        return account == nil
            ? Phrase("\(surface.name(of: .login(.account))): then it becomes known by itself.")
            : Phrase("\(surface.name(of: .sync)) makes it known, with your account.")
    }
}

/// `40 s`, `3 min`, `2 h`, `5 days`: in the largest unit of which there is more than one.
private struct TimeSpan {
    let seconds: Int

    init(seconds: Int) { self.seconds = seconds }

    init(milliseconds: Int64) { seconds = Int(abs(milliseconds) / 1_000) }

    var phrase: Phrase {
        switch seconds {
        case ..<120: return Phrase("\(max(seconds, 0)) s")
        case ..<7_200: return Phrase("\(seconds / 60) min")
        case ..<172_800: return Phrase("\(seconds / 3_600) h")
        default:
            let days = seconds / 86_400
            return Phrase(days, one: "\(days) day", other: "\(days) days")
        }
    }

    /// The same span as a time in the past: many languages use other words for that.
    var ago: Phrase {
        switch seconds {
        case ..<120: return Phrase("\(max(seconds, 0)) s ago")
        case ..<7_200: return Phrase("\(seconds / 60) min ago")
        case ..<172_800: return Phrase("\(seconds / 3_600) h ago")
        default:
            let days = seconds / 86_400
            return Phrase(days, one: "\(days) day ago", other: "\(days) days ago")
        }
    }
}
