import NIOCore
import TourLink
import TourModel

/// Says for one connection when the next slice of a file goes to the system, which nothing overtakes in there.
///
/// Lives on the connection's loop.
final class BlobValve {
    /// Of one network, by our own address on it.
    typealias Turns = NIOLoopBoundBox<[String: BlobTurns<ObjectIdentifier>]>

    private let channel: any Channel
    private let network: String
    private let turns: Turns
    private var pace = BlobPace()

    init(_ channel: any Channel, network: String, turns: Turns) {
        self.channel = channel
        self.network = network
        self.turns = turns
    }

    enum Verdict {
        case opens
        /// To be asked again after so long.
        case stays(Duration)
    }

    func ask(now: Instant) -> Verdict {
        // What is no socket tells nothing, and keeps nothing.
        guard let reading = TCPReading.of(channel) else { return .opens }
        switch pace.judge(reading) {
        case .goes:
            leave()
            return .opens
        case .waits: return .stays(reading.lookInterval)
        case .takesTurns:
            let isTaken = turns.value[network, default: BlobTurns()].takes(link, now: now)
            return isTaken ? .opens : .stays(reading.lookInterval)
        }
    }

    /// Nothing waits, or the connection is gone.
    func leave() { turns.value[network]?.leave(link) }

    private var link: ObjectIdentifier { ObjectIdentifier(self) }
}
