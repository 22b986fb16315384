import TourModel

/// How long to wait before a request is sent again. Source: `Protocol/09-mailbox.md`, "Sync".
struct Backoff {
    /// Tries after the first one.
    static let triesMax = 4
    /// The longest wait requested by the server that we grant within one sync.
    static let retryAfterMax: Duration = .seconds(60)
    private static let first: Duration = .milliseconds(500)
    private static let last: Duration = .seconds(8)

    /// - Parameter attempt: 0 before the first repetition.
    /// - Parameter retryAfter: the server's request, if any.
    static func pause(
        attempt: Int, retryAfter: Duration?, using rng: inout some RandomNumberGenerator
    ) -> Duration {
        if let retryAfter { return retryAfter }
        let whole = min(first * (1 << min(attempt, 8)), last).microseconds
        return .microseconds(Int64.random(in: whole / 2...whole * 3 / 2, using: &rng))
    }

    /// Whether repeating the request may succeed.
    static func isWorthwhile(_ error: APIError) -> Bool {
        switch error {
        case .network(let network): network != .cancelled
        // The server is still working on the same request, sent before.
        case .http(409, "in-progress", _): true
        case .http(let status, _, let retryAfter):
            [408, 429, 500, 502, 503, 504].contains(status) && (retryAfter ?? .zero) <= retryAfterMax
        case .invalidURL, .decoding, .unauthenticated, .loginPage, .badAuthority, .noLibrary: false
        }
    }
}
