import SwiftProtobuf
import TourModel

extension LinkMessage {
    /// The message's protobuf bytes.
    package func encode() -> [UInt8] { encoded(wire) }

    var wire: WireLinkMessage {
        WireLinkMessage.with {
            switch self {
            case .bind(let bind): $0.bind = bind.wire
            case .joinRequest(let request): $0.joinRequest = request.wire
            case .welcome(let epochs): $0.welcome = .with { $0.epochs = epochs.map(\.wire) }
            case .joinRefusal(let refusal): $0.joinRefusal = .with { $0.code = refusal.rawValue }
            case .have(let have):
                $0.have = .with {
                    $0.authors = have.heads.map(\.prefix)
                    $0.sequences = have.heads.map(\.sequence)
                    $0.tags = have.heads.map(\.tag)
                    $0.salt = have.salt
                }
            case .run(let run): $0.run = run.wire
            case .want(let want): $0.want = want.wire
            case .served(let id, let truncated):
                $0.served = .with {
                    $0.id = id
                    $0.truncated = truncated
                }
            case .prune: $0.prune = WirePrune()
            case .controlIndex(let ids): $0.controlIndex = .with { $0.ids = ids.map { wireData($0.bytes) } }
            case .control(let events): $0.control = .with { $0.events = events.map { wireData($0) } }
            case .rows(let rows): $0.rows = .with { $0.rows = rows.map(\.wire) }
            case .ping: $0.ping = WirePing()
            case .pong: $0.pong = WirePong()
            case .bye(let reason): $0.bye = .with { $0.code = reason.rawValue }
            case .epochAsk(let epochs): $0.epochAsk = .with { $0.epochs = epochs.map(\.data) }
            case .epochKeys(let epochs): $0.epochKeys = .with { $0.epochs = epochs.map(\.wire) }
            case .synced(let rows): $0.synced = .with { $0.rows = rows.map(\.wire) }
            case .positions(let rows): $0.positions = .with { $0.rows = rows.map(\.wire) }
            case .blob(let message): $0.kind = message.wire
            case .castAsks(let asks): $0.castAsks = .with { $0.asks = asks.map(\.wire) }
            case .ask(let message): $0.kind = message.wire
            }
        }
    }

    /// - Returns: nil for a kind that this version does not know: the receiver ignores it.
    /// - Throws: `WireError.messageMalformed` (scope link).
    package static func decode(_ bytes: [UInt8]) throws(WireError) -> LinkMessage? {
        guard let message = decoded(WireLinkMessage.self, bytes, within: .linkMessage) else { throw .messageMalformed }
        guard message.kind != nil else { return nil }
        guard let value = LinkMessage(message) else { throw .messageMalformed }
        return value
    }

    /// Nil for malformed messages, and for a kind that this version does not know.
    init?(_ wire: WireLinkMessage) {
        guard let value = wire.kind?.value else { return nil }
        self = value
    }
}

