/// Every bound of the server, each with its unit and its reason. Contract: `Protocol/Schema/openapi.yaml`.
package enum ServerLimits {
    /// A JSON body where a route says nothing else: far above any account's data.
    package static let jsonBytesMax = 64 * 1024
    /// All header fields of a request together: a token of an outside issuer is a few KiB.
    package static let headerBytesMax = 16 * 1024
    package static let headersMax = 100
    /// Path and query; 48 authors in `after` fit.
    package static let addressBytesMax = 2_048
    /// From a request's head to the end of a body that is read as a whole; a slower client is not waited for.
    package static let bodyTimeout: Duration = .seconds(20)
    /// Quiet time after which a connection is closed, also in the middle of a head.
    package static let idleTimeout: Duration = .seconds(60)
    /// Requests for a whole notebook, tour list or export that one caller may have under way or waiting.
    package static let heavyPerCaller = 4
    /// Connections at once: each takes some ten KiB.
    package static let connectionsMax = 4_096
    /// Of these one address has a part: a whole tour sits behind one address of a hotel, 200 people with three each.
    package static let connectionsShare = 6
    package static let connectionsPerAddressMin = 64
    /// From the beginning of a connection to the end of its first head.
    package static let headTimeout: Duration = .seconds(20)
    /// As slowly a client may read, in bytes a second, beside the time in which it need read nothing.
    package static let readingRateMin = 16 * 1024
    /// Descriptors that the server wishes for; a connection may have two of them, with a file that goes in or out. And
    /// those that are kept for the database, senders, and what others bring along.
    package static let descriptorsMax = 65_536
    package static let descriptorsKept = 128
    package static let connectionsMin = 16

    /// Connections at once where the process may have so many descriptors open.
    package static func connectionsMax(descriptors: Int) -> Int {
        min(connectionsMax, max((descriptors - descriptorsKept) / 2, connectionsMin))
    }

    /// Connections of one address, of so many at once.
    package static func connectionsPerAddress(of all: Int) -> Int {
        min(all, max(all / connectionsShare, connectionsPerAddressMin))
    }

    /// Requests that may go on once the end was asked for.
    package static let shutdownTime: Duration = .seconds(10)
    /// Language ranges read of a header.
    package static let languagesReadMax = 16
    package static let databaseReadersMax = 4
    /// Transactions that share a commit, and for how long those that are through wait for more of them.
    package static let writesPerCommitMax = 64
    package static let commitPatience: Duration = .milliseconds(10)

    /// An Idempotency-Key; as long as an answer is kept for it; and after how long a request that never ended counts as
    /// lost with its process. Seconds.
    package static let idempotencyKeyBytes = 1...128
    package static let idempotencyLifetime: Int64 = 24 * 60 * 60
    package static let idempotencyWorkTime: Int64 = 60
    /// Of an answer larger than this only is kept that its write was done.
    package static let idempotentAnswerBytesMax = 256 * 1024

    /// An e-mail address. Source: RFC 5321, section 4.5.3.1.3.
    package static let emailBytesMax = 254
    /// A password: the shortest that resists guessing at our rates, and as much as is hashed.
    package static let passwordCharactersMin = 8
    package static let passwordBytesMax = 256
    /// Digits of a phone number with its country. Source: ITU-T E.164.
    package static let phoneDigits = 8...15
    /// A refresh token as it is sent: 32 bytes in base64url.
    package static let refreshTokenBytesMax = 64

    /// How long an access token is good for, in seconds.
    package static let accessLifetime: Int64 = 15 * 60
    /// How long a session goes on without being refreshed, in seconds.
    package static let sessionLifetime: Int64 = 60 * 24 * 60 * 60
    /// For how long a refresh token that was used is known as one, in seconds: one that is older is as good as none.
    package static let usedTokenLifetime: Int64 = 30 * 24 * 60 * 60
    /// Sessions of one account: the oldest ends when one more begins.
    package static let sessionsPerAccountMax = 50

    /// Another issuer's key set, in bytes, and how often it is read anew for a key that is not in it, in seconds.
    package static let keySetBytesMax = 256 * 1024
    package static let keySetInterval: Int64 = 60
    /// A name that another issuer gives somebody, in bytes, and how far the clock of who made a token may be ahead of
    /// ours, in seconds.
    package static let outsideNameBytesMax = 256
    package static let clockLeewayMax: Int64 = 60

    /// A code sent by SMS: its lifetime in seconds, and the tries that it bears from where it was asked for, and again
    /// from everywhere else.
    package static let smsCodeLifetime: Int64 = 5 * 60
    package static let smsTriesMax: Int64 = 5
    /// Text messages of this server in a day, unless its operator says otherwise.
    package static let smsPerDay = 2_000
    /// A code sent by mail, which may take its time: its lifetime in seconds.
    package static let mailCodeLifetime: Int64 = 30 * 60
    /// What handing over a mail may take.
    package static let mailTimeout: Duration = .seconds(15)
    /// Addresses of an account that are remembered, and for how long without use, in seconds.
    package static let knownAddressesMax = 20
    package static let knownAddressLifetime: Int64 = 90 * 24 * 60 * 60
    /// What a sender may take before the client is told that it failed.
    package static let smsTimeout: Duration = .seconds(15)

    /// Passwords hashed at once, 64 MiB each, and those that wait for it: more are turned away.
    package static let hashesAtOnce = 2
    package static let hashesWaitingMax = 32

    /// How long a nonce for a member's proof is good for, in seconds.
    package static let nonceLifetime: Int64 = 60
    /// Control events in a request, as base 64.
    package static let controlsBodyMax = 2 * 1024 * 1024
    /// A push: a thousand texts, as base 64.
    package static let pushBodyMax = 4 * 1024 * 1024
    /// An event id and room for a mistake.
    package static let localIDBytesMax = 128
    /// Events of one answer, and how many are read at a time.
    package static let eventsAnswerBytes = 1024 * 1024
    package static let eventsReadAtOnce = 500
    /// All events of one tour: a month of 200 talkative members.
    package static let tourBytesMax: Int64 = 1024 * 1024 * 1024
    /// Rosters kept ready, and the control events that they are of: some hundred bytes each.
    package static let rostersMax = 2_048
    package static let rosterControlsMax: Int64 = 262_144
    /// Rosters that are worked out at once, or one for each processor; and how often a write begins anew when others
    /// add to its tour's roster meanwhile.
    package static let rostersAtOnce = 4
    package static let rosterTriesMax = 8
    /// Rows of a list in one answer, where the client wishes for no fewer; and a place in a list, as it is sent.
    package static let pageRowsMax = 1_000
    package static let cursorDigitsMax = 128
    /// Invitations to one tour that are open: no roster holds more members.
    package static let invitationsMax: Int64 = 1_000
    /// A link that is passed on, with the addresses of the node that made it.
    package static let joinLinkBytesMax = 1_024
    /// Epoch keys that a member hands to the archive, as base 64.
    package static let archiveKeysBodyMax = 256 * 1024
    /// Epochs whose keys the archive says that it lacks.
    package static let archiveWantsMax = 64
    /// Events that one page of opened messages is made from.
    package static let messagesAnswerBytes = 4 * 1024 * 1024

    /// One blob: a photograph as a phone takes it, or a short film.
    package static let blobBytesMax: Int64 = 64 * 1024 * 1024
    /// All blobs of one tour, those that are still coming included.
    package static let tourBlobBytesMax: Int64 = 2 * 1024 * 1024 * 1024
    /// Of these, those that one member began who does not lead; and those of them that are still coming.
    package static let memberBlobBytesMax: Int64 = 512 * 1024 * 1024
    package static let memberBlobBytesBegunMax: Int64 = 256 * 1024 * 1024
    /// As much as the smallest takes of the room: a file is more than its bytes.
    package static let blobBytesMin: Int64 = 16 * 1024
    /// After so many bytes what came of a blob goes to the disk.
    package static let blobSyncBytes = 1024 * 1024
    /// Read of a blob's file at a time.
    package static let blobPieceBytes = 64 * 1024
    /// How long a blob that does not go on keeps its place, in seconds.
    package static let blobPatience: Int64 = 7 * 24 * 60 * 60
    /// Streams of `/live` at once, of all and of one caller, and when to ask again, in seconds.
    package static let listenersMax = 2_000
    package static let listenersPerCaller = 64
    package static let listenersRetry = 30
    /// A stream shows that it lives, and ends after so long: as long as a token lasts.
    package static let liveSilence: Duration = .seconds(25)
    package static let liveLifetime: Duration = .seconds(15 * 60)

    /// How long what was counted may be in memory alone: as much as a kill forgives.
    package static let ratesInterval: Duration = .seconds(1)
    /// Bytes that a disk must have left for the server to say that it is ready.
    package static let freeBytesMin: UInt64 = 16 * 1024 * 1024
    /// How often somebody who asks whether it is ready makes it write.
    package static let readinessInterval: Duration = .seconds(1)
    /// How often the certificate is read anew, beside when the operator asks.
    package static let certificateInterval: Duration = .seconds(3_600)
    /// How often what has expired is deleted.
    package static let sweepInterval: Duration = .seconds(600)
}
