/// The bounds of the protocol, and those of this implementation that specification or several modules name, each with
/// its unit and its reason. Any other bound stands with the type that it bounds.
package enum Limits {}

// Values that the specification fixes: another value does not interoperate. Source: `Protocol/`.
extension Limits {
    /// A text message, UTF-8. Source: `Protocol/05-events.md`.
    package static let textBytesMax = 16 * 1024
    /// A sealed body: the text, its envelope, nonce and tag.
    package static let sealedBodyBytesMax = 20 * 1024
    /// A control body: a rekey for 200 devices takes 16 KiB.
    package static let controlBodyBytesMax = 64 * 1024
    /// An epoch key sealed to one device: ephemeral key, tag, key. Source: `Protocol/05-events.md`, "Rekey".
    package static let wrappedKeyBytes = 80
    /// The most devices for which one rekey wraps its key: with all exclusions they fit a control body.
    package static let rekeyRecipientsMax = 600
    /// The most devices that a rekey excludes by name: as many as a tour ever has members.
    package static let rekeyExcludedMax = 1_300
    /// The most epochs that one rekey replaces; a tour that splits into more parts takes two rekeys to merge.
    package static let rekeyParentsMax = 16
    /// The most epochs under whose keys together an event is sealed.
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
    /// The padded plaintext of a datagram: without version, nonce and tag.
    package static let datagramPlaintextBytesMax = datagramBytesMax - 41
    /// The smallest padded plaintext of a datagram: signs of life and questions look alike.
    package static let paddedDatagramBytesMin = 128
    /// The room for the plaintext in a datagram to one neighbour, after version, path, counter and tag.
    package static let pathPlaintextBytesMax = datagramBytesMax - 33
    /// The smallest such plaintext: an acknowledgement.
    package static let paddedPathBytesMin = 8
    /// How long such a datagram may let its acknowledgement wait, in milliseconds.
    package static let pathPatienceMax = 1_000
    /// How far ahead of the wall clock another clock may be and still advance our logical clock.
    package static let clockLeadMillisecondsMax: Int64 = 5 * 60 * 1000
    /// The most links that an event may cross: six segments in a row are more than any tour has.
    package static let hopsMax = 16
    /// The most members of one tour at any moment.
    package static let membersMax = 1_000
    /// The most members that a tour ever has, former ones included: a rekey names all of these, and its wraps still fit
    /// the body.
    package static let membersEverMax = 1_300
    /// The most of them admitted by one member, and by members that it admitted, without any leader: a tour's code
    /// passes from hand to hand, and one member that invents devices cannot fill the tour.
    package static let sponsoredMax = 400
    /// The most role events that one role event replaces: more than a member ever has side by side.
    package static let rolesReplacedMax = 64
    /// The most role events of one author on one member that count: more rank changes than any tour has.
    package static let rolesOnMemberMax = 128
    /// The most invites that end with one removal: more than a tour has open. Any others are revoked before it.
    package static let invitesRevokedMax = 256
    /// The most control events of a member that one removal, or change of its rank, lets stand: 16 KiB of names.
    package static let controlsNamedMax = 1_000
    /// The bytes of sealed events after which an author's log accepts no more of them: 40,000 short messages, or a
    /// thousand of the longest. A tour of `membersMax` takes at most that many times as much.
    package static let sealedLogBytesMax = 16 * 1024 * 1024
    /// The same for control events: with 200 members 800 epochs by one guide; a member that has used up its share of
    /// sealed events can still remove somebody.
    package static let controlLogBytesMax = 16 * 1024 * 1024
    /// The part of it reserved for governing the tour: sixty removals with an epoch for 600 devices each.
    package static let governingLogBytesMin = 4 * 1024 * 1024
    /// The most bytes of needless control events held of an author to whom nobody gave a rank, and of those whom
    /// it introduces: as many admissions as a sponsor has, of 600 bytes each.
    package static let plainControlBytesMax = 256 * 1024
    /// The same for all such authors together: a hundred times what two that admit the same people leave behind.
    package static let plainControlBytesOfTourMax = 2 * 1024 * 1024
}

