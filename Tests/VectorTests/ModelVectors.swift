import Testing
import TourCrypto
import TourModel
import TourWire

/// `clock.json`, `discovery-tag.json`, `frontier-row.json`, `position-row.json` and `share.json`.
enum ModelVectors {
    static func clock(_ vector: VectorCase) throws -> String? {
        let wall = try vector.signed("wallMilliseconds")
        let result = LogicalClock(value: try vector.word("result"))
        if try vector.text("kind") == "next" {
            let last = LogicalClock(value: try vector.word("last"))
            #expect(last.next(wallMilliseconds: wall) == result, "\(vector.name)")
        } else {
            let ours = LogicalClock(value: try vector.word("ours"))
            let received = LogicalClock(value: try vector.word("received"))
            #expect(ours.witnessing(received, wallMilliseconds: wall) == result, "\(vector.name)")
            #expect(try received.isCredible(wallMilliseconds: wall) == vector.flag("credible"))
        }
        return nil
    }

    static func discoveryTag(_ vector: VectorCase) throws -> String? {
        let secret = SecretBytes(try vector.bytes(vector.has("madeBy") ? "madeBy" : "secret"))
        let made = try kind(vector.text(vector.has("madeAs") ? "madeAs" : "kind"))
        let slot = DiscoveryTag.slot(unixSeconds: try vector.signed("unixSeconds"))
        #expect(try slot == vector.number("slot"))
        let tag = DiscoveryTag(secret: secret, kind: made, slot: slot)
        #expect(try tag.bytes == vector.bytes("tag"))
        #expect(DiscoveryTag(tag.bytes) == tag)

        let held = SecretBytes(try vector.bytes("secret"))
        let wanted = try kind(vector.text("kind"))
        let seen = DiscoveryTag.slot(unixSeconds: try vector.signed("seenAt"))
        let reach: UInt64 = wanted == .ask ? 1 : 96
        let matches = (seen - min(seen, reach)...seen + reach).contains {
            DiscoveryTag(secret: held, kind: wanted, slot: $0) == tag
        }
        #expect(try matches == vector.flag("matches"), "\(vector.name)")
        return nil
    }

    private static func kind(_ name: String) throws -> DiscoveryTag.Kind {
        switch name {
        case "member": .member
        case "invite": .invite
        case "ask": .ask
        default: throw VectorCase.Missing(field: "a kind of tag")
        }
    }

    static func share(_ vector: VectorCase) throws -> String? {
        var size = LogSize(sealed: try vector.count("sealedBytes"), control: try vector.count("controlBytes"))
        let events = zip(try vector.numbers("classes"), try vector.numbers("bytes"))
            .map { (EventClass(rawValue: UInt8($0)), Int($1)) }
        let taken = events.prefix { eventClass, byteCount in
            guard LogShare.ofTour.hasRoom(for: eventClass, after: size) else { return false }
            size.add(eventClass, byteCount: byteCount)
            return true
        }
        #expect(try taken.count == vector.count("taken"), "\(vector.name)")
        #expect(try LogShare.ofTour.hasRoom(for: .chat, after: size) != vector.flag("isFull"), "\(vector.name)")
        return nil
    }

    static func frontierRow(_ vector: VectorCase) throws -> String? {
        let row = try vector.bytes("row")
        let identity: SigningKey = try vector.id("identityKey")
        let member = MemberID(identity: identity)
        let decoded: FrontierClaim?
        do {
            decoded = try FrontierClaim.decode(row) { $0 == member.prefix ? member : nil }
        } catch { return error.code }
        let tour: TourID = try vector.id("tour")
        let digest = Hash.of(.frontier, tour.bytes, member.bytes, row)
        guard let claim = decoded, identity.verifies(try vector.bytes("signature"), of: digest.bytes) else {
            return VerificationFault.badSignature.code
        }
        #expect(try claim.member == vector.id("member"))
        #expect(try claim.counter == vector.word("counter"))
        #expect(try claim.heads.map { Hex.encode(bigEndian($0.prefix)) } == texts(vector, "authors"))
        #expect(try claim.heads.map(\.sequence) == vector.numbers("sequences"))
        try expect(vector, claim.heads, salt: claim.counter)
        #expect(try claim.readThrough?.value ?? 0 == vector.word("readClock"))
        #expect(try claim.whole?.through.value ?? 0 == vector.word("through"))
        if let whole = claim.whole {
            let prefixes = try vector.byteLists("allAuthors").map { $0.reduce(0) { $0 << 8 | UInt64($1) } }
            let events = try vector.byteLists("allEvents").compactMap { EventID($0) }
            let every = try Array(zip(zip(prefixes, vector.numbers("allSequences")), events))
            #expect(try whole.digest == vector.word("digest"))
            let digest = HeadsDigest.of(every.map { (prefix: $0.0, sequence: $0.1, event: $1) })
            #expect(try (digest == whole.digest) == vector.flag("isAll"))
        }
        #expect(try claim.isAsleep == vector.flag("isAsleep"))
        #expect(try claim.understands?.rawValue ?? 0 == vector.word("understands"))
        // What a later version says is not said again.
        let later = ["a field of a later version", "a rest of a later version is awake", "the largest rest is awake"]
        if !later.contains(vector.name) { #expect(claim.encode() == row) }
        return nil
    }

    /// The tags of these heads, and which of them name the events that a receiver holds.
    static func expect(_ vector: VectorCase, _ heads: [TaggedHead], salt: UInt64) throws {
        #expect(try heads.map { Hex.encode(bigEndian($0.tag)) } == texts(vector, "tags"), "\(vector.name)")
        let events = try vector.byteLists("events").compactMap { EventID($0) }
        let names = zip(heads, events).map { HeadTag.of($1, salt: salt) == $0.tag }
        #expect(try names == vector.flags("names"), "\(vector.name)")
    }

    static func positionRow(_ vector: VectorCase) throws -> String? {
        let row = try vector.bytes("row")
        let identity: SigningKey = try vector.id("identityKey")
        let member = MemberID(identity: identity)
        let decoded: PositionClaim?
        do {
            decoded = try PositionClaim.decode(row) { $0 == member.prefix ? member : nil }
        } catch { return error.code }
        let digest = PositionRow.digest(row, of: member, tour: try vector.id("tour"))
        guard let claim = decoded, identity.verifies(try vector.bytes("signature"), of: digest) else {
            return VerificationFault.badSignature.code
        }
        #expect(try claim.member == vector.id("member"))
        #expect(try claim.counter == vector.word("counter"))
        #expect(try UInt64(claim.until) == vector.number("until"))
        #expect(try (claim.fix != nil) == vector.flag("hasFix"))
        if let fix = claim.fix {
            #expect(try Int64(fix.coordinate.latitude) == vector.signed("latitude"))
            #expect(try Int64(fix.coordinate.longitude) == vector.signed("longitude"))
            #expect(try UInt64(fix.accuracyMetres) == vector.number("accuracy"))
            #expect(try fix.fixedAt.map { UInt64($0) } == vector.number("fixedAt"))
        }
        if vector.name != "a field of a later version" { #expect(claim.encode() == row) }
        return nil
    }

    private static func bigEndian(_ value: UInt64) -> [UInt8] {
        var bytes = [UInt8]()
        bytes.append(bigEndian: value)
        return bytes
    }

    private static func texts(_ vector: VectorCase, _ field: String) throws -> [String] {
        try vector.byteLists(field).map { Hex.encode($0) }
    }
}