extension WireLinkMessage.OneOf_Kind {
    fileprivate var value: LinkMessage? {
        switch self {
        case .bind(let wire): BindMessage(wire).map(LinkMessage.bind)
        case .joinRequest(let wire): JoinRequest(wire).map(LinkMessage.joinRequest)
        case .welcome(let wire):
            EpochSecret.list(wire.epochs).map(LinkMessage.welcome)
        case .joinRefusal(let wire): .joinRefusal(JoinRefusal(rawValue: wire.code) ?? .invalid)
        case .have(let wire):
            TaggedHead.zip(wire.authors, wire.sequences, wire.tags).map { .have(Have(salt: wire.salt, heads: $0)) }
        case .run(let wire): Run(wire).map(LinkMessage.run)
        case .want(let wire): Want(wire).map(LinkMessage.want)
        case .served(let wire): .served(id: wire.id, truncated: wire.truncated)
        case .prune: .prune
        case .controlIndex(let wire): .controlIndex(wire.ids.compactMap { EventName($0) })
        case .control(let wire): .control(wire.events.map(\.array))
        case .rows(let wire): wire.rows.all(ClaimRow.init).map(LinkMessage.rows)
        case .ping: .ping
        case .pong: .pong
        case .bye(let wire): .bye(ByeReason(rawValue: wire.code) ?? .closing)
        case .epochAsk(let wire):
            wire.epochs.count > Limits.epochsAskedMax
                ? nil : wire.epochs.all { EpochID($0) }.map(LinkMessage.epochAsk)
        case .epochKeys(let wire): EpochSecret.list(wire.epochs).map(LinkMessage.epochKeys)
        case .synced(let wire): wire.rows.all(ClaimRow.init).map(LinkMessage.synced)
        case .positions(let wire): wire.rows.all(ClaimRow.init).map(LinkMessage.positions)
        case .blobState(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .blobGot(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .blobAsk(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .blobPage(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .blobChunk(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .blobDrop(let wire): BlobMessage(wire).map(LinkMessage.blob)
        case .castAsks(let wire): wire.asks.isEmpty ? nil : CastAsk.list(wire.asks).map(LinkMessage.castAsks)
        case .askCommit(let wire): AskMessage(wire).map(LinkMessage.ask)
        case .askNonce(let wire): AskMessage(wire).map(LinkMessage.ask)
        case .askReveal(let wire): AskMessage(wire).map(LinkMessage.ask)
        case .askAnswer(let wire): AskMessage(wire).map(LinkMessage.ask)
        case .codeShare(let wire): AskMessage(wire).map(LinkMessage.ask)
        case .codeProof(let wire): AskMessage(wire).map(LinkMessage.ask)
        }
    }
}

extension Array {
    /// All elements transformed, or nil when the transformation fails for one.
    func all<Value>(_ transform: (Element) -> Value?) -> [Value]? {
        let values = compactMap(transform)
        return values.count == count ? values : nil
    }
}

extension BindMessage {
    fileprivate init?(_ wire: WireBind) {
        guard let identity = SigningKey(wire.identityKey), wire.signature.count == Event.signatureLength,
            let share = Bytes32(wire.datagramShare), wire.genesis.count <= Limits.controlBodyBytesMax,
            wire.datagramPort <= UInt16.max
        else { return nil }
        self.init(
            identity: identity, signature: wire.signature.array, datagramShare: share,
            genesis: wire.genesis.isEmpty ? nil : wire.genesis.array, datagramPort: Int(wire.datagramPort),
            path: wire.path)
    }

    fileprivate var wire: WireBind {
        .with {
            $0.identityKey = identity.data
            $0.signature = wireData(signature)
            $0.datagramShare = wireData(datagramShare.bytes)
            if let genesis { $0.genesis = wireData(genesis) }
            $0.datagramPort = UInt32(clamping: datagramPort)
            $0.path = path
        }
    }
}

extension JoinRequest {
    init?(_ wire: WireJoinRequest) {
        guard let identity = SigningKey(wire.identityKey), let linkKey = LinkKey(wire.linkKey),
            let wrappingKey = WrappingKey(wire.wrappingKey), let invite = SigningKey(wire.inviteKey),
            wire.handshakeHash.count == Self.handshakeHashLength,
            wire.identitySignature.count == Event.signatureLength,
            wire.inviteSignature.count == Event.signatureLength
        else { return nil }
        self.init(
            identity: identity, linkKey: linkKey, wrappingKey: wrappingKey, invite: invite,
            handshakeHash: wire.handshakeHash.array, identitySignature: wire.identitySignature.array,
            inviteSignature: wire.inviteSignature.array)
    }

    var wire: WireJoinRequest {
        .with {
            $0.identityKey = identity.data
            $0.linkKey = linkKey.data
            $0.wrappingKey = wrappingKey.data
            $0.inviteKey = invite.data
            $0.handshakeHash = wireData(handshakeHash)
            $0.identitySignature = wireData(identitySignature)
            $0.inviteSignature = wireData(inviteSignature)
        }
    }
}

extension EpochSecret {
    /// - Returns: nil when there are too many, or one is malformed.
    fileprivate static func list(_ wire: [WireEpochSecret]) -> [EpochSecret]? {
        wire.count > Limits.epochKeysMax ? nil : wire.all(EpochSecret.init)
    }

    fileprivate init?(_ wire: WireEpochSecret) {
        guard let epoch = EpochID(wire.epoch), let key = Bytes32(wire.key) else { return nil }
        self.init(epoch: epoch, key: key)
    }

    fileprivate var wire: WireEpochSecret {
        .with {
            $0.epoch = epoch.data
            $0.key = wireData(key.bytes)
        }
    }
}

extension Run {
    init?(_ wire: WireRun) {
        guard let author = MemberID(wire.author), let previous = EventID(wire.previous), wire.first > 0,
            (1...Limits.runEventsMax).contains(wire.events.count),
            wire.first <= UInt64.max - UInt64(Limits.runEventsMax)
        else { return nil }
        var events = [RunEvent]()
        events.reserveCapacity(wire.events.count)
        var epoch = EpochID.none
        for event in wire.events {
            if !event.epoch.isEmpty {
                guard let named = EpochID(event.epoch) else { return nil }
                epoch = named
            }
            let eventClass = UInt8(exactly: event.eventClass).map(EventClass.init(rawValue:))
            guard let eventClass, event.signature.count == Event.signatureLength,
                event.body.count <= eventClass.bodyBytesMax
            else { return nil }
            // A control event is not sealed; the last named epoch applies to the next sealed event.
            events.append(
                RunEvent(
                    eventClass: eventClass, clock: LogicalClock(value: event.clock),
                    epoch: eventClass == .control ? .none : epoch, signature: event.signature.array[...],
                    body: event.body.array[...]))
        }
        self.init(
            author: author, first: wire.first, previous: previous, events: events,
            hops: Int(min(wire.hops, UInt32(Limits.hopsMax) + 1)), pushed: wire.pushed)
    }

    var wire: WireRun {
        .with {
            $0.author = author.data
            $0.first = first
            $0.previous = previous.data
            $0.hops = UInt32(hops)
            $0.pushed = pushed
            var epoch = EpochID.none
            $0.events = events.map { event in
                .with {
                    $0.eventClass = UInt32(event.eventClass.rawValue)
                    $0.clock = event.clock.value
                    $0.signature = wireData(event.signature)
                    $0.body = wireData(event.body)
                    if event.eventClass != .control, event.epoch != epoch {
                        epoch = event.epoch
                        $0.epoch = epoch.data
                    }
                }
            }
        }
    }
}

extension Want {
    fileprivate init?(_ wire: WireWant) {
        guard wire.ranges.count <= Limits.pullRangesMax else { return nil }
        let ranges = wire.ranges.all { range -> Range? in
            guard let author = MemberID(range.author), range.first > 0, range.last >= range.first else { return nil }
            return Range(author: author, first: range.first, last: range.last)
        }
        guard let ranges else { return nil }
        self.init(id: wire.id, ranges: ranges, graft: wire.graft)
    }

    fileprivate var wire: WireWant {
        .with {
            $0.id = id
            $0.graft = graft
            $0.ranges = ranges.map { range in
                .with {
                    $0.author = range.author.data
                    $0.first = range.first
                    $0.last = range.last
                }
            }
        }
    }
}

extension ClaimRow {
    init?(_ wire: WireRow) {
        guard wire.signature.count == Event.signatureLength else { return nil }
        self.init(
            row: wire.row.array, signature: wire.signature.array,
            hops: Int(min(wire.hops, UInt32(Limits.hopsMax) + 1)))
    }

    var wire: WireRow {
        .with {
            $0.row = wireData(row)
            $0.signature = wireData(signature)
            $0.hops = UInt32(hops)
        }
    }
}
