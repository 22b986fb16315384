import TourModel

/// Times of the replication machine. Reasons: `Protocol/06-replication.md`, "Timers".
extension Limits {
    /// How long changes gather before a `Have` tells neighbours that were not pushed to.
    static let haveDelay: Duration = .milliseconds(300)
    /// At most so much later by chance: of two neighbours one speaks first, and the other need not.
    static let haveJitterMicroseconds: Int64 = 200_000
    /// The same where the paths lose something: what is late comes, and each Have costs more.
    static let haveDelayWhenLossy: Duration = .milliseconds(600)
    static let haveJitterWhenLossyMicroseconds: Int64 = 600_000
    /// The same for what was pulled because no push brought it: others miss it as well.
    static let haveDelayOfMended: Duration = .milliseconds(10)
    static let haveJitterOfMendedMicroseconds: Int64 = 20_000
    /// How long an event that a `Have` named may still come by a push before it is asked for, also where pushes come by
    /// lossy paths: a pull goes by the connection, which is slower still. And the jitter on top.
    static let graftDelay: Duration = .milliseconds(80)
    static let graftDelayWhenLossy: Duration = .milliseconds(400)
    static let graftJitterMicrosecondsMax: Int64 = 20_000
    /// A second copy of the root's row that comes within this shows a circle.
    static let duplicateTime: Duration = .seconds(1)
    /// What a neighbour's row shows is waited for so long: pushes, answers and frontiers bring it sooner.
    static let claimedPullDelay: Duration = .seconds(2)
    static let claimedPullJitterMicroseconds: Int64 = 1_000_000
    /// So many events of one author at once are a burst.
    static let burstEventsMin = 32
    /// How long until a neighbour who pushes all the same is told once more not to.
    static let prunePause: Duration = .seconds(5)
    /// A link that joins the tree once more is not told all that is here before this has passed.
    package static let tellAllPause: Duration = .seconds(1)
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
    /// How long claims gather before they are passed on; and those that say nothing but that their member is alive.
    static let claimDelay: Duration = .milliseconds(100)
    static let lifeSignDelay: Duration = .seconds(1)
    /// The same on links without pushes, for what was missed: the tree may have a hole there.
    static let lazyClaimDelay: Duration = .seconds(3)
    /// Rows that go out on a link at once; the next follow after `claimDelay`.
    static let rowsAtOnceBytes = 65_536
    /// After which silence a sign of life is missing, and how often one more link is made part of the tree for it.
    static let silenceTime: Duration = .seconds(22)
    static let silencePause: Duration = .seconds(10)
    /// The least time between two claims of one member; grows with the tour, up to the sign of life.
    static let claimIntervalMin: Duration = .seconds(1)
    static let claimIntervalPerMember: Duration = .milliseconds(200)
    /// At most so much later by chance, for each member of the tour: all are told of an event at the same time.
    static let claimJitterMicroseconds: Int64 = 4_000
    /// The least time after a claim until one follows that says nothing new but what was read.
    static let readInterval: Duration = .seconds(5)
    /// A claim that changed nothing is renewed after this, and up to so much later by chance: the sign of life that
    /// others show as "near".
    static let claimHeartbeat: Duration = .milliseconds(9_500)
    static let heartbeatJitterMicroseconds: Int64 = 1_000_000
    /// Rows that list a change at least: so many, and more for each copy in which runs are sent; and all for so long
    /// that in the end it goes by links to whom no datagram reaches any more.
    static let claimRepeats = 2
    static let claimRepeatsPerWord = 2
    static let claimRepeatTime = voiceLifetime
    /// Heads of one row, and how often a row has as many: all of fifty members, and their row fits a datagram.
    static let claimHeadsMax = 64
    /// Changed heads that a row lists besides its hash, if there are more.
    static let headsBesideWholeMax = 8
    /// What came within this may not be everywhere yet: a hash over it would tell others nothing.
    static let settlingTime: Duration = .milliseconds(500)
    /// Events from which earlier frontiers follow, and frontiers at hand.
    static let timelineMax = 512
    static let wholeFrontiersMax = 16
    static let longClaimInterval: Duration = .seconds(300)
    /// Rows kept of one member: of a thousand authors 16 long ones, and what changed between two.
    static let claimRowsMax = 24
    /// Claims other than the newest that wait for one link: what is more comes with a long row, later.
    static let olderClaimsMax = 4_096
    /// How long until control events are compared again while a link names authors whom nobody explains: doubles from
    /// the first to the last.
    static let comparePauseMin: Duration = .milliseconds(1_200)
    static let comparePauseMax: Duration = .seconds(60)
    /// Pulls that one link may have waiting with us.
    static let servingMax = 8
    /// How long nobody may know more of this node's log than its store holds until it writes on after a restore: rows
    /// that neighbours keep of absent members are there by then.
    package static let recoveryQuiet: Duration = .seconds(5)
    /// Members who must have said what they hold of it, if the tour has as many others: one alone could hide the end.
    package static let recoveryWitnesses = 2
    /// Heads kept of authors whom the roster does not know yet, a link.
    static let unknownHeadsMax = 256
}

