import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// `event.json`, `event-bad.json`, `place.json` and `run.json`.
enum EventVectors {
    /// The tour of the vectors: genesis, invite and admit known, the epoch's key learnt.
    static func group() throws -> TourGroup {
        let genesis = try VectorFile.named("genesis", in: "event")
        var group = try TourGroup(genesis: genesis.bytes("event"))
        let controls = try ["invite", "admit"].map { try VectorFile.named($0, in: "event").bytes("event") }
        #expect(group.add(controls: controls).count == 2)
        let epoch = try VectorFile.named("epoch", in: "identity")
        #expect(
            group.learn(
                epoch: EpochID(raw: group.genesisEvent.id.raw), key: SecretBytes(try epoch.bytes("epochKey"))))
        return group
    }

    static func event(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("event")
        let raw = try RawEvent(decoding: bytes)
        try checkHeader(raw, vector)
        let pair = SigningKeyPair(seed: SecretBytes(try vector.bytes("identitySeed")))
        #expect(try pair.publicKey == vector.id("identityKey"))
        #expect(EventCrypto.sign(raw.header.exactBytes, by: pair) == Array(raw.signature))
        #expect(raw.encode() == bytes)
        let event = try VerifiedRun(header: raw.header, bytes: bytes, identity: pair.publicKey).events[0]
        #expect(try event.id == vector.id("id"))
        #expect(event == Event(raw.header, signature: raw.signature, body: raw.body))
        if raw.header.eventClass == .control {
            try checkControl(event, vector)
            return nil
        }
        return try openSealed(event, vector)
    }

    /// What an event says, once opened.
    static func content(_ vector: VectorCase) throws -> String? {
        let plaintext = try vector.bytes("plaintext")
        let content: Content
        do { content = try Content(decoding: plaintext) } catch { return error.code }
        #expect(try content.eventClass == EventClass(rawValue: UInt8(vector.count("class"))))
        #expect(content.encode() == plaintext)
        return nil
    }

    private static func checkHeader(_ raw: RawEvent, _ vector: VectorCase) throws {
        let header = EventHeader(
            eventClass: EventClass(rawValue: UInt8(try vector.count("class"))), tour: try vector.id("tour"),
            author: try vector.id("author"), sequence: try vector.number("sequence"),
            previous: try vector.id("previous"), clock: LogicalClock(value: try vector.word("clock")),
            epoch: try vector.id("epoch"), bodyHash: try vector.bytes32("bodyHash"))
        #expect(raw.header == header)
        #expect(try header.exactBytes == vector.bytes("header"))
        #expect(try Array(raw.signature) == vector.bytes("signature"))
        #expect(try Array(raw.body) == vector.bytes("body"))
        #expect(EventCrypto.bodyHash(raw.body) == header.bodyHash)
    }

    private static func checkControl(_ event: Event, _ vector: VectorCase) throws {
        let body = try ControlBody(decoding: event.body)
        #expect(try body.encode() == vector.bytes("plaintext"), "\(vector.name)")
        if vector.has("tourID") {
            #expect(try TourID(genesis: event.bytes) == vector.id("tourID"))
            #expect(try ControlRecord(genesis: event.bytes).event == event)
            return
        }
        #expect(try ControlRecord(verified: event).body == body)
        guard vector.has("joinSecret"), case .invite(let invite) = body else { return }
        let group = try group()
        let state = try #require(group.roster.invites[invite.key])
        #expect(try group.joinSecret(of: state) == SecretBytes(vector.bytes("joinSecret")))
        let epochKey = SecretBytes(try vector.bytes("sealEpochKey"))
        #expect(try Hash.keyed(epochKey, .inviteSeal, invite.key.bytes) == SecretBytes(vector.bytes("inviteSealKey")))
    }

    private static func openSealed(_ event: Event, _ vector: VectorCase) throws -> String? {
        let group = try group()
        let content: Content
        do { content = try group.open(event) } catch { return error.code }
        let plaintext = try vector.bytes("plaintext")
        #expect(try content == Content(decoding: plaintext))
        if content != .unsupported { #expect(content.encode() == plaintext) }
        let epoch = try #require(group.currentEpoch)
        #expect(try epoch.bodyKey(author: event.header.author) == SecretBytes(vector.bytes("bodyKey")))
        return nil
    }

    /// By itself, as control events come, and as a run of one, in which only what a run carries is believed.
    static func eventBad(_ vector: VectorCase) throws -> String? {
        var bytes = try vector.bytes("event")
        if vector.has("bodyZeros") { bytes += [UInt8](repeating: 0, count: try vector.count("bodyZeros")) }
        let identity: SigningKey = try vector.id("identityKey")
        do {
            let raw = try RawEvent(decoding: bytes)
            let event = try VerifiedRun(header: raw.header, bytes: bytes, identity: identity).events[0]
            let run = Run([event], hops: 0, pushed: false)
            let rebuilt = try VerifiedRun(run, tour: try vector.id("tour"), identity: identity)
            #expect(rebuilt.events == [event], "\(vector.name)")
        } catch let fault as any Fault {
            #expect(fault.scope == .record)
            return fault.code
        }
        return nil
    }

    static func run(_ vector: VectorCase) throws -> String? {
        do {
            guard case .run(let run)? = try LinkMessage.decode(try vector.bytes("message")) else {
                throw VectorCase.Missing(field: "a run")
            }
            let verified = try VerifiedRun(run, tour: try vector.id("tour"), identity: try vector.id("identityKey"))
            try checkRun(run, vector)
            #expect(try verified.events.map(\.bytes) == vector.byteLists("rebuilt"), "\(vector.name)")
            #expect(try verified.events.map(\.id.bytes) == vector.byteLists("ids"), "\(vector.name)")
            #expect(verified.hops == run.hops + 1)
        } catch let fault as any Fault {
            return fault.code
        }
        return nil
    }

    private static func checkRun(_ run: Run, _ vector: VectorCase) throws {
        #expect(try run.author == vector.id("author"))
        #expect(try run.first == vector.number("first"))
        #expect(try run.previous == vector.id("previous"))
        #expect(try run.hops == (vector.has("hops") ? vector.count("hops") : 0))
        #expect(try run.pushed == (vector.has("pushed") ? vector.flag("pushed") : false))
        let events = try vector.cases("events")
        #expect(run.events.count == events.count)
        for (event, fields) in zip(run.events, events) {
            #expect(try Int(event.eventClass.rawValue) == fields.count("class"))
            #expect(try event.clock.value == fields.word("clock"))
            #expect(try Array(event.signature) == fields.bytes("signature"))
            #expect(try Array(event.body) == fields.bytes("body"))
        }
        #expect(try LinkMessage.run(run).encode() == vector.bytes("message"), "\(vector.name)")
    }
}
