import TourTLS

/// Every bound of the server, each with its unit and its reason. Contract: `Protocol/Schema/openapi.yaml`.
package enum ServerLimits {
    /// A JSON body, in bytes, where the route sets no other bound: far above any account's data.
    package static let jsonBytesMax = 64 * 1024
    /// All header fields of a request together, in bytes: a token of an outside issuer takes a few KiB.
    package static let headerBytesMax = 16 * 1024
    /// Header fields of a request.
    package static let headersMax = 100
    /// Path and query, in bytes: 48 authors in `after` fit.
    package static let addressBytesMax = 2_048
    /// The time from a request's head to the end of a body that is read as a whole; a slower client gets an error.
    package static let bodyTimeout: Duration = .seconds(20)
    /// The time of silence after which a connection is closed, even in the middle of a head.
    package static let idleTimeout: Duration = .seconds(60)
    /// Heavy requests that one caller may have running or waiting: lists of tours and of a notebook, exports, pages of
    /// messages and long deltas.
    package static let heavyPerCaller = 4
    /// Seconds after which a caller with so many may ask again.
    package static let heavyRetry = 1
    /// Connections at once: each takes about ten KiB.
    package static let connectionsMax = 4_096
    /// One address may have this part of all connections: a whole tour may share one address of a hotel, 200 people
    /// with three connections each.
    package static let connectionsShare = 6
    /// The connections that one address may always have, however few there are in all.
    package static let connectionsPerAddressMin = 64
    /// The time from the beginning of a connection to the end of its first head.
    package static let headTimeout: Duration = .seconds(20)
    /// The slowest that a client may read, in bytes a second, after the time in which it need read nothing.
    package static let readingRateMin = 16 * 1024
    /// The descriptors that the server asks the system for: a connection may use two, with a file that is sent or
    /// received; by TLS it uses two more.
    package static let descriptorsMax = 65_536
    /// The descriptors that are kept for the database, the senders and libraries.
    package static let descriptorsKept = 128
    /// The connections at once, however few descriptors the process may have.
    package static let connectionsMin = 16

    /// The connections at once for a process that may open this many descriptors.
    package static func connectionsMax(descriptors: Int, isSecure: Bool = false) -> Int {
        let each = isSecure ? TLSLimits.descriptorsPerConnection + 1 : 2
        return min(connectionsMax, max((descriptors - descriptorsKept) / each, connectionsMin))
    }

    /// The connections of one address, out of this many at once.
    package static func connectionsPerAddress(of all: Int) -> Int {
        min(all, max(all / connectionsShare, connectionsPerAddressMin))
    }

    /// After a shutdown was requested, for how long requests on open connections are still answered, each as the last
    /// one of its connection: what a client or a proxy has just sent on one that it kept would be lost.
    package static let farewellTime: Duration = .seconds(1)
    /// How often the server looks meanwhile whether all have gone.
    package static let farewellInterval: Duration = .milliseconds(50)
    /// How long requests may go on after a shutdown was requested.
    package static let shutdownTime: Duration = .seconds(10)
    /// The language ranges that are read of a header.
    package static let languagesReadMax = 16
    /// Connections that read the database at once.
    package static let databaseReadersMax = 4
    /// Transactions that share a commit.
    package static let writesPerCommitMax = 64
    /// How long finished transactions wait for others that share their commit.
    package static let commitPatience: Duration = .milliseconds(10)

    /// An Idempotency-Key, in bytes.
    package static let idempotencyKeyBytes = 1...128
    /// How long the answer to an Idempotency-Key is kept, in seconds.
    package static let idempotencyLifetime: Int64 = 24 * 60 * 60
    /// The time after which a request that never ended counts as lost with its process, in seconds.
    package static let idempotencyWorkTime: Int64 = 60
    /// The largest answer that is kept, in bytes; of a larger one the server records only that its write was carried
    /// out.
    package static let idempotentAnswerBytesMax = 256 * 1024

    /// An e-mail address, in bytes.
    /// Source: RFC 5321, section 4.5.3.1.3.
    package static let emailBytesMax = 254
    /// The shortest password that resists guessing at the rates of this server.
    package static let passwordCharactersMin = 8
    /// The longest password that is hashed, in bytes.
    package static let passwordBytesMax = 256
    /// A phone number as it is typed, in characters of Unicode.
    package static let phoneCharactersMax = 40
    /// The digits of a phone number with its country code.
    /// Source: ITU-T E.164.
    package static let phoneDigits = 8...15
    /// A refresh token, in bytes: 32 random bytes in base64url, and more.
    package static let refreshTokenBytesMax = 64

    /// How long an access token is valid, in seconds.
    package static let accessLifetime: Int64 = 15 * 60
    /// Access tokens whose signatures the process remembers to have checked.
    package static let verifiedTokensMax = 16_384
    /// A signed token, ours or another issuer's, in bytes: as much as a request's head has room for.
    package static let tokenBytesMax = headerBytesMax
    /// How long a session lasts without a refresh, in seconds.
    package static let sessionLifetime: Int64 = 60 * 24 * 60 * 60
    /// For how long a refresh token that was used is known as one, in seconds: one that is older is as good as none.
    package static let usedTokenLifetime: Int64 = 30 * 24 * 60 * 60
    /// For how long after its first use a refresh token that comes again gets the same answer, in seconds: the first
    /// may be lost on its way, or two requests may send the token at once.
    package static let refreshGrace: Int64 = 60
    /// Sessions of one account: the oldest ends when one more begins.
    package static let sessionsPerAccountMax = 50

    /// Another issuer's key set, in bytes.
    package static let keySetBytesMax = 256 * 1024
    /// How long it may take to fetch one.
    package static let keySetTimeout: Duration = .seconds(10)
    /// Keys of that set.
    package static let keySetKeysMax = 100
    /// The modulus of such a key for RSA, in bits.
    /// Source: RFC 7518, section 3.3, for the smallest.
    package static let issuerModulusBits = 2_048...8_192
    /// Its exponent, in bytes.
    package static let issuerExponentBytesMax = 4
    /// The shortest time between two reads of the key set for tokens that its keys do not verify, in seconds.
    package static let keySetInterval: Int64 = 60
    /// An outside issuer's name for a user, in bytes.
    package static let outsideNameBytesMax = 256
    /// How far the clock of a token's issuer may be ahead of the server's, in seconds.
    package static let clockLeewayMax: Int64 = 60

    /// How long a code sent by SMS is valid, in seconds.
    package static let smsCodeLifetime: Int64 = 5 * 60
    /// How often a code may be tried, whoever tries it.
    package static let smsTriesMax: Int64 = 5
    /// How many of these tries addresses have in all that did not request the code: the others are its owner's.
    package static let smsTriesElsewhereMax: Int64 = 2
    /// SMS that the server sends in a day, unless the operator sets another number.
    package static let smsPerDay = 2_000
    /// The largest number that the operator may set.
    package static let smsPerDayMax = 1_000_000
    /// For how many days the server knows how many it sent.
    package static let smsSpendingDays: Int64 = 35
    /// How long a code sent by mail is valid, in seconds: mail may be slow.
    package static let mailCodeLifetime: Int64 = 30 * 60
    /// For how long an account with an address that nobody has proven is one that a stranger may just have made, in
    /// seconds.
    package static let freshAccountTime: Int64 = 24 * 60 * 60
    /// The sender's name in a mail, in bytes: one encoded word.
    /// Source: RFC 2047, section 2.
    package static let mailNameBytesMax = 45
    /// A token for the mail server, in bytes.
    package static let mailTokenBytesMax = 16 * 1024
    /// How long any other mail is of use, in seconds.
    package static let mailNoticeLifetime: Int64 = 4 * 60 * 60
    /// Mails that wait for the mail server, of all and of one account: more than the links for a full bus.
    package static let mailsWaitingMax = 10_000
    package static let mailsOfAccountMax: Int64 = 100
    /// Mails that a process sends at once.
    package static let mailsAtOnce = 4
    /// Seconds until a mail is tried again, at first and at most.
    package static let mailWaitMin = 15
    package static let mailWaitMax = 15 * 60
    /// How often a process looks for mails whose time has come, or that others left.
    package static let mailInterval: Duration = .seconds(1)
    /// For how long nobody else takes a mail that one process sends, in microseconds: `mailTimeout`, and time to spare.
    package static let mailLease: Int64 = 60 * 1_000_000
    /// How long sending a mail to the mail server may take.
    package static let mailTimeout: Duration = .seconds(15)
    /// The addresses of an account that are remembered.
    package static let knownAddressesMax = 20
    /// How long an address is remembered without use, in seconds.
    package static let knownAddressLifetime: Int64 = 90 * 24 * 60 * 60
    /// For how long an address where a guide logged in, or refreshed, is that of a group, in seconds.
    package static let guideAddressLifetime: Int64 = 24 * 60 * 60
    /// How many addresses of guides are compared with one, the last first.
    package static let guideAddressesMax = 2_000
    /// How long a sender of SMS may take before the client is told that it failed.
    package static let smsTimeout: Duration = .seconds(15)

    /// Recovery codes of one account.
    package static let recoveryCodes = 10
    /// A second factor as it is typed, in bytes: a recovery code with spaces around its letters.
    package static let secondFactorBytesMax = 64
    /// The characters of a User-Agent header that are read.
    package static let userAgentCharactersRead = 300
    /// The device words of a session, in characters.
    package static let deviceWordsMax = 60

    /// Passwords hashed at once, 64 MiB each.
    package static let hashesAtOnce = 2
    /// Passwords that are being hashed or wait for it; more are refused.
    package static let hashesWaitingMax = 32

    /// A nonce for a member's proof as it comes back, in bytes.
    package static let nonceBytesMax = 256
    /// How long a nonce for a member's proof is valid, in seconds.
    package static let nonceLifetime: Int64 = 60
    /// A body with control events in base 64, in bytes.
    package static let controlsBodyMax = 2 * 1024 * 1024
    /// A push, in bytes: a thousand texts in base 64.
    package static let pushBodyMax = 4 * 1024 * 1024
    /// A local id, in bytes: room for an event id and for a client's mistake.
    package static let localIDBytesMax = 128
    /// The events of one answer, in bytes.
    package static let eventsAnswerBytes = 1024 * 1024
    /// Events that are read from the database at a time.
    package static let eventsReadAtOnce = 500
    /// All events of one tour, in bytes: a month of 200 talkative members.
    package static let tourBytesMax: Int64 = 1024 * 1024 * 1024
    /// Rosters that are kept in memory.
    package static let rostersMax = 2_048
    /// The control events in all of these rosters, some hundred bytes each.
    package static let rosterControlsMax: Int64 = 262_144
    /// Rosters that are computed at once, at least; as many as there are processors if those are more.
    package static let rostersAtOnce = 4
    /// How often a write starts over when others change its tour's roster meanwhile.
    package static let rosterTriesMax = 8
    /// Rows of a list in one answer, by default and at most.
    package static let pageRowsMax = 1_000
    /// A cursor of a list, in hexadecimal digits.
    package static let cursorDigitsMax = 128
    /// Tours that one account has planned and no device has founded.
    package static let plannedToursMax: Int64 = 100
    /// Open invitations to one tour: no roster holds more members.
    package static let invitationsMax: Int64 = 1_000
    /// A link that is passed on, with the addresses of the node that made it.
    package static let joinLinkBytesMax = 1_024
    /// Epoch keys that a member hands to the archive, as base 64.
    package static let archiveKeysBodyMax = 256 * 1024
    /// Epochs that the archive names when it asks for their keys.
    package static let archiveWantsMax = 64
    /// The sealed events that one page of messages is made from, in bytes.
    package static let messagesAnswerBytes = 4 * 1024 * 1024

    /// One blob, in bytes: a phone's photograph, or a short film.
    package static let blobBytesMax: Int64 = 64 * 1024 * 1024
    /// All blobs of one tour, in bytes, including those that are still arriving.
    package static let tourBlobBytesMax: Int64 = 2 * 1024 * 1024 * 1024
    /// The blobs that one member began, in bytes, unless it leads the tour.
    package static let memberBlobBytesMax: Int64 = 512 * 1024 * 1024
    /// Of those, the blobs that are still arriving, in bytes.
    package static let memberBlobBytesBegunMax: Int64 = 256 * 1024 * 1024
    /// The room that the smallest blob counts for, in bytes: a file takes more than its content.
    package static let blobBytesMin: Int64 = 16 * 1024
    /// An arriving blob is flushed to the disk after this many bytes.
    package static let blobSyncBytes = 1024 * 1024
    /// The bytes of a blob that are read at a time.
    package static let blobPieceBytes = 64 * 1024
    /// How long a blob keeps its room when no more of it arrives, in seconds.
    package static let blobPatience: Int64 = 7 * 24 * 60 * 60
    /// Streams of `/live` at once.
    package static let listenersMax = 2_000
    /// Streams of `/live` of one caller.
    package static let listenersPerCaller = 64
    /// When a refused listener may ask again, in seconds.
    package static let listenersRetry = 30
    /// Blobs and files that are sent at once: of a bucket's each has `s3PieceBytes` in memory.
    package static let filesMax = 1_024
    /// Of those, to one caller: more than a browser asks for at once.
    package static let filesPerCaller = 8
    /// Of those, to one address: a whole tour may share one address of a hotel.
    package static let filesPerAddress = 256
    /// When a refused reader may ask again, in seconds.
    package static let filesRetry = 5
    /// How often a stream shows that it is alive.
    package static let liveSilence: Duration = .seconds(25)
    /// How long the listeners to one tour rest after they were woken, for each of them: a wake takes some 40
    /// microseconds of a processor each, most of it in the kernel.
    package static let restPerReader: Duration = .microseconds(100)
    /// A shorter rest is left out.
    package static let restMin: Duration = .milliseconds(5)
    /// The longest rest.
    package static let restMax: Duration = .seconds(1)
    /// When a stream ends: after the lifetime of an access token.
    package static let liveLifetime: Duration = .seconds(15 * 60)

    /// How long counters of rates may be in memory alone: a kill forgives that much.
    package static let ratesInterval: Duration = .seconds(1)
    /// How far the clocks of processes that share a database may differ, in microseconds: a counter of rates may be
    /// that far beyond what one of them finds full, and what has expired by one of them is kept for the others.
    package static let clocksApart: Int64 = 6 * 1_000_000
    /// The free bytes that a ready server has on its disk.
    package static let freeBytesMin: UInt64 = 16 * 1024 * 1024
    /// How often questions about readiness make the server write.
    package static let readinessInterval: Duration = .seconds(1)
    /// How long whoever asks about readiness waits for what does not answer: longer than a busy machine takes, whose
    /// probes have a patience of their own.
    package static let readinessPatience: Duration = .seconds(60)
    /// How long figures of the metrics that the database counts are good for.
    package static let figuresInterval: Duration = .seconds(15)
    /// Connections at once to the operator's listener.
    package static let operatorConnectionsMax = 32
    /// How often the certificate is read again, beside when the operator asks.
    package static let certificateInterval: Duration = .seconds(3_600)
    /// How often expired rows and files are deleted.
    package static let sweepInterval: Duration = .seconds(600)
}