/// Bounds of what overtakes its author's log. Reasons: `Protocol/06-replication.md`, "Ahead of the log".
extension Limits {
    /// Events kept ahead of one author's log, and of all: a hostile member can sign as many as it likes.
    package static let aheadOfAuthorMax = 32
    static let aheadMax = 4_096
    /// How far ahead of the end of its log: more than any tour's log has.
    static let aheadDistanceMax: UInt64 = 1_000_000
    /// Such events that are being verified.
    static let trialsMax = 64
    /// Places remembered of what a link brought or was sent ahead of a log.
    static let urgentOfLinkMax = 256
    /// Urgent events for a link that lags, until its queue has drained once: far below `linkQueueBytesClose`.
    package static let urgentWhileLaggingMax = 64
    /// Urgent events sent before a long pull is answered, the newest; and the first events of its range, which come at
    /// once and are not looked through.
    package static let urgentBeforePullMax = 16
    static let urgentBehindFirst: UInt64 = 32
}

/// Bounds of datagrams. Reasons: `Protocol/08-datagrams.md`.
extension Limits {
    /// How long somebody counts as hearing us, and we them, after the last word: three signs of life, and more of them
    /// where we miss some of a thousand datagrams, so that chance alone ends hardly any proof.
    package static let voiceLifetime: Duration = .seconds(30)
    static let voiceLifetimeWhenLossy: Duration = .seconds(40)
    static let voiceLifetimeWhenVeryLossy: Duration = .seconds(60)
    /// What gathers before a datagram, after one has just gone out.
    static let airGathering: Duration = .milliseconds(2)
    /// The pause before each further copy, if more than one is sent: loss comes in bursts.
    static let copyPauses: [Duration] = [
        .milliseconds(12), .milliseconds(28), .milliseconds(45), .milliseconds(60), .milliseconds(80),
    ]
    /// Copies of a run, the first included; what is urgent has one more.
    static let copiesMax = 6
    /// One more copy is worth it while so many members of a thousand are expected to miss all the others: each round of
    /// question and answer costs more.
    static let missesPerMilleMax = 600
    /// Lost of a thousand from which on more words are waited for, and still more.
    static let lossHigh = 20
    static let lossVeryHigh = 150
    /// How long a question for an event of ours counts as a sign of loss.
    static let askedLifetime: Duration = .seconds(10)
    /// Datagrams after which loss is an estimate, and of which it forgets half.
    static let lossSampleMin = 20
    static let lossWindow = 256
    static let lossGapMax: UInt64 = 64
    /// A fifth of what the slowest common cell carries; and what may go at once.
    static let airBytesPerSecond = 150_000
    static let airBurstBytes = 32_768
    /// Events written at once that go by datagrams: more are for links.
    static let airDatagramsAtOnce = 4
    /// The least and the most time between two beacons, and what a beacon names.
    static let trickleMin: Duration = .milliseconds(100)
    static let trickleMax: Duration = .seconds(16)
    /// The more members there are the longer the least time is: those who speak at one moment do not hear each other.
    static let trickleMinPerVoice: Duration = .milliseconds(2)
    static let trickleRedundancy = 2
    static let beaconHeadsMax = 16
    static let beaconHeardMax = 48
    /// Those that a datagram with claims names besides neighbours: with fifty members everybody hears of itself from
    /// two others in the time of a sign of life.
    static let claimHeardMax = 4
    /// How long a hearer of ours is counted, for people: as long as it is heard, and said that it hears us within this.
    static let hearerMemory: Duration = .seconds(900)
    /// How long a voice counts as new, and is named before others.
    static let newVoiceTime: Duration = .seconds(10)
    /// The longest row that goes by datagram: with signature and envelope it fits one.
    static let airClaimBytesMax = 1_000
    /// How long after its last event an author says how far it is, for those who missed the last one.
    /// Where copies are sent something is lost, and it comes sooner: a moment after the last copy.
    static let tailDelay: Duration = .milliseconds(120)
    static let tailDelayAfterCopies: Duration = .milliseconds(12)
    /// It is said twice, so far apart, if more of a thousand would miss it and all copies before it.
    static let unawarePerMilleMax = 5
    static let tailRepeat: Duration = .milliseconds(25)
    /// And so much later for each member heard: somebody else may name it meanwhile.
    static let tailDelayPerVoice: Duration = .milliseconds(1)
    /// What it names besides the author itself; and what a datagram with claims names, if it changed so lately.
    static let tailHeadsMax = 3
    static let newsHeadsMax = 4
    static let newsTime: Duration = .seconds(2)
    /// A head that changed so lately is on its way to whoever does not name it.
    static let flightTime: Duration = .seconds(1)
    /// The interval of beacons after it; half of it where much is lost.
    static let trickleCalm: Duration = .seconds(1)

