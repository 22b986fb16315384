/// Every bound of the protocol and of this implementation, each with its unit and its reason.
package enum Limits {}

// What the specification fixes: another value does not interoperate. Source: `Protocol/`.
extension Limits {
    /// A text message, UTF-8. Source: `Protocol/05-events.md`.
    package static let textBytesMax = 16 * 1024
    /// A sealed body: the text, its envelope, nonce and tag.
    package static let sealedBodyBytesMax = 20 * 1024
    /// A control body: a rekey for 200 devices takes 16 KiB.
    package static let controlBodyBytesMax = 64 * 1024
    /// An epoch key sealed to one device: ephemeral key, tag, key. Source: `Protocol/05-events.md`, "Rekey".
    package static let wrappedKeyBytes = 80
    /// Devices that one rekey wraps its key for: so many, with all that it excludes, fit a control body.
    package static let rekeyRecipientsMax = 600
    /// Devices that a rekey excludes by name: as many as a tour ever has members.
    package static let rekeyExcludedMax = 1_300
    /// Epochs that one rekey replaces; a tour that falls into more parts takes two rekeys to become one.
    package static let rekeyParentsMax = 16
    /// Epochs under whose keys together an event is sealed.
    package static let mergedEpochsMax = 4
    /// A display name, UTF-8: long enough for three scripts side by side.
    package static let nameBytesMax = 128
    /// One Noise message on the wire. Source: Noise revision 34, section 3.
    package static let noiseMessageBytesMax = 65_535
    /// The payload of one link frame. Small, so that an urgent frame waits for at most one slice.
    package static let slicePayloadBytesMax = 16 * 1024
    /// One link message over all its slices: a control event and its envelope, with room.
    package static let linkMessageBytesMax = 96 * 1024
    /// The smallest padded plaintext: short chat, receipts and keep-alives look alike.
    package static let paddedPlaintextBytesMin = 256
    /// One multicast datagram on the wire, after IP and UDP headers: fits every path without fragments.
    package static let datagramBytesMax = 1_200
    /// Its padded plaintext: less version, nonce and tag.
    package static let datagramPlaintextBytesMax = datagramBytesMax - 41
    /// The smallest padded plaintext of a datagram: signs of life and questions look alike.
    package static let paddedDatagramBytesMin = 128
    /// What a datagram to one neighbour leaves for the plaintext, after version, path, counter and tag; and the
    /// smallest plaintext: an acknowledgement.
    package static let pathPlaintextBytesMax = datagramBytesMax - 33
    package static let paddedPathBytesMin = 8
    /// How long such a datagram may let its acknowledgement wait, in milliseconds.
    package static let pathPatienceMax = 1_000
    /// How far ahead of the wall clock a reading may be and still move our logical clock.
    package static let clockLeadMillisecondsMax: Int64 = 5 * 60 * 1000
    /// Links an event may cross: six segments in a row are more than any tour has.
    package static let hopsMax = 16
    /// Members of one tour at any moment.
    package static let membersMax = 1_000
    /// Members that a tour ever had, those who have left or were removed included: a rekey names all of these, and
    /// what it wraps besides still fits its body.
    package static let membersEverMax = 1_300
    /// Of them those who came by one member, and by those whom it let in, without anybody who leads: a tour's code goes
    /// from hand to hand, and one member who makes up devices does not fill the tour.
    package static let sponsoredMax = 400
    /// Role events that one role event replaces: more than a member ever has side by side.
    package static let rolesReplacedMax = 64
    /// Role events of one author on one member that count: more than a rank changes in any tour.
    package static let rolesOnMemberMax = 128
    /// Invites that end with one removal: more than a tour has open. Of more the others are revoked before it.
    package static let invitesRevokedMax = 256
    /// Control events of a member that one removal, or change of its rank, lets stand: 16 KiB of names.
    package static let controlsNamedMax = 1_000
    /// Bytes of sealed events after which an author's log takes no more of them: 40,000 short messages, or a thousand
    /// of the longest. A tour of `membersMax` takes at most so many times that.
    package static let sealedLogBytesMax = 16 * 1024 * 1024
    /// The same for control events: with 200 members 800 epochs by one guide, and who has talked its share away can
    /// still remove somebody.
    package static let controlLogBytesMax = 16 * 1024 * 1024
    /// Of it so many bytes are kept for what governs the tour: sixty removals with an epoch for 600 devices each.
    package static let governingLogBytesMin = 4 * 1024 * 1024
    /// Of the control events of an author to whom nobody gave a rank, and of the guests below it, so many bytes are in
    /// the set on which nothing rests: as many admissions as a sponsor has, of 600 bytes each.
    package static let plainControlBytesMax = 256 * 1024
    /// Of all such authors together: what two who admit the same people leave, a hundred times over.
    package static let plainControlBytesOfTourMax = 2 * 1024 * 1024
}

