/// Why there is no position. Each says what is known, and none is covered up by an older position.
package enum PositionFault: Error, Hashable, Sendable {
    /// Nobody answers there, or the connection ended.
    case unreachable(GpsdAddress)
    /// Somebody answers who does not speak gpsd's protocol.
    case notGpsd(GpsdAddress)
    /// gpsd runs and has no receiver.
    case noReceiver
    /// The receiver does not know yet where it is.
    case noFix
    /// The receiver's fix is of another time than now, by so many seconds: an old one, or a clock is wrong.
    case timeApart(seconds: Int64)

    package var code: String {
        switch self {
        case .unreachable: "gpsd-unreachable"
        case .notGpsd: "gpsd-malformed"
        case .noReceiver: "gpsd-no-receiver"
        case .noFix: "gps-no-fix"
        case .timeApart: "gps-time"
        }
    }

    /// For people.
    package var message: String {
        switch self {
        case .unreachable(let address): "No gpsd answers at \(address)."
        case .notGpsd(let address): "What answers at \(address) is no gpsd."
        case .noReceiver: "gpsd runs, and has no receiver."
        case .noFix: "The receiver has no fix yet: it needs a free view of the sky."
        case .timeApart(let seconds):
            "The receiver's fix is \(abs(seconds)) s \(seconds < 0 ? "ahead of" : "behind") this machine's clock: "
                + "it is not of now, or the clock is wrong."
        }
    }
}