    static func tailDelay(copies: Int) -> Duration {
        guard copies > 1 else { return tailDelay }
        return copyPauses.prefix(copies - 1).reduce(tailDelayAfterCopies, +)
    }

    /// A new voice is answered after this, and up to so much later for each member of the tour.
    static let greetingDelay: Duration = .milliseconds(10)
    static let greetingPerMemberMicroseconds: Int64 = 2_000
    /// The least time between two greetings.
    static let greetingPause: Duration = .milliseconds(200)
    /// A gap waits for what is on its way, and up to so much longer by chance; then each question for the next.
    static let gapDelay: Duration = .milliseconds(3)
    static let gapJitterMicroseconds: Int64 = 15_000
    static let gapJitterMicrosecondsPerMember: Int64 = 800
    static let gapRepeat: Duration = .milliseconds(45)
    static let gapRepeatWhenLossy: Duration = .milliseconds(22)
    /// Somebody else asked for the same: the own question waits.
    static let gapHold: Duration = .milliseconds(40)
    /// Questions before links are asked; and the longest gap that is asked for by datagram.
    static let gapTriesMax = 4
    static let gapEventsMax: UInt64 = 16
    static let gapsMax = 64
    /// The author answers within this. Others leave it the time to do so, and about so many of all who are heard
    /// answer, at moments so far apart by chance: each must hear those before it.
    static let ownRepairMicroseconds: Int64 = 2_000
    static let othersRepairDelay: Duration = .milliseconds(12)
    static let repairersWanted = 3
    static let repairJitterMicroseconds: Int64 = 30_000
    /// What was on the air within this is not sent again.
    static let repairPause: Duration = .milliseconds(20)
    static let repairsMax = 128
    /// A relay waits so long for others who carry to the same segment, if it is not known that it is the first; a
    /// standby this much longer for each before it, up to so many.
    static let relayJitterMicroseconds: Int64 = 15_000
    static let standbyDelay: Duration = .milliseconds(15)
    static let standbysMax = 4
    /// Runs on their way out on one segment.
    static let flightsMax = 256
    /// Events kept to answer questions; with `datagramBytesMax` a bound in bytes.
    static let recentEventsMax = 128
    /// Runs kept that came before what they continue, of one author and in all.
    static let heldRunsOfAuthorMax = 16
    static let heldRunsMax = 256
    /// Of all these together: what comes by a connection is longer than a datagram.
    static let heldBytesMax = heldRunsMax * datagramBytesMax
    /// How long bad runs keep a segment's runs unread.
    static let airDistrust: Duration = .seconds(10)
    /// Haves to neighbours that hear us: only what they do not have after this long.
    static let lateHaveDelay: Duration = .seconds(3)
}

