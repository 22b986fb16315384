import TourModel

/// Why there is no position. No fault is hidden by an older position.
package enum PositionFault: Fault, Hashable {
    /// Nothing answers there, or the connection ended.
    case unreachable(GpsdAddress)
    /// The program that answers does not speak gpsd's protocol.
    case notGpsd(GpsdAddress)
    /// gpsd runs but has no receiver.
    case noReceiver
    /// The receiver has no fix yet.
    case noFix
    /// The receiver's fix differs from the present time by so many seconds: it is an old one, or a clock is wrong.
    case timeApart(seconds: Int64)

    package var code: String { told.code }
    package var english: String { told.english }

    private var told: (code: String, english: String) {
        switch self {
        case .unreachable(let address): ("gpsd-unreachable", "no gpsd answers at \(address.description)")
        case .notGpsd(let address): ("gpsd-malformed", "what answers at \(address.description) is no gpsd")
        case .noReceiver: ("gpsd-no-receiver", "gpsd has no receiver")
        case .noFix: ("gps-no-fix", "the receiver has no fix")
        case .timeApart(let seconds): ("gps-time", "the receiver's fix is \(seconds) s off the present time")
        }
    }

    package var scope: FaultScope { .record }
}