// What this implementation chooses: a peer with other values still understands us.
extension Limits {
    /// Where a message is cut into slices: with its prefix such a slice is padded by nothing (a longest one by 6 %),
    /// and its frame fills eleven segments of TCP on Ethernet.
    package static let slicePayloadBytesTarget = 31 * 512 - 3
    /// Frontier entries in one message.
    package static let headsPerMessageMax = 1_000
    /// A claim row: so many heads and the field tags fit, and nothing much longer is passed on.
    package static let claimRowBytesMax = 4 * 1024
    /// Events of one run: one signature proves them all, and a slice holds about thirty texts.
    package static let runEventsMax = 256
    /// The event bytes of one run: fits one slice after the envelope, unless one event alone is larger.
    package static let runBytesTarget = 15 * 1024
    /// Bytes served for one pull before the asker must ask on: bounds what a reader can make us queue.
    package static let pullBytesMax = 256 * 1024
    /// Epochs whose keys one message asks for, and keys in one answer or welcome.
    package static let epochsAskedMax = 64
    package static let epochKeysMax = 1_000
    /// Ids in an index of control events: 18 bytes each on the wire, three quarters of `linkMessageBytesMax`.
    package static let controlIndexMax = 4_096
    /// Control events in one message: as many of the shortest as fit one; and rows, of which 16 KiB hold some hundred.
    package static let controlsPerMessageMax = 512
    package static let rowsPerMessageMax = 512
    /// Control events that somebody who joins takes from one host: a month of 200 devices needs one MiB.
    package static let joinControlBytesMax = 8 * 1024 * 1024
    /// How many may come by a code, and for how long, in seconds, when nobody says it.
    package static let inviteUsesStandard = 250
    package static let inviteLifetimeStandard: Int64 = 30 * 86_400
    /// Newcomers whom one node lets in, at once and a minute: in all, by one code, and from one address, behind which a
    /// family may stand. So 200 who come to one node in ten minutes wait for nothing.
    package static let admissionsAtOnceMax: Int64 = 60
    package static let admissionsPerMinuteMax: Int64 = 30
    package static let admissionsOfInviteAtOnceMax: Int64 = 40
    package static let admissionsOfInvitePerMinuteMax: Int64 = 20
    package static let admissionsOfAddressAtOnceMax: Int64 = 20
    package static let admissionsOfAddressPerMinuteMax: Int64 = 6
    /// Ranges asked for in one pull.
    package static let pullRangesMax = 64
    /// Bytes queued to a link before it counts as lagging and gets frontiers only.
    package static let linkQueueBytesMax = 256 * 1024
    /// Bytes queued to a link at which it is closed: frontiers alone never come near.
    package static let linkQueueBytesClose = 4 * 1024 * 1024
    /// Received events that are not yet stored, above which a link is not read; one of more than `unstoredEventBytes`
    /// counts as several, so that 16 MiB wait at most.
    package static let unstoredEventsMax = 4_096
    package static let unstoredEventBytes = 4_096
    /// The least time between two answers to a link's indexes of control events: to answer costs a look at all of them.
    package static let indexAnswerInterval: Duration = .seconds(1)
    /// Links of a tour that a node dials for, whoever dialled those it has: two neighbours and three by chance. So 200
    /// members have about 650 links, and nearly all are within four links of each other.
    package static let linksDialTarget = 5
    /// With so many others present, or fewer, everybody links with everybody: what a tree would save is little.
    package static let smallTourMax = 6
    /// Links of a tour that a node keeps, and that a guide or a node with several networks keeps. Twice the dial
    /// target, so that a place is found quickly.
    package static let linksAcceptMax = 10
    package static let hubLinksAcceptMax = 16
    /// Links of a tour at any moment, newcomers included that nobody else has reached.
    package static let linksMax = 24
    /// A link younger than this is not given up as surplus: a newcomer finds others in that time.
    package static let linkSettleTime: Duration = .seconds(30)
    /// How long a member that has links enough is not dialled again, unless it is our neighbour.
    package static let declinedPause: Duration = .seconds(30)
    /// Of two links between the same two that were made within this time both sides dialled at once; after it the old
    /// one is dead without our knowing.
    package static let simultaneousDialMax: Duration = .seconds(10)
    /// Dials under way at once.
    package static let dialsAtOnceMax = 5
    /// Connections that have not finished their handshake, all and from one address.
    package static let handshakesMax = 64
    package static let handshakesPerAddressMax = 16
    /// Handshakes that are worked out of those who know a secret, about 0.45 ms each: at once and a second, all and of
    /// one address, behind which many nodes may stand.
    package static let handshakesAtOnceMax: Int64 = 128
    package static let handshakesPerSecondMax: Int64 = 64
    package static let handshakesOfAddressAtOnceMax: Int64 = 32
    package static let handshakesOfAddressPerSecondMax: Int64 = 20
    /// From the first byte to the end of the handshake.
    package static let handshakeTimeout: Duration = .seconds(5)
    /// From the opening of a join link to its end: a tour's control events and keys take a second or two.
    package static let joinLinkLifetime: Duration = .seconds(30)
    /// Quiet time after which a ping goes out, and after which a link is dead.
    package static let keepAliveInterval: Duration = .seconds(10)
    package static let deadPeerTimeout: Duration = .seconds(25)
    /// The first for a peer that shows on another way than the link that it lives: two of its signs of life may be
    /// lost, and there is time left for an answer.
    package static let heardQuietMax: Duration = .seconds(21)
    /// The same where some of the signs of life are lost, and where many are: three and five may be.
    package static let heardQuietMaxWhenLossy: Duration = .seconds(31)
    package static let heardQuietMaxWhenVeryLossy: Duration = .seconds(52)
    /// However well the peer is heard elsewhere, after so much quiet the link itself is tried.
    package static let linkCheckInterval: Duration = .seconds(300)
    /// Who got something on a link answers within this time, if only to show that it came.
    package static let answerDelay: Duration = .seconds(5)
    /// Dial backoff: doubles from the first to the last, with full jitter.
    package static let redialBackoffMin: Duration = .milliseconds(500)
    package static let redialBackoffMax: Duration = .seconds(30)
    /// The longest backoff for a member whose link was lost a short time ago, and how long that is: a partition heals
    /// within seconds, and a phone that was switched off is not called all night.
    package static let lostRedialBackoffMax: Duration = .seconds(2)
    package static let lostRedialTime: Duration = .seconds(600)
    /// How often an address is asked for its member though there are links enough: for a neighbour whose address is
    /// not known, and for members that nobody here has met. Grows with the tour; one handshake message each way.
    package static let neighbourSearchInterval: Duration = .seconds(1)
    package static let neighbourSearchIntervalPerMember: Duration = .milliseconds(10)
    package static let probeInterval: Duration = .seconds(10)
    package static let probeIntervalPerMember: Duration = .seconds(1)
    /// Failed dials in a row after which an address counts as out of reach.
    package static let dialFailuresMax = 3
    /// Discovered candidates kept, all and of one address.
    package static let candidatesMax = 512
    package static let candidatesPerAddressMax = 16
    /// A restricted link (key not yet in our roster): bytes and time until both sides know each other.
    package static let restrictedLinkBytesMax = 1024 * 1024
    package static let restrictedLinkTimeout: Duration = .seconds(5)
    /// Hello salts remembered against replay, and for how long.
    package static let helloSaltsMax = 4_096
    package static let helloSaltLifetime: Duration = .seconds(300)
    /// Secrets a responder tries on a hello.
    package static let credentialsMax = 512
    /// Frames of one handshake key; then a fresh handshake. Source: `Protocol/03-handshake.md`.
    package static let framesPerSessionMax: UInt64 = 1 << 32
    package static let sessionLifetime: Duration = .seconds(2 * 60 * 60)
    /// The longest time that an announcement or an invite may be good for: ten years, in seconds. Larger numbers are
    /// mistakes, and a product with them would not fit.
    package static let expirySecondsMax: Int64 = 3_650 * 86_400
    /// How long a member counts as reachable after its last sign of life.
    package static let presenceLifetime: Duration = .seconds(30)
}
