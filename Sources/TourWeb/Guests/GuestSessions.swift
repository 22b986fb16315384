import TourCrypto
import TourModel
import TourWords

/// The channels of guests' phones: who may open one, what each may ask for, and when it ends.
/// Source: `Protocol/15-seats.md`, "Channel" and "Limits".
///
/// - Parameter Ticket: a phone's right to act for its seat.
package struct GuestSessions<Ticket: Hashable & Sendable>: Sendable {
    /// What names a channel: random bytes of ours.
    package typealias Name = [UInt8]

    /// What becomes of a request.
    package enum Verdict: Equatable, Sendable {
        case goesOn
        /// To be asked again after so many seconds.
        case tooMuch(seconds: Int)
    }

    private struct Session {
        var channel: SeatChannel
        let address: String
        /// Whether the phone has no key of ours yet: it may show the digits beside the code, and nothing else.
        let isKeyless: Bool
        var usedAt: Instant
        /// The seat and the right to act for it; nil: the phone is a stranger yet.
        var seat: (name: String, ticket: Ticket)?
        /// The number of the stream of news that is open now; nil: none.
        var stream: UInt64?
        var running = 0
        /// What the guest reads; nil: the phone has not said.
        var language: Language?
        /// Of a stranger; those of a seat count together.
        var requests: TokenBucket

        /// Those who are asked to leave first come first.
        var quietness: (Int, Instant) { (stream == nil ? 0 : 1, usedAt) }
    }

    private var sessions: [Name: Session] = [:]
    private var requests: [String: TokenBucket] = [:]
    private var streams: UInt64 = 0
    private var firstHellos: TokenBucket?
    private var hellos: TokenBucket?
    private var hellosOfAddress = KeyedRate<String>(ofEach: GuestLimits.hellosOfAddress)
    private var enters = KeyedRate<String>(ofEach: GuestLimits.enters)
    private var mistakes = KeyedRate<String>(ofEach: GuestLimits.mistakes)
    private var addresses = GuestAddresses()
    /// The addresses that have said hello lately and had no guest.
    private var greeted = GuestAddresses()

    package init() {}

    /// How many channels are open, and how many of them have no seat.
    package var count: Int { sessions.count }
    /// How many channels have no seat.
    package var strangers: Int { sessions.values.count { $0.seat == nil } }

    // MARK: - Channels

    /// Whoever has many addresses uses up what all have together; a guest who comes back needs only its own.
    /// - Returns: false for a hello too many, which costs no computation then.
    package mutating func mayGreet(from address: String, now: Instant) -> Bool {
        guard hellosOfAddress.hasOne(address, now: now) else { return false }
        if !hasGuest(at: address), !addresses.has(address, now: now) {
            let isFree =
                greeted.has(address, now: now)
                ? Self.take(from: &hellos, GuestLimits.hellos, now)
                : Self.take(from: &firstHellos, GuestLimits.firstHellos, now)
            guard isFree else { return false }
            greeted.record(address, of: address, now: now)
        }
        hellosOfAddress.count(address, now: now)
        return true
    }

    private static func take(from bucket: inout TokenBucket?, _ rate: TokenBucket.Rate, _ now: Instant) -> Bool {
        var filled = bucket ?? TokenBucket(full: rate, at: now)
        let isFree = filled.hasOne(now: now)
        if isFree { filled.acquire() }
        bucket = filled
        return isFree
    }

    /// A channel was opened. Where there are too many strangers, one of the address that has most of them makes room.
    /// - Parameter isKeyless: whether the phone has no key of ours yet.
    package mutating func open(
        _ name: Name, _ channel: SeatChannel, from address: String, isKeyless: Bool = false, now: Instant
    ) {
        let waiting = sessions.filter { $0.value.seat == nil }
        if waiting.count >= GuestLimits.strangersMax {
            let shares = Dictionary(grouping: waiting, by: \.value.address)
            let largest = shares.values.max { $0.count < $1.count } ?? []
            if let oldest = largest.min(by: { $0.value.usedAt < $1.value.usedAt }) { sessions[oldest.key] = nil }
        }
        sessions[name] = Session(
            channel: channel, address: address, isKeyless: isKeyless, usedAt: now,
            requests: TokenBucket(full: GuestLimits.strangersRequests, at: now))
    }

    /// Whether the phone of a channel has no key of ours.
    package func isKeyless(_ name: Name) -> Bool { sessions[name]?.isKeyless ?? true }

    /// Whether there is such a channel.
    package func knows(_ name: Name) -> Bool { sessions[name] != nil }

    /// For whom a request of this channel counts; nil: there is no such channel.
    package func owner(of name: Name) -> GuestBodies.Owner? {
        sessions[name].map { session in session.seat.map { .seat($0.name) } ?? .address(session.address) }
    }

    /// Whether a guest has a seat from this address.
    package func hasGuest(at address: String) -> Bool {
        sessions.values.contains { $0.seat != nil && $0.address == address }
    }

    /// Opens a request; its number counts as used.
    /// - Returns: nil for an unknown channel, a number that was used, and a box that does not open.
    package mutating func open(
        _ box: [UInt8], number: UInt64, of name: Name, now: Instant
    ) -> (plaintext: [UInt8], channel: SeatChannel)? {
        // Changed in its place: a copy of a channel copies the numbers that it has seen.
        guard let plaintext = sessions[name]?.channel.open(request: box, number: number),
            let channel = sessions[name]?.channel
        else { return nil }
        sessions[name]?.usedAt = now
        return (plaintext, channel)
    }

    /// The right of a channel to act for a seat; nil: it has none.
    package func ticket(of name: Name) -> Ticket? { sessions[name]?.seat?.ticket }

    /// The guest of a channel reads this language.
    package mutating func read(_ language: Language, at name: Name) { sessions[name]?.language = language }

    /// What the guest of a channel reads; nil: the phone has not said.
    package func language(of name: Name) -> Language? { sessions[name]?.language }

    /// Whether any channel has this seat.
    package func has(seat: String) -> Bool { sessions.values.contains { $0.seat?.name == seat } }

    // MARK: - Requests

    /// A request of a channel begins; where it goes on, `end` follows.
    package mutating func begin(_ name: Name, now: Instant) -> Verdict {
        guard let session = sessions[name] else { return .tooMuch(seconds: 1) }
        let running: Int
        var bucket: TokenBucket
        if let seat = session.seat?.name {
            running = sessions.values.reduce(0) { $0 + ($1.seat?.name == seat ? $1.running : 0) }
            bucket = requests[seat] ?? TokenBucket(full: GuestLimits.requests, at: now)
        } else {
            running = session.running
            bucket = session.requests
        }
        let isFree = bucket.hasOne(now: now) && running < GuestLimits.runningMax
        if isFree {
            bucket.acquire()
            sessions[name]?.running += 1
        }
        if let seat = session.seat?.name { requests[seat] = bucket } else { sessions[name]?.requests = bucket }
        return isFree ? .goesOn : .tooMuch(seconds: 1)
    }

    /// A request was answered.
    package mutating func end(_ name: Name, now: Instant) {
        sessions[name]?.running -= 1
        sessions[name]?.usedAt = now
    }

    // MARK: - Seats

    /// Whether somebody at this address may try to come in.
    package mutating func mayEnter(from address: String, now: Instant) -> Verdict {
        guard mistakes.hasOne(address, now: now) else { return .tooMuch(seconds: mistakes.pauseSeconds) }
        guard enters.hasOne(address, now: now) else { return .tooMuch(seconds: enters.pauseSeconds) }
        enters.count(address, now: now)
        return .goesOn
    }

    /// Whether somebody at this address may show a secret, or digits.
    package mutating func mayShow(from address: String, now: Instant) -> Verdict {
        mistakes.hasOne(address, now: now) ? .goesOn : .tooMuch(seconds: mistakes.pauseSeconds)
    }

    /// A pass, a secret or digits were wrong.
    package mutating func mistook(at address: String, now: Instant) { mistakes.count(address, now: now) }

    /// A channel has a seat from here on. Of too many channels of one seat the one that was quiet for longest ends, if
    /// it may be one without a stream of news: nobody waits there.
    /// - Returns: the rights that end with this.
    package mutating func seat(_ ticket: Ticket, named seat: String, at name: Name, now: Instant) -> [Ticket] {
        // The channel ended in the mean time.
        guard let before = sessions[name] else { return [ticket] }
        var ended = [before.seat?.ticket].compactMap(\.self)
        sessions[name]?.seat = nil
        let others = sessions.filter { $0.value.seat?.name == seat }
        if others.count >= GuestLimits.channelsMax,
            let quiet = others.min(by: { $0.value.quietness < $1.value.quietness })
        {
            ended += [quiet.value.seat?.ticket].compactMap(\.self)
            addresses.record(quiet.value.address, of: seat, now: now)
            sessions[quiet.key] = nil
        }
        sessions[name]?.seat = (seat, ticket)
        sessions[name]?.usedAt = now
        addresses.record(before.address, of: seat, now: now)
        return ended.filter { $0 != ticket }
    }

    // MARK: - News

    /// How many streams are open.
    package var openStreams: Int { sessions.values.count { $0.stream != nil } }

    /// A stream of news begins; an older one of the channel ends by this.
    /// - Returns: its number; nil for an unknown channel.
    package mutating func openStream(of name: Name) -> UInt64? {
        guard sessions[name] != nil else { return nil }
        streams += 1
        sessions[name]?.stream = streams
        return streams
    }

    /// Whether a stream goes on: its channel is open, and has no newer one.
    package func goesOn(_ stream: UInt64, of name: Name) -> Bool { sessions[name]?.stream == stream }

    /// A stream has ended.
    package mutating func closeStream(_ stream: UInt64, of name: Name, now: Instant) {
        guard goesOn(stream, of: name) else { return }
        sessions[name]?.stream = nil
        sessions[name]?.usedAt = now
    }

    // MARK: - Ends

    /// Ends the channels that were quiet for too long.
    /// - Returns: the rights that end with them.
    package mutating func expire(now: Instant) -> [Ticket] {
        let quiet = sessions.filter {
            $0.value.stream == nil && $0.value.running <= 0 && now - $0.value.usedAt >= GuestLimits.idleMax
        }
        for (name, session) in quiet {
            if let seat = session.seat?.name { addresses.record(session.address, of: seat, now: now) }
            sessions[name] = nil
        }
        let seats = Set(sessions.values.compactMap { $0.seat?.name })
        requests = requests.filter {
            seats.contains($0.key) || (now - $0.value.at).microseconds < GuestLimits.requests.refillMicroseconds
        }
        return quiet.values.compactMap { $0.seat?.ticket }
    }

    /// The rights to act for seats.
    package var tickets: [Ticket] { sessions.values.compactMap { $0.seat?.ticket } }

    /// Ends the channels of these seats: nothing of them is known any more.
    /// - Returns: the rights that end with them.
    package mutating func end(seats: Set<String>) -> [Ticket] {
        let ended = sessions.filter { $0.value.seat.map { seats.contains($0.name) } ?? false }
        for name in ended.keys { sessions[name] = nil }
        for seat in seats { requests[seat] = nil }
        addresses.forget(seats)
        return ended.values.compactMap { $0.seat?.ticket }
    }

    /// Ends all channels.
    /// - Returns: the rights that end with them.
    package mutating func endAll() -> [Ticket] {
        let ended = sessions.values.compactMap { $0.seat?.ticket }
        sessions = [:]
        return ended
    }
}
