import TourModel

/// Timers of the replication machine. Reasons: `Protocol/06-replication.md`, "Timers".
extension Limits {
    /// How long changes gather before a `Have` goes to the neighbours that got no push.
    static let haveDelay: Duration = .milliseconds(300)
    /// The longest random delay on top: of two neighbours one sends first, and the other need not.
    static let haveJitterMicroseconds: Int64 = 200_000
    /// The same where the paths lose datagrams: late pushes still arrive, and each `Have` costs more.
    static let haveDelayWhenLossy: Duration = .milliseconds(600)
    static let haveJitterWhenLossyMicroseconds: Int64 = 600_000
    /// The same for events that were pulled because no push brought them: other nodes lack them too.
    static let haveDelayOfMended: Duration = .milliseconds(10)
    static let haveJitterOfMendedMicroseconds: Int64 = 20_000
    /// The least time before a link that joins the tree again gets the whole frontier again.
    package static let tellAllPause: Duration = .seconds(1)
    /// How long claims gather before they are passed on; then the same for claims that only show their member alive.
    static let claimDelay: Duration = .milliseconds(100)
    static let lifeSignDelay: Duration = .seconds(1)
    /// The same on links without pushes, for missed rows: the tree may have a hole there.
    static let lazyClaimDelay: Duration = .seconds(3)
    /// The bytes of rows that go out on a link at once; the next follow after `claimDelay`.
    static let rowsAtOnceBytes = 65_536
}

/// Bounds of events that overtake their author's log. Reasons: `Protocol/06-replication.md`, "Ahead of the log".
extension Limits {
    /// The most events kept ahead of one author's log, and of all logs: a hostile member can sign any number.
    package static let aheadOfAuthorMax = 32
    static let aheadMax = 4_096
    /// The most urgent events sent to a lagging link until its queue has drained: far below `linkQueueBytesClose`.
    package static let urgentWhileLaggingMax = 64
    /// The most urgent events, newest first, sent before a long pull is answered; then the first events of the pull's
    /// range, which arrive at once and are not searched for urgent ones.
    package static let urgentBeforePullMax = 16
    static let urgentBehindFirst: UInt64 = 32
}

/// Bounds of datagrams. Reasons: `Protocol/08-datagrams.md`.
extension Limits {
    /// How long a member counts as hearing us, and we it, after its last datagram: three signs of life, and more where
    /// we lose some of a thousand datagrams, so that random loss alone hardly ever ends a proof.
    package static let voiceLifetime: Duration = .seconds(30)
    static let voiceLifetimeWhenLossy: Duration = .seconds(40)
    static let voiceLifetimeWhenVeryLossy: Duration = .seconds(60)
    /// How long contents gather before a datagram if another has just gone out.
    static let airGathering: Duration = .milliseconds(2)
    /// The most events written at once that go out as datagrams: larger batches go over links.
    static let airDatagramsAtOnce = 4
    /// The most heads, or gaps, and the most members heard that one beacon names.
    static let beaconHeadsMax = 16
    static let beaconHeardMax = 48
    /// The most members that a datagram with claims names besides neighbours: with fifty members everybody is named by
    /// two others within the interval of a sign of life.
    static let claimHeardMax = 4
    /// The longest row that goes out by datagram: with signature and envelope it fits one.
    static let airClaimBytesMax = 1_000
    /// The heads that an author's announcement of its own head names besides; then those in a datagram with claims, and
    /// how recent their changes must be.
    static let tailHeadsMax = 3
    static let newsHeadsMax = 4
    static let newsTime: Duration = .seconds(2)
    /// A head that changed within this time may still be on its way to a member that does not name it.
    static let flightTime: Duration = .seconds(1)

    /// The delay before a new voice is answered, and the longest random delay on top for each member of the tour.
    static let greetingDelay: Duration = .milliseconds(10)
    static let greetingPerMemberMicroseconds: Int64 = 2_000
    /// The least time between two greetings.
    static let greetingPause: Duration = .milliseconds(200)
    /// The author answers within this time. Other members leave it the time to do so; about so many of all members
    /// heard answer, at random moments spread over this time: each must hear the answers before its own.
    static let ownRepairMicroseconds: Int64 = 2_000
    static let othersRepairDelay: Duration = .milliseconds(12)
    static let repairersWanted = 3
    static let repairJitterMicroseconds: Int64 = 30_000
    /// An event sent on the segment within this time is not sent again.
    static let repairPause: Duration = .milliseconds(20)
    /// How long a relay waits for others that carry to the same segment, unless it knows that it is the first; then how
    /// much longer a standby waits for each member before it, and up to how many count.
    static let relayJitterMicroseconds: Int64 = 15_000
    static let standbyDelay: Duration = .milliseconds(15)
    static let standbysMax = 4
    /// The delay of a `Have` to a neighbour that hears us: it names only what the neighbour still lacks by then.
    static let lateHaveDelay: Duration = .seconds(3)
}
