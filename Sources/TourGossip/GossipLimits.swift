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
    /// How long a push may still bring an event that a `Have` named before this node pulls it, also where pushes travel
    /// on lossy paths: a pull travels on the connection, which is slower still. Then the random delay on top.
    static let graftDelay: Duration = .milliseconds(80)
    static let graftDelayWhenLossy: Duration = .milliseconds(400)
    static let graftJitterMicrosecondsMax: Int64 = 20_000
    /// A second copy of the root's row within this time shows a cycle in the tree.
    static let duplicateTime: Duration = .seconds(1)
    /// How long this node waits before it pulls what a neighbour's row shows: pushes, answers and frontiers bring it
    /// sooner.
    static let claimedPullDelay: Duration = .seconds(2)
    static let claimedPullJitterMicroseconds: Int64 = 1_000_000
    /// The least number of events of one author at once that counts as a burst.
    static let burstEventsMin = 32
    /// How long until a neighbour that keeps pushing gets another `Prune`.
    static let prunePause: Duration = .seconds(5)
    /// The least time before a link that joins the tree again gets the whole frontier again.
    package static let tellAllPause: Duration = .seconds(1)
    /// A gap of more events than this is pulled at once: no push will fill it.
    static let graftEventsMax: UInt64 = 64
    /// A pull without an answer for this long moves to another link.
    static let pullTimeout: Duration = .seconds(3)
    /// A pull that is still being served after this long is given up too: no peer can stall an author by serving drops.
    static let pullDuration: Duration = .seconds(30)
    /// How long an author is not pulled from a peer that had nothing of it: doubles from the first value to the second.
    static let refusalMin: Duration = .milliseconds(250)
    static let refusalMax: Duration = .seconds(30)
    /// How long an author is not pulled from a peer that holds another branch of its log.
    static let forkPause: Duration = .seconds(600)
    /// The number of runs with a bad signature after which this node trusts nothing more from the link.
    static let badRunsMax = 8
    /// How long claims gather before they are passed on; then the same for claims that only show their member alive.
    static let claimDelay: Duration = .milliseconds(100)
    static let lifeSignDelay: Duration = .seconds(1)
    /// The same on links without pushes, for missed rows: the tree may have a hole there.
    static let lazyClaimDelay: Duration = .seconds(3)
    /// The bytes of rows that go out on a link at once; the next follow after `claimDelay`.
    static let rowsAtOnceBytes = 65_536
    /// The silence after which a sign of life counts as missing, and the least time between two links added to the tree
    /// for it.
    static let silenceTime: Duration = .seconds(22)
    static let silencePause: Duration = .seconds(10)
    /// The least time between two claims of one member; grows with the tour, up to the sign of life.
    static let claimIntervalMin: Duration = .seconds(1)
    static let claimIntervalPerMember: Duration = .milliseconds(200)
    /// The longest random delay, for each member of the tour: all members learn of an event at the same time.
    static let claimJitterMicroseconds: Int64 = 4_000
    /// The least time after a claim before one follows that only changes the read position.
    static let readInterval: Duration = .seconds(5)
    /// The time after which an unchanged claim is renewed, and the longest random delay on top: other members show this
    /// sign of life as "near".
    static let claimHeartbeat: Duration = .milliseconds(9_500)
    static let heartbeatJitterMicroseconds: Int64 = 1_000_000
    /// The least number of rows that list a change, plus so many for each extra copy in which runs are sent; then the
    /// least time, so long that in the end links carry the change to members whom datagrams no longer reach.
    static let claimRepeats = 2
    static let claimRepeatsPerWord = 2
    static let claimRepeatTime = voiceLifetime
    /// The most heads in one row: a row of fifty members lists all of them and fits a datagram.
    static let claimHeadsMax = 64
    /// The most changed heads that a row lists besides its hash.
    static let headsBesideWholeMax = 8
    /// Events that arrived within this time may not be everywhere yet: a hash over them would tell others nothing.
    static let settlingTime: Duration = .milliseconds(500)
    /// The most events from which earlier frontiers are derived, and the most frontiers cached.
    static let timelineMax = 512
    static let wholeFrontiersMax = 16
    static let longClaimInterval: Duration = .seconds(300)
    /// The most rows kept of one member: 16 long ones cover a thousand authors, the rest the changes between two.
    static let claimRowsMax = 24
    /// The most older claims that wait for one link: a later long row covers the rest.
    static let olderClaimsMax = 4_096
    /// How long until control events are compared again while a link names authors that nobody explains: doubles from
    /// the first value to the second.
    static let comparePauseMin: Duration = .milliseconds(1_200)
    static let comparePauseMax: Duration = .seconds(60)
    /// The most pulls that one link may have waiting with us.
    static let servingMax = 8
    /// How long after a restore no member may show more of this node's log than its store holds before the node writes
    /// on: by then neighbours have sent the rows that they keep of absent members.
    package static let recoveryQuiet: Duration = .seconds(5)
    /// The members that must have stated how much of the log they hold, if the tour has as many: one alone could hide
    /// the end.
    package static let recoveryWitnesses = 2
    /// The most heads kept for each link of authors that the roster does not know yet.
    static let unknownHeadsMax = 256
}

