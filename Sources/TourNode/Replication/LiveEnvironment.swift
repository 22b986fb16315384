import NIOCore
import TourModel
import TourRuntime
import TourTransport
import TourWire

/// What surrounds the machine of one tour in a running node.
// Made, used and dropped on the node's loop, to which the session belongs.
struct LiveEnvironment: TourEnvironment, @unchecked Sendable {
    let node: TourNode
    let session: TourSession

    /// How long the queue of a link has to drain before it gets more.
    private static var owedPause: TimeAmount { .milliseconds(100) }

    var reading: ClockReading { NodeClock.reading }
    var applied: Instant { NodeClock.now }

    var rng: SplitMix64 {
        get { node.assumeIsolated { $0.rng } }
        nonmutating set { node.assumeIsolated { $0.rng = newValue } }
    }

    func queuedBytes(on link: LinkID) -> Int { session.connections[link]?.queuedBytes ?? 0 }

    func send(_ message: LinkMessage, on link: LinkID) { session.connections[link]?.send(message) }

    func carryOut(_ effect: TourEffect) { node.assumeIsolated { $0.carryOut(effect, session) } }

    func goOn(sendingOwedOn link: LinkID) {
        let tour = session.tour
        node.loop.scheduleTask(in: Self.owedPause) { [weak node] () -> Void in
            node?.assumeIsolated { node in
                guard let session = node.sessions[tour] else { return }
                session.runner.sendOwed(on: link, in: LiveEnvironment(node: node, session: session))
            }
        }
    }

    func wake(at deadline: Instant?) { node.assumeIsolated { $0.schedule(session, at: deadline) } }
}
