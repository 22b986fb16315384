import ArgumentParser
import Foundation
import ServerRequests

/// A time as an operator types it: a day, an RFC 3339 time, or how far from now (30m, 12h, 7d).
enum WrittenTime {
    /// In microseconds since 1970.
    case moment(Int64)
    /// In microseconds.
    case distance(Int64)

    /// - Parameter option: the option that has it.
    /// - Throws: `ValidationError`, which names the option.
    init(_ text: String, of option: String) throws {
        if let match = text.wholeMatch(of: /([0-9]{1,5})([mhd])/), let count = Int64(match.1) {
            let seconds: Int64 = match.2 == "m" ? 60 : match.2 == "h" ? 3_600 : 86_400
            self = .distance(count * seconds * 1_000_000)
        } else if let date = JSONForm.date(text) ?? JSONForm.date(text + "T00:00:00Z") {
            self = .moment(Int64(date.timeIntervalSince1970) * 1_000_000)
        } else {
            throw ValidationError("\(option) wants 2026-06-01, an RFC 3339 time, or 7d, not '\(text)'.")
        }
    }

    /// - Parameter now: microseconds since 1970, as the result.
    func before(_ now: Int64) -> Int64 {
        switch self {
        case .moment(let moment): moment
        case .distance(let distance): now - distance
        }
    }

    /// - Parameter now: microseconds since 1970, as the result.
    func after(_ now: Int64) -> Int64 {
        switch self {
        case .moment(let moment): moment
        case .distance(let distance): now + distance
        }
    }
}