/// Bounds of events that overtake their author's log. Reasons: `Protocol/06-replication.md`, "Ahead of the log".
extension Limits {
    /// The most events kept ahead of one author's log, and of all logs: a hostile member can sign any number.
    package static let aheadOfAuthorMax = 32
    static let aheadMax = 4_096
    /// The farthest that an event may lie ahead of the end of its log: farther than any tour's log is long.
    static let aheadDistanceMax: UInt64 = 1_000_000
    /// The most such events that are being verified.
    static let trialsMax = 64
    /// The most places remembered of events that a link received or was sent ahead of a log.
    static let urgentOfLinkMax = 256
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
    /// The pause before each further copy, if more than one is sent: loss comes in bursts.
    static let copyPauses: [Duration] = [
        .milliseconds(12), .milliseconds(28), .milliseconds(45), .milliseconds(60), .milliseconds(80),
    ]
    /// The most copies of a run, the first included; an urgent run has one more.
    static let copiesMax = 6
    /// One more copy pays off while more than so many members of a thousand are expected to miss all the others: each
    /// round of question and answer costs more.
    static let missesPerMilleMax = 600
    /// The losses of a thousand from which voices stay valid for longer, and for longer still.
    static let lossHigh = 20
    static let lossVeryHigh = 150
    /// How long a question for an event of ours counts as a sign of loss.
    static let askedLifetime: Duration = .seconds(10)
    /// The datagrams after which a loss estimate counts, and the window after which the meter halves its counts.
    static let lossSampleMin = 20
    static let lossWindow = 256
    static let lossGapMax: UInt64 = 64
    /// A fifth of the throughput of the slowest common cell; then the bytes that may go out at once.
    static let airBytesPerSecond = 150_000
    static let airBurstBytes = 32_768
    /// The most events written at once that go out as datagrams: larger batches go over links.
    static let airDatagramsAtOnce = 4
    /// The least and the most time between two beacons, and the bounds of a beacon's contents.
    static let trickleMin: Duration = .milliseconds(100)
    static let trickleMax: Duration = .seconds(16)
    /// The least interval grows with the members: members that send at one moment do not hear each other.
    static let trickleMinPerVoice: Duration = .milliseconds(2)
    static let trickleRedundancy = 2
    static let beaconHeadsMax = 16
    static let beaconHeardMax = 48
    /// The most members that a datagram with claims names besides neighbours: with fifty members everybody is named by
    /// two others within the interval of a sign of life.
    static let claimHeardMax = 4
    /// How long a hearer of ours counts in what people see: it must still be heard and have named us within this time.
    static let hearerMemory: Duration = .seconds(900)
    /// How long a voice counts as new and is named before others.
    static let newVoiceTime: Duration = .seconds(10)
    /// The longest row that goes out by datagram: with signature and envelope it fits one.
    static let airClaimBytesMax = 1_000
    /// How long after its last event an author announces its head, for members that missed the event. Where copies are
    /// sent there is loss, and the author announces it sooner: a moment after the last copy.
    static let tailDelay: Duration = .milliseconds(120)
    static let tailDelayAfterCopies: Duration = .milliseconds(12)
    /// The expected misses of a thousand above which the author announces its head twice, and the time between the two.
    static let unawarePerMilleMax = 5
    static let tailRepeat: Duration = .milliseconds(25)
    /// The delay added for each member heard: another member may announce the head meanwhile.
    static let tailDelayPerVoice: Duration = .milliseconds(1)
    /// The heads that such an announcement names besides the author's; then those in a datagram with claims, and how
    /// recent their changes must be.
    static let tailHeadsMax = 3
    static let newsHeadsMax = 4
    static let newsTime: Duration = .seconds(2)
    /// A head that changed within this time may still be on its way to a member that does not name it.
    static let flightTime: Duration = .seconds(1)
    /// The interval of beacons after that announcement; half of it where loss is high.
    static let trickleCalm: Duration = .seconds(1)

    static func tailDelay(copies: Int) -> Duration {
        guard copies > 1 else { return tailDelay }
        return copyPauses.prefix(copies - 1).reduce(tailDelayAfterCopies, +)
    }

