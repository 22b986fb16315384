import TourModel

// Urgency on a link: lane 0 overtakes what is queued, as in a real outbox, and waits for the slice that is going out.
extension SimulatedLink.End {
    /// Queues so many bytes.
    /// - Returns: when the last of them has left.
    mutating func queue(_ bytes: Int, isUrgent: Bool, rate: Int64, _ now: Instant) -> Instant {
        func sending(_ count: Int) -> Duration { .microseconds(Int64(count) * 1_000_000 / rate) }
        let start = max(freeAt, now)
        freeAt = start + sending(bytes)
        guard isUrgent else { return freeAt }
        let slice = min(start, now + sending(Limits.slicePayloadBytesMax))
        urgentFreeAt = max(urgentFreeAt, slice) + sending(bytes)
        return urgentFreeAt
    }

    /// On the way nothing overtakes.
    /// - Returns: when a message arrives that would do so at this time.
    mutating func arrive(at time: Instant, sentAt: Instant) -> Instant {
        guard sentAt < freeAt else {
            arrivesAt = max(time, arrivesAt, urgentArrivesAt)
            return arrivesAt
        }
        urgentArrivesAt = max(time, urgentArrivesAt)
        return urgentArrivesAt
    }
}
