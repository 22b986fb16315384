import TourModel
import TourWire

/// One call of the machine, as its parts see it: the time, the generator of random delays, and what the shell is to do.
///
/// A part that needs the generator or the outputs gets it as one `inout` argument; one that needs the time alone gets
/// that.
struct Step<Generator: RandomNumberGenerator> {
    /// The time of the call, the same for all parts.
    let now: Instant
    /// What the shell is asked for, in order.
    var outputs: [GossipMachine.Output]
    /// The caller's generator. It is the last property because only its size differs from caller to caller.
    var rng: Generator

    init(now: Instant, rng: Generator, outputs: [GossipMachine.Output]) {
        self.now = now
        self.outputs = outputs
        self.rng = rng
    }

    /// A `Have` of these heads.
    mutating func have(_ heads: [KnownHead]) -> LinkMessage {
        let salt = UInt64.random(in: 0...UInt64.max, using: &rng)
        return .have(Have(salt: salt, heads: heads.map { $0.tagged(salt) }))
    }

    /// A random delay, at most this many microseconds.
    mutating func jitter(_ microsecondsMax: Int64) -> Duration {
        .microseconds(Int64.random(in: 0...microsecondsMax, using: &rng))
    }
}