    /// The delay before a new voice is answered, and the longest random delay on top for each member of the tour.
    static let greetingDelay: Duration = .milliseconds(10)
    static let greetingPerMemberMicroseconds: Int64 = 2_000
    /// The least time between two greetings.
    static let greetingPause: Duration = .milliseconds(200)
    /// How long a gap waits for datagrams on their way, plus a random delay; then how long each question waits for the
    /// next.
    static let gapDelay: Duration = .milliseconds(3)
    static let gapJitterMicroseconds: Int64 = 15_000
    static let gapJitterMicrosecondsPerMember: Int64 = 800
    static let gapRepeat: Duration = .milliseconds(45)
    static let gapRepeatWhenLossy: Duration = .milliseconds(22)
    /// How long our question waits when another member has asked for the same events.
    static let gapHold: Duration = .milliseconds(40)
    /// The questions before links are asked; then the longest gap that is asked for by datagram, and the most gaps at
    /// once.
    static let gapTriesMax = 4
    static let gapEventsMax: UInt64 = 16
    static let gapsMax = 64
    /// The author answers within this time. Other members leave it the time to do so; about so many of all members
    /// heard answer, at random moments spread over this time: each must hear the answers before its own.
    static let ownRepairMicroseconds: Int64 = 2_000
    static let othersRepairDelay: Duration = .milliseconds(12)
    static let repairersWanted = 3
    static let repairJitterMicroseconds: Int64 = 30_000
    /// An event sent on the segment within this time is not sent again.
    static let repairPause: Duration = .milliseconds(20)
    static let repairsMax = 128
    /// How long a relay waits for others that carry to the same segment, unless it knows that it is the first; then how
    /// much longer a standby waits for each member before it, and up to how many count.
    static let relayJitterMicroseconds: Int64 = 15_000
    static let standbyDelay: Duration = .milliseconds(15)
    static let standbysMax = 4
    /// The most runs waiting to go out on one segment.
    static let flightsMax = 256
    /// The most events kept to answer questions; with `datagramBytesMax` a bound in bytes.
    static let recentEventsMax = 128
    /// The most runs kept that arrived before the events they continue, of one author and in all.
    static let heldRunsOfAuthorMax = 16
    static let heldRunsMax = 256
    /// The most bytes of all these runs together: a run from a connection is longer than a datagram.
    static let heldBytesMax = heldRunsMax * datagramBytesMax
    /// How long bad runs keep this node from reading a segment's runs.
    static let airDistrust: Duration = .seconds(10)
    /// The delay of a `Have` to a neighbour that hears us: it names only what the neighbour still lacks by then.
    static let lateHaveDelay: Duration = .seconds(3)
}

/// Bounds of datagrams to one neighbour. Reasons: `Protocol/08-datagrams.md`, "Paths".
extension Limits {
    /// The most numbers in flight: one acknowledgement covers so many.
    static let pathWindow: UInt64 = 64
    /// The longest message that goes out by datagram: with number, acknowledgement and envelope it fits one.
    static let pathMessageBytesMax = pathPlaintextBytesMax - 48
    /// The bytes of rows that go out by datagrams at once; the next follow after `claimDelay`. Half of what a path
    /// carries, so that events have room beside them.
    static let pathRowsAtOnceBytes = 7_500
    /// How long the acknowledgement of live events may be held back for others, in milliseconds; where there is loss,
    /// that of rows.
    static let pathLivePatience = 100
    /// Messages up to this size are sent again, where for longer ones a question is sent: a question has as many bytes.
    static let pathShortBytes = 96
    /// How long to wait for an acknowledgement: before any arrived, at least and at most.
    static let pathTimeoutFirst: Duration = .milliseconds(50)
    static let pathTimeoutMin: Duration = .milliseconds(8)
    static let pathTimeoutMax: Duration = .milliseconds(500)
    /// The tries, questions included, before that time doubles, and how often it doubles.
    static let pathQuickTries = 6
    static let pathDoublingsMax = 3
    /// The tries before the connection takes over, if nothing was acknowledged for `pathSilence`.
    static let pathTriesMax = 14
    /// The same for a peer that still acknowledges something.
    static let pathTriesOfAliveMax = 40
    static let pathSilence: Duration = .seconds(1)
    /// The time after which a failed path is tried again.
    static let pathPause: Duration = .seconds(5)
    /// The losses of a thousand, there and back, from which acknowledgements of live events go out at once.
    static let pathLossHigh = 30
    /// The losses from which unacknowledged messages are sent again without a question.
    static let pathLossVeryHigh = 300
    /// The repeated datagrams of a thousand from which acknowledgements that did not wait go out twice, and those at
    /// which that ends; then the time between the two.
    static let pathDoublesHigh = 150
    static let pathDoublesLow = 30
    static let pathEchoPause: Duration = .milliseconds(3)
    /// The silence after which this node asks a peer for a sign of life: before the connection would ask.
    static let pathLifeInterval: Duration = .seconds(9)
    /// How long a run that arrived by datagram before its predecessor waits for it.
    static let pathPatience: Duration = .milliseconds(400)
}

/// Bounds of positions. Reasons: `Protocol/06-replication.md`, "Positions".
extension Limits {
    /// How long rows gather before they go out on a link of the tree, and on another link.
    static let positionDelay: Duration = .milliseconds(500)
    static let lazyPositionDelay: Duration = .seconds(2)
    /// The least time between two rows of one member that are passed on.
    static let positionSpreadPause: Duration = .seconds(5)
    /// The rows of one link that are checked at once in the smallest tour.
    static let positionChecksMin = 16
}