// Values that this implementation chooses: a peer with others still understands us.
extension Limits {
    /// The size of a message's slices: with its prefix such a slice needs no padding (the longest needs 6 %), and its
    /// frame fills eleven TCP segments on Ethernet.
    package static let slicePayloadBytesTarget = 31 * 512 - 3
    /// The most frontier entries in one message.
    package static let headsPerMessageMax = 1_000
    /// The longest claim row: it holds that many heads and the field tags, and nodes pass on nothing much longer.
    package static let claimRowBytesMax = 4 * 1024
    /// The most events in one run: one signature proves them all, and a slice holds about thirty texts.
    package static let runEventsMax = 256
    /// The event bytes of one run: fits one slice after the envelope, unless one event alone is larger.
    package static let runBytesTarget = 15 * 1024
    /// The bytes served for one pull before the asker must ask again: bounds what a reader can make us queue.
    package static let pullBytesMax = 256 * 1024
    /// The most epochs whose keys one message asks for.
    package static let epochsAskedMax = 64
    /// The most keys in one answer or welcome.
    package static let epochKeysMax = 1_000
    /// The most names in an index of control events: 18 bytes each on the wire, three quarters of
    /// `linkMessageBytesMax`.
    package static let controlIndexMax = 4_096
    /// The most control events in one message: as many of the shortest as fit one.
    package static let controlsPerMessageMax = 512
    /// The most rows in one message; some hundred of them take 16 KiB.
    package static let rowsPerMessageMax = 512
    /// The most bytes of control events that a joiner accepts from one host: a month of 200 devices needs one MiB.
    package static let joinControlBytesMax = 8 * 1024 * 1024
    /// The uses of an invite when its author does not choose.
    package static let inviteUsesStandard = 250
    /// The lifetime of an invite in seconds when its author does not choose.
    package static let inviteLifetimeStandard: Int64 = 30 * 86_400
    /// The most ranges in one pull.
    package static let pullRangesMax = 64
    /// The bytes queued on a link from which it lags and gets frontiers only.
    package static let linkQueueBytesMax = 256 * 1024
    /// The bytes queued on a link at which it is closed: frontiers alone never come near.
    package static let linkQueueBytesClose = 4 * 1024 * 1024
    /// The received events not yet stored above which the node stops reading a link; an event of more than
    /// `Backlog.eventBytes` counts as several, so that at most 16 MiB wait.
    package static let unstoredEventsMax = 4_096
    /// Two links between the same two peers opened within this time are simultaneous dials; after it the old link is
    /// dead without our knowing.
    package static let simultaneousDialMax: Duration = .seconds(10)
    /// The most connections with an unfinished handshake in all.
    package static let handshakesMax = 64
    /// The same from one address.
    package static let handshakesPerAddressMax = 16
    /// The time from the first byte to the end of the handshake.
    package static let handshakeTimeout: Duration = .seconds(5)
    /// The time from the opening of a join link to its end: a tour's control events and keys take a second or two.
    package static let joinLinkLifetime: Duration = .seconds(30)
    /// The silence after which a ping goes out.
    package static let keepAliveInterval: Duration = .seconds(10)
    /// The silence after which a link is dead.
    package static let deadPeerTimeout: Duration = .seconds(25)
    /// The silence before a ping to a peer that shows on another path that it is alive: two of its signs of life may be
    /// lost, and time remains for an answer.
    package static let heardQuietMax: Duration = .seconds(21)
    /// The same where some of the signs of life are lost: three may be.
    package static let heardQuietMaxWhenLossy: Duration = .seconds(31)
    /// The same where many are lost: five may be.
    package static let heardQuietMaxWhenVeryLossy: Duration = .seconds(52)
    /// The silence after which the link itself is tested, however well the peer is heard elsewhere.
    package static let linkCheckInterval: Duration = .seconds(300)
    /// The time within which a node that received something on a link answers, if only to show that it arrived.
    package static let answerDelay: Duration = .seconds(5)
    /// The most discovered candidates kept in all.
    package static let candidatesMax = 512
    /// The most bytes on a restricted link (key not yet in our roster) until both sides know each other.
    package static let restrictedLinkBytesMax = 1024 * 1024
    /// The longest time that a link stays restricted.
    package static let restrictedLinkTimeout: Duration = .seconds(5)
    /// The most secrets that a responder tries on a hello.
    package static let credentialsMax = 512
    /// The most frames under one handshake's keys; then a fresh handshake is due. Source: `Protocol/03-handshake.md`.
    package static let framesPerSessionMax: UInt64 = 1 << 32
    /// The longest time under one handshake's keys.
    package static let sessionLifetime: Duration = .seconds(2 * 60 * 60)
    /// The longest lifetime of an announcement or an invite: ten years, in seconds. Larger numbers are mistakes, and
    /// their products would overflow.
    package static let expirySecondsMax: Int64 = 3_650 * 86_400
    /// How long a member counts as reachable after its last sign of life.
    package static let presenceLifetime: Duration = .seconds(30)
}
