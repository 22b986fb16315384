import TourModel

/// Under what everything is measured. A report names all of it.
package struct MeasureConditions: Hashable, Sendable {
    /// To a neighbour or to everybody on a network, and on top of it, evenly spread.
    package var latency: Duration = .milliseconds(1)
    package var jitter: Duration = .milliseconds(2)
    /// Of a thousand datagrams at each receiver, and of a thousand TCP segments.
    package var lossPerMille = 0
    /// Whether datagrams come through. Where they do not, nodes go on trying.
    package var usesMulticast = true
    /// TCP's shortest retransmission timeout; it doubles.
    package var retransmission: Duration = .milliseconds(200)
    /// Of one link: 100 Mbit/s.
    package var bytesPerSecond: Int64 = 12_500_000
    package var textBytes = 200
    /// CPU for one event at one member, one after the other: the author's to seal, sign and store it, all others' to
    /// open, verify, store and show it. What `Scripts/bench` finds for a delivery.
    package var eventWork: Duration = .microseconds(360)
    /// The same for each further event under one signature: 40,000 a second are hashed and stored.
    package var furtherEventWork: Duration = .microseconds(25)
    /// CPU for one claim: its signature.
    package var claimWork: Duration = .microseconds(110)
    /// How long the author's disk takes until an event is safe and may be sent.
    package var authorDisk: Duration = .zero

    package init() {}

    func apply(to simulation: Simulation) {
        simulation.conditions.latency = latency
        simulation.conditions.jitter = jitter
        simulation.conditions.lossPerMille = lossPerMille
        simulation.conditions.retransmission = retransmission
        simulation.conditions.bytesPerSecond = bytesPerSecond
        simulation.air.latency = latency
        simulation.air.jitter = jitter
        simulation.air.lossPerMille = lossPerMille
        simulation.air.isBlocked = !usesMulticast
        simulation.nodeConditions.verification = eventWork
        simulation.nodeConditions.furtherEvent = furtherEventWork
        simulation.nodeConditions.claimVerification = claimWork
        // The work for an event includes that of storing it; others' events do not wait for the disk.
        simulation.nodeConditions.storing = .zero
    }
}
