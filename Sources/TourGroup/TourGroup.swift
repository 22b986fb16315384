import TourCrypto
import TourModel
import TourWire

/// One tour: its control events, the roster that follows from them, and the keys of its epochs.
/// Source: `Protocol/05-events.md`.
///
/// Pure: events come in, verified here, in any order and any number of times; the roster depends on the set alone.
/// Events of later kinds say nothing here. Their logs carry them: held beside these they would be sent to everybody who
/// joins, and a member can write as many and as long ones as it likes.
package struct TourGroup: Sendable {
    package let tour: TourID
    private let genesis: ControlRecord
    private var controls: [EventID: ControlRecord]
    /// Control events whose author is not known yet, about `waitingMax` of them, tried again when the roster grows.
    private var waiting: [EventID: RawEvent] = [:]
    private var epochs: [EpochID: EpochKey] = [:]
    package private(set) var roster: Roster

    /// More than any join storm leaves unexplained at one time.
    package static let waitingMax = 1_024
    /// 18 bytes each on the wire: three quarters of `Limits.linkMessageBytesMax`.
    package static let controlIndexMax = 4_096

    private static let joinSecretBytes = 32

    /// - Throws: `GroupFault.badGenesis`.
    package init(genesis bytes: [UInt8]) throws(GroupFault) {
        genesis = try ControlRecord(genesis: bytes)
        tour = TourID(genesis: bytes)
        controls = [genesis.event.id: genesis]
        roster = Roster(genesis: genesis, controls: [genesis])
    }

    package var genesisEvent: Event { genesis.event }

    /// The number of control events held.
    package var controlCount: Int { controls.count }

    /// Takes control events in exact bytes, from any source.
    /// - Returns: those that were new and are sound now, earlier waiting ones included.
    package mutating func add(controls bytes: some Collection<[UInt8]>) -> [Event] {
        var fresh = Set<EventID>()
        for event in bytes {
            guard let raw = try? RawEvent(decoding: event), raw.header.tour == tour,
                raw.header.eventClass == .control, let body = try? ControlBody(decoding: raw.body), body != .unknown,
                // The id covers the header only: another body must not take the place of what waits under it.
                EventCrypto.bodyHash(raw.body) == raw.header.bodyHash
            else { continue }
            let id = EventCrypto.id(headerBytes: event[..<EventHeader.length], signature: raw.signature)
            guard controls[id] == nil else { continue }
            waiting[id] = raw
            fresh.insert(id)
        }
        let added = settle()
        // What nobody explained makes room for what came now, so that rubbish never shuts out the rest.
        if waiting.count > Self.waitingMax { waiting = waiting.filter { fresh.contains($0.key) } }
        return added
    }

    /// Takes the control events of a verified run.
    /// - Returns: those that were new.
    package mutating func add(verified events: some Collection<Event>) -> [Event] {
        var added = [Event]()
        for event in events where event.header.eventClass == .control && controls[event.id] == nil {
            guard let record = try? ControlRecord(verified: event), record.body != .unknown else { continue }
            controls[event.id] = record
            waiting[event.id] = nil
            added.append(event)
        }
        guard !added.isEmpty else { return [] }
        refresh()
        return added + settle()
    }

    /// Verifies what waits for as long as that makes new authors known.
    private mutating func settle() -> [Event] {
        var added = [Event]()
        var grew = true
        while grew, !waiting.isEmpty {
            grew = false
            for (id, raw) in waiting {
                guard let author = roster.members[raw.header.author] else { continue }
                waiting[id] = nil
                guard
                    let run = try? VerifiedRun(header: raw.header, bytes: raw.encode(), identity: author.identity),
                    let record = try? ControlRecord(verified: run.events[0])
                else { continue }
                controls[id] = record
                added.append(record.event)
                grew = true
            }
            if grew { refresh() }
        }
        return added.sorted(by: Event.precedes)
    }

    private mutating func refresh() {
        roster = Roster(genesis: genesis, controls: controls.values)
    }

    /// The first 16 bytes of the control events' ids: what a link compares. Beyond `controlIndexMax` events those that
    /// the roster rests on and then the newest in the tour's order, so that the index fits one message; a peer then
    /// sends some that we hold.
    package var controlIndex: [[UInt8]] {
        guard controls.count > Self.controlIndexMax else { return controls.keys.map { Array($0.bytes.prefix(16)) } }
        return controls.values.sorted { precedes($0, $1) { Event.precedes($1, $0) } }
            .prefix(Self.controlIndexMax).map { Array($0.event.id.bytes.prefix(16)) }
    }

    /// The control events that a peer with this index lacks, the genesis left out: those that the roster rests on in
    /// the tour's order, so that an author is known before what it wrote, then the others likewise.
    package func controls(missingFrom index: [[UInt8]]) -> [[UInt8]] {
        let known = Set(index)
        return controls.values
            .filter { $0.event.id != genesis.event.id && !known.contains(Array($0.event.id.bytes.prefix(16))) }
            .sorted { precedes($0, $1, by: Event.precedes) }
            .map(\.event.bytes)
    }

    /// What a joiner needs: the events that the roster rests on, the genesis left out, in the tour's order. The others
    /// come by links that take more.
    package var welcome: [[UInt8]] {
        controls.values
            .filter { $0.event.id != genesis.event.id && roster.basis.contains($0.event.id) }
            .sorted { Event.precedes($0.event, $1.event) }
            .map(\.event.bytes)
    }

    private func precedes(
        _ left: ControlRecord, _ right: ControlRecord, by order: (Event, Event) -> Bool
    ) -> Bool {
        let isLeftBasis = roster.basis.contains(left.event.id)
        guard isLeftBasis == roster.basis.contains(right.event.id) else { return isLeftBasis }
        return order(left.event, right.event)
    }

    /// Takes an epoch's key if the epoch's event commits to it.
    /// - Returns: false when it does not.
    @discardableResult
    package mutating func learn(epoch: EpochID, key: SecretBytes) -> Bool {
        guard epoch.raw == genesis.event.id.raw, case .genesis(let body) = genesis.body,
            let epochKey = EpochKey(id: epoch, key: key),
            epochKey.commitment(author: body.identity) == body.commitment
        else { return false }
        epochs[epoch] = epochKey
        return true
    }

    package var epochKeys: [EpochKey] { epochs.values.sorted { $0.id < $1.id } }

    /// The epoch that new events are sealed under; nil before its key is learnt.
    package var currentEpoch: EpochKey? { epochs[EpochID(raw: genesis.event.id.raw)] }

    /// Opens and checks a sealed event.
    /// - Throws: `GroupFault` of scope record.
    package func open(_ event: Event) throws(GroupFault) -> Content {
        guard let author = roster.members[event.header.author] else { throw .unknownAuthor }
        guard let epoch = epochs[event.header.epoch] else { throw .unknownEpoch }
        let prefix = event.headerBytes.prefix(EventHeader.sealedPrefixLength)
        guard
            let plaintext = try? Seal.open(
                event.body, key: epoch.bodyKey(author: author.id), associatedData: prefix)
        else { throw .badSeal }
        guard let content = try? Content(decoding: plaintext) else { throw .badContent }
        if let expected = content.eventClass, expected != event.header.eventClass { throw .badContent }
        switch content {
        case .announcement, .tourInfo:
            guard author.rank.leads else { throw .notAllowed }
        case .text, .withdrawal, .profile, .unsupported: break
        }
        return content
    }

    /// The join secret of an invite, for members who hold its epoch's key; nil as well when what is sealed there is no
    /// PSK of a link.
    package func joinSecret(of invite: InviteState) -> SecretBytes? {
        guard let epoch = epochs[invite.epoch] else { return nil }
        let key = Hash.keyed(epoch.key, .inviteSeal, invite.key.bytes)
        guard let secret = try? Seal.open(invite.sealedSecret, key: key, associatedData: invite.key.bytes),
            secret.count == Self.joinSecretBytes
        else { return nil }
        return SecretBytes(secret)
    }

    /// What an invite event says of a new invite.
    package func inviteBody(
        _ secret: InviteSecret, uses: UInt32, expiresAt: Int64?, under epoch: EpochKey
    ) -> ControlBody {
        let key = secret.invitePair.publicKey
        let sealingKey = Hash.keyed(epoch.key, .inviteSeal, key.bytes)
        return .invite(
            ControlBody.Invite(
                key: key, uses: uses, expiresAt: UInt64(clamping: expiresAt ?? 0),
                sealedSecret: Seal.seal(
                    secret.joinSecret.exposedCopy(), key: sealingKey, associatedData: key.bytes),
                epoch: epoch.id))
    }

    /// What a revocation says: the invite, and the admissions under it that stand.
    package func revokeBody(_ invite: SigningKey) -> ControlBody {
        let admits = controls.values.compactMap { record -> [UInt8]? in
            guard case .admit(let request) = record.body, request.invite == invite,
                roster.members[MemberID(identity: request.identity)] != nil
            else { return nil }
            return Array(record.event.id.bytes.prefix(16))
        }
        return .revoke(invite: invite, accepted: admits.sorted { $0.lexicographicallyPrecedes($1) })
    }
}
