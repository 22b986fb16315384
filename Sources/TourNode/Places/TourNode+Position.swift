import NIOCore
import TourModel
import TourPosition

// The position of this device, from its receiver.
extension TourNode {
    /// How long a request waits for a fix.
    private static let patience: Duration = .seconds(10)

    /// The receiver's next fix; never an older one.
    /// - Parameter gpsd: `HOST:PORT`; nil: the one that the node runs with.
    /// - Throws: `gpsd-unreachable`, `gpsd-malformed`, `gpsd-no-receiver`, `gps-no-fix`, `gps-time`, `bad-gpsd`.
    package nonisolated func position(gpsd: String?) async throws(NodeError) -> Fix {
        let receiver = try receiver(at: gpsd)
        do throws(PositionFault) {
            return try await receiver.fix(patience: Self.patience)
        } catch {
            throw NodeError.place(.position(error))
        }
    }

    nonisolated func receiver(at text: String?) throws(NodeError) -> Gpsd {
        let text = text ?? settings.gpsd
        guard let address = text.map(GpsdAddress.init) ?? .usual else {
            throw NodeError.place(.badReceiver)
        }
        return Gpsd(at: address, group: loop) { NodeClock.wallMilliseconds }
    }
}
