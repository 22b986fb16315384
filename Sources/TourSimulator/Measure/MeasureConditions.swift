import TourModel

/// The conditions of all measurements. A report lists them completely.
package struct MeasureConditions: Hashable, Sendable {
    /// To a neighbour or to everybody on a network; the jitter is added, evenly distributed.
    package var latency: Duration = .milliseconds(1)
    /// Added to the latency, evenly distributed.
    package var jitter: Duration = .milliseconds(2)
    /// How many of a thousand datagrams each receiver loses, and how many of a thousand TCP segments are lost.
    package var lossPerMille = 0
    /// Whether multicast comes through. If it does not, nodes go on trying.
    package var usesMulticast = true
    /// TCP's shortest retransmission timeout, which doubles.
    package var retransmission: Duration = .milliseconds(200)
    /// Of one link: 100 Mbit/s.
    package var bytesPerSecond: Int64 = 12_500_000
    /// The length of each message's text.
    package var textBytes = 200
    /// CPU time for one event at one member, one event after the other: at the author to seal, sign and store it, at
    /// all others to open, verify, store and show it. Measured by `Scripts/bench` for a delivery.
    package var eventWork: Duration = .microseconds(360)
    /// The same for each further event under one signature: 40,000 a second are hashed and stored.
    package var furtherEventWork: Duration = .microseconds(25)
    /// CPU time for one claim: its signature.
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
        // The work for an event includes storing it; others' events do not wait for the disk.
        simulation.nodeConditions.storing = .zero
    }
}
