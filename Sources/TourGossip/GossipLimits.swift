import TourModel

/// Times of the replication machine. Reasons: `Protocol/06-replication.md`, "Timers".
extension Limits {
    /// How long changes gather before a `Have` tells neighbours that were not pushed to.
    static let haveDelay: Duration = .milliseconds(250)
    /// How long an event that a `Have` named may still come by a push before it is asked for, and the jitter on top.
    static let graftDelay: Duration = .milliseconds(80)
    static let graftJitterMicrosecondsMax: Int64 = 20_000
    /// A gap beyond this many events is asked for at once: no push will fill it.
    static let graftEventsMax: UInt64 = 64
    /// A pull without an answer for this long goes to another link.
    static let pullTimeout: Duration = .seconds(3)
    /// A pull that is still served after this long is given up too: nobody holds an author back by serving drops.
    static let pullDuration: Duration = .seconds(30)
    /// How long a peer that had nothing of an author is not asked for it: doubles from the first to the last.
    static let refusalMin: Duration = .milliseconds(250)
    static let refusalMax: Duration = .seconds(30)
    /// How long a peer that holds another branch of an author's log is not asked for that author.
    static let forkPause: Duration = .seconds(600)
    /// Runs with a bad signature after which nothing more of this link is believed.
    static let badRunsMax = 8
    /// How long claims gather before they are passed on.
    static let claimDelay: Duration = .milliseconds(100)
    /// The same on links without pushes, where most are known already: a repair, in case the tree has a hole.
    static let lazyClaimDelay: Duration = .seconds(3)
    static let lazyClaimJitterMicrosecondsMax: Int64 = 2_000_000
    /// The least time between two claims of one member; grows with the tour.
    static let claimIntervalMin: Duration = .seconds(1)
    static let claimIntervalPerMember: Duration = .milliseconds(20)
    /// At most so much later by chance, for each member of the tour: all are told of an event at the same time.
    static let claimJitterMicroseconds: Int64 = 4_000
    /// The least time after a claim until one follows that says nothing new but what was read.
    static let readInterval: Duration = .seconds(5)
    /// A claim that changed nothing is renewed after this: the sign of life that others show as "near".
    static let claimHeartbeat: Duration = .seconds(10)
    /// How long until control events are compared again while a link names authors whom nobody explains: doubles from
    /// the first to the last.
    static let comparePauseMin: Duration = .milliseconds(1_200)
    static let comparePauseMax: Duration = .seconds(60)
    /// Pulls that one link may have waiting with us.
    static let servingMax = 8
    /// Heads kept of authors whom the roster does not know yet, a link.
    static let unknownHeadsMax = 256
}
