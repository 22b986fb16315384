import TourModel

/// Bounds of the door for guests; those of a seat are the node's (`SeatLimits`). Source: `Protocol/15-seats.md`,
/// "Limits".
package enum GuestLimits {
    /// Where the door listens, unless the user says otherwise or another program has it.
    package static let port: UInt16 = 8_480
    /// The same for https.
    package static let securePort: UInt16 = 8_443
    /// How often an open door looks whether the files of the certificate have changed.
    static let certificatePause: Duration = .seconds(5)
    /// Channels of one seat at a time: the windows of one phone.
    package static let channelsMax = 4
    /// Channels without a seat at a time.
    package static let strangersMax = 32
    /// A channel ends after this time without a request or an open stream of news.
    package static let idleMax: Duration = .seconds(900)

    /// A request with a session, a number and a box.
    package static let requestBytesMax = 768 * 1_024
    /// The JSON of a request; that of `resume`, which brings the tail along, may be as long as the request.
    package static let jsonBytesMax = 32 * 1_024
    /// Longer requests count as long as they are in memory.
    static let shortBytesMax = 4 * 1_024
    /// What counts of one seat, or of an address without one: two tails, or a picture's parts.
    package static let bodyBytesOfOneMax = 2 * 1_024 * 1_024
    /// What counts of all without a seat.
    package static let bodyBytesOfStrangersMax = 8 * 1_024 * 1_024
    /// What counts of all, where the one that asks holds some of it: the rest is for those who hold nothing.
    package static let bodyBytesOfSecondsMax = 12 * 1_024 * 1_024
    /// What counts of all.
    package static let bodyBytesMax = 24 * 1_024 * 1_024
    /// How long the name of the channel, with which a request begins, may take to arrive.
    package static let beginningTime: Duration = .seconds(5)
    /// How long a request may take to arrive, and a frame of news to be accepted.
    package static let transferTime: Duration = .seconds(20)
    /// How long sent bytes may go unacknowledged, in milliseconds.
    static let silenceMilliseconds = 30_000

    /// Requests of one seat at the same time.
    package static let runningMax = 8
    /// A picture in parts of this many bytes, on its way in and out.
    package static let partBytesMax = 256 * 1_024
    /// A picture of a guest.
    package static let pictureBytesMax: UInt64 = 12 * 1_024 * 1_024
    /// How long such a picture waits for the request that uses it.
    package static let pictureTime: Duration = .seconds(600)
    /// Pictures of all guests that are under way.
    static let picturesMax = 32
    /// Messages of one answer.
    package static let messagesMax = 100
    /// A file that phones open: they hold it in memory.
    package static let fileBytesMax: UInt64 = 64 * 1_024 * 1_024
    /// Parts of files that one seat takes: the largest file at once, and 1 MiB a second from then on.
    static let fileParts = TokenBucket.Rate(atOnce: 256, perMinute: 240)
    /// The words of a search, in bytes.
    package static let searchBytesMax = 256
    /// Messages that a search finds, the last ones.
    static let foundMax = 50
    /// Searches of one seat, each of which reads the whole tour.
    static let searches = TokenBucket.Rate(atOnce: 10, perMinute: 20)
    /// Parts of files that are read at the same time for all guests, and searches that run.
    static let readersMax = 8
    static let searchersMax = 2

    /// A stream of news shows at least that often that it lives.
    static let signPause: Duration = .seconds(4)

    /// Of addresses at which no guest had a seat for `addressTime`: an address's first hello, and its others. Whoever
    /// holds addresses uses up what is for others, and each of them leaves newcomers theirs.
    package static let firstHellos = TokenBucket.Rate(atOnce: 100, perMinute: 600)
    package static let hellos = TokenBucket.Rate(atOnce: 100, perMinute: 600)
    package static let hellosOfAddress = TokenBucket.Rate(atOnce: 30, perMinute: 60)
    /// How long an address counts as that of a guest who has gone.
    package static let addressTime: Duration = .seconds(3_600)
    /// An address may have one more new seat in this time, 6 in an hour,
    package static let newcomerTime: Duration = .seconds(600)
    /// How many new seats an address may bring at once: a family, but no class behind one router.
    package static let newcomersAtOnce = 8
    /// New seats of a device, whoever comes: a group at once, and a card that changes its address slowly.
    package static let newcomersOfAllAtOnce = 20
    /// After these one more in this time: 20 a minute.
    package static let newcomerTimeOfAll: Duration = .seconds(3)
    static let enters = TokenBucket.Rate(atOnce: 10, perMinute: 20)
    static let mistakes = TokenBucket.Rate(atOnce: 5, perMinute: 6)
    /// Of a channel without a seat.
    static let strangersRequests = TokenBucket.Rate(atOnce: 10, perMinute: 90)
    /// Of a seat.
    static let requests = TokenBucket.Rate(atOnce: 40, perMinute: 600)
}