/// Bounds of datagrams to one neighbour. Reasons: `Protocol/08-datagrams.md`, "Paths".
extension Limits {
    /// Numbers in flight: what one acknowledgement can tell of.
    static let pathWindow: UInt64 = 64
    /// The longest message that goes by datagram: with number, acknowledgement and envelope it fits one.
    static let pathMessageBytesMax = pathPlaintextBytesMax - 48
    /// Rows that go out by datagrams at once; the next follow after `claimDelay`: half of what a path carries, so that
    /// events have room beside them.
    static let pathRowsAtOnceBytes = 7_500
    /// How long the acknowledgement of live events may be held back for others, in milliseconds; where something is
    /// lost that of rows.
    static let pathLivePatience = 100
    /// Messages that go again where longer ones are asked about: a question has about as many bytes on the wire.
    static let pathShortBytes = 96
    /// How long an acknowledgement is waited for: before any came, at least and at most.
    static let pathTimeoutFirst: Duration = .milliseconds(50)
    static let pathTimeoutMin: Duration = .milliseconds(8)
    static let pathTimeoutMax: Duration = .milliseconds(500)
    /// Tries, questions among them, before that time doubles, and how often it does.
    static let pathQuickTries = 6
    static let pathDoublingsMax = 3
    /// Tries before the connection takes over, if nothing was acknowledged for so long.
    static let pathTriesMax = 14
    /// The same for a peer that acknowledges something.
    static let pathTriesOfAliveMax = 40
    static let pathSilence: Duration = .seconds(1)
    /// After which a path that failed is tried again.
    static let pathPause: Duration = .seconds(5)
    /// Lost of a thousand, there and back, from which on acknowledgements of live events do not wait.
    static let pathLossHigh = 30
    /// The same from which on what was not acknowledged goes again without a question.
    static let pathLossVeryHigh = 300
    /// Datagrams of a thousand that had come before, from which on acknowledgements that did not wait go out twice,
    /// and until when; and so long after each other.
    static let pathDoublesHigh = 150
    static let pathDoublesLow = 30
    static let pathEchoPause: Duration = .milliseconds(3)
    /// After which silence a peer is asked for a sign of life: before the connection would ask.
    static let pathLifeInterval: Duration = .seconds(9)
    /// A run that came by datagram before what it continues waits this long for it.
    static let pathPatience: Duration = .milliseconds(400)
}

/// Bounds of positions. Reasons: `Protocol/06-replication.md`, "Positions".
extension Limits {
    /// How long rows gather before they go out on a link of the tree, and on another.
    static let positionDelay: Duration = .milliseconds(500)
    static let lazyPositionDelay: Duration = .seconds(2)
    /// The least time between two rows of one member that are passed on.
    static let positionSpreadPause: Duration = .seconds(5)
    /// Rows of one link that are checked at once in the smallest tour.
    static let positionChecksMin = 16
}
