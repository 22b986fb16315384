import Foundation

/// The system's clock.
package enum WallClock {
    /// Microseconds since 1970.
    package static func now() -> Int64 {
        Int64(Date().timeIntervalSince1970 * 1_000_000)
    }
}
