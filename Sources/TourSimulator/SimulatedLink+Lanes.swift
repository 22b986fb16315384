import TourModel

// Urgency on a link: lane 0 overtakes queued bytes, as in a real outbox, and waits only for the slice being sent.
extension SimulatedLink.End {
    /// Queues this many bytes.
    /// - Returns: when the last of them has been sent.
    mutating func queue(_ bytes: Int, isUrgent: Bool, rate: Int64, _ now: Instant) -> Instant {
        func sending(_ count: Int) -> Duration { .microseconds(Int64(count) * 1_000_000 / rate) }
        let start = max(freeAt, now)
        freeAt = start + sending(bytes)
        guard isUrgent else { return freeAt }
        let slice = min(start, now + sending(Limits.slicePayloadBytesMax))
        urgentFreeAt = max(urgentFreeAt, slice) + sending(bytes)
        return urgentFreeAt
    }

    /// Nothing overtakes on the way.
    /// - Returns: when a message arrives that would otherwise arrive at `time`.
    mutating func arrive(at time: Instant, sentAt: Instant) -> Instant {
        guard sentAt < freeAt else {
            arrivesAt = max(time, arrivesAt, urgentArrivesAt)
            return arrivesAt
        }
        urgentArrivesAt = max(time, urgentArrivesAt)
        return urgentArrivesAt
    }
}
