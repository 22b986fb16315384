import Testing
import TourModel
import TourWire

/// Goal: bodies and claims come back as they were; texts, names and lists have bounds; kinds of a later version are no
/// error. Method: samples of each kind; values at and over each bound; bytes written by hand where ours cannot write
/// it.
struct BodyTests {
    @Test(arguments: Samples.controls) func controlComesBack(body: ControlBody) throws {
        #expect(try ControlBody(decoding: body.encode()) == body)
    }

    @Test(arguments: Samples.contents) func contentComesBack(content: Content) throws {
        #expect(try Content(decoding: content.encode()) == content)
    }

    @Test func unknownKindsAreKept() throws {
        #expect(try ControlBody(decoding: [0xF2, 0x01, 0x00]) == .unknown)
        #expect(try Content(decoding: [0xF2, 0x01, 0x00]) == .unsupported)
        #expect(Content.unsupported.eventClass == nil)
    }

    private func isRefused(_ content: Content) -> Bool { (try? Content(decoding: content.encode())) == nil }

    @Test func textsAndNamesHaveBounds() {
        let text = String(repeating: "x", count: Limits.textBytesMax)
        #expect(!isRefused(.text(text, replyTo: nil)))
        #expect(isRefused(.text(text + "x", replyTo: nil)))
        // 8,192 letters of two bytes fit, one more does not.
        #expect(isRefused(.text(String(repeating: "é", count: Limits.textBytesMax / 2 + 1), replyTo: nil)))
        #expect(isRefused(.text("", replyTo: nil)))
        #expect(isRefused(.announcement(.init(text: "", urgent: true, expiresAt: nil, replyTo: nil))))
        #expect(isRefused(.announcement(.init(text: text + "x", urgent: true, expiresAt: nil, replyTo: nil))))
        let name = String(repeating: "n", count: Limits.nameBytesMax)
        #expect(!isRefused(.profile(name: name)))
        #expect(isRefused(.profile(name: name + "n")))
        #expect(isRefused(.profile(name: "")))
        #expect(isRefused(.tourInfo(name: name + "n")))
        #expect(isRefused(.tourInfo(name: "")))
    }

    @Test func invalidUTF8IsRefused() {
        for bad in [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]] {
            let text = [0x0A, UInt8(bad.count)] + bad
            #expect(throws: WireError.recordMalformed) { try Content(decoding: [0x0A, UInt8(text.count)] + text) }
        }
    }

    @Test func largestTextFitsASealedBody() {
        let longest = Content.text(String(repeating: "x", count: Limits.textBytesMax), replyTo: Samples.id(1))
        #expect(longest.encode().count + 24 + 16 <= Limits.sealedBodyBytesMax)
    }

    /// An announcement "x" whose end is written by hand, as a number in base 128.
    @Test func anExpiryIsWithinAClock() throws {
        func announcement(_ end: [UInt8]) -> [UInt8] {
            [0x12, UInt8(4 + end.count), 0x0A, 1, 0x78, 0x18] + end
        }
        let last = announcement([UInt8](repeating: 0xFF, count: 6) + [0x3F])
        guard case .announcement(let taken) = try Content(decoding: last) else {
            Issue.record("no announcement")
            return
        }
        #expect(taken.expiresAt == LogicalClock.millisecondsMax)
        // 2^48, 2^60 and 2^64 - 1.
        for end in [[UInt8](repeating: 0x80, count: 6) + [0x40], [UInt8](repeating: 0x80, count: 8) + [0x10]]
            + [[UInt8](repeating: 0xFF, count: 9) + [0x01]]
        {
            #expect(throws: WireError.recordMalformed) { try Content(decoding: announcement(end)) }
        }
    }

    @Test func replyIsAnIDOrNothing() {
        // A text "x" in answer to 31 bytes.
        let text: [UInt8] = [0x0A, 1, 0x78, 0x12, 31] + [UInt8](repeating: 1, count: 31)
        #expect(throws: WireError.recordMalformed) { try Content(decoding: [0x0A, UInt8(text.count)] + text) }
    }

    /// A location by hand: latitude, longitude, and more fields of the fix.
    private func location(_ latitude: Int32, _ longitude: Int32, _ more: [UInt8] = []) -> [UInt8] {
        func little(_ value: Int32) -> [UInt8] {
            (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let fix = [0x0D] + little(latitude) + [0x15] + little(longitude) + more
        return [0x52, UInt8(fix.count + 2), 0x0A, UInt8(fix.count)] + fix
    }

    @Test func placesHaveBounds() throws {
        guard case .location(let place) = try Content(decoding: location(900_000_000, -1_800_000_000)) else {
            Issue.record("no location")
            return
        }
        #expect(place.text == "90,-180" && place.fix.accuracyMetres == 0 && place.fix.fixedAt == nil)
        let late: [UInt8] = [0x21] + [UInt8](repeating: 0xFF, count: 8)
        let wide: [UInt8] = [0x18, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]
        for bad in [
            location(900_000_001, 0), location(-900_000_001, 0), location(0, 1_800_000_001), location(.min, 0),
            location(0, .min), location(0, 0, late), location(0, 0, wide), [0x52, 0x00],
        ] {
            #expect(throws: WireError.recordMalformed) { try Content(decoding: bad) }
        }
        let long = String(repeating: "x", count: Limits.textBytesMax)
        #expect(!isRefused(.location(.init(fix: Samples.fix, label: long, replyTo: Samples.id(1)))))
        #expect(isRefused(.location(.init(fix: Samples.fix, label: long + "x", replyTo: nil))))
        let largest = Content.location(.init(fix: Samples.fix, label: long, replyTo: Samples.id(1)))
        #expect(largest.encode().count + 24 + 16 <= Limits.sealedBodyBytesMax)
    }

    @Test func meetingsHaveBounds() throws {
        let place = Samples.fix.coordinate
        let long = String(repeating: "x", count: Limits.textBytesMax)
        func meeting(_ label: String?, _ text: String, at: Int64? = nil) -> Content {
            .meeting(Meeting(place: place, label: label, text: text, at: at, expiresAt: at))
        }
        func inWords(_ label: String?, _ text: String, at: Int64? = nil) -> Content {
            .meeting(Meeting(place: nil, label: label, text: text, at: at, expiresAt: at))
        }
        #expect(!isRefused(inWords(nil, long)))
        #expect(isRefused(inWords("l", long)))
        #expect(isRefused(inWords(nil, "Here", at: LogicalClock.millisecondsMax + 1)))
        // As it always was: without a place and a text, nothing else counts.
        let cleared = try Content(decoding: inWords("Reception", "", at: 5).encode())
        #expect(cleared == .meeting(nil))
        #expect(!isRefused(meeting(nil, long)))
        #expect(isRefused(meeting("l", long)))
        #expect(isRefused(meeting("Tower", "")))
        #expect(!isRefused(meeting(nil, "Here", at: LogicalClock.millisecondsMax)))
        #expect(isRefused(meeting(nil, "Here", at: LogicalClock.millisecondsMax + 1)))
        let id: EventID = Samples.id(1)
        for state in MeetingAnswer.State.allCases {
            let answer = try #require(MeetingAnswer(meeting: id, state: state, minutes: 0))
            #expect(try Content(decoding: Content.meetingAnswer(answer).encode()) == .meetingAnswer(answer))
            #expect((MeetingAnswer(meeting: id, state: state, minutes: 5) != nil) == (state == .late))
        }
        #expect(MeetingAnswer(meeting: id, state: .late, minutes: MeetingAnswer.minutesMax + 1) == nil)
    }

    /// The file at each bound, and one over it.
    @Test func filesHaveBounds() {
        func isRefused(_ change: (inout FileContent) -> Void) -> Bool {
            var file = Samples.sentFile(5_000_000)
            change(&file)
            let isRefused = (try? Content(decoding: Content.file(file).encode())) == nil
            // A picture is held to the same, and so is who writes.
            #expect(isRefused == ((try? Content(decoding: Content.image(file).encode())) == nil))
            #expect(isRefused == !file.isWithinBounds)
            return isRefused
        }
        func text(_ count: Int) -> String { String(repeating: "x", count: count) }
        #expect(!isRefused { $0.name = text(Limits.fileNameBytesMax) })
        #expect(isRefused { $0.name = text(Limits.fileNameBytesMax + 1) })
        #expect(isRefused { $0.name = "" })
        #expect(!isRefused { $0.media = text(Limits.mediaTypeBytesMax) })
        #expect(isRefused { $0.media = text(Limits.mediaTypeBytesMax + 1) })
        for media in ["image jpeg", "image/jpeg\n", "image/jp\u{E9}g", "\u{7F}"] {
            #expect(isRefused { $0.media = media })
        }
        #expect(!isRefused { $0.caption = text(Limits.fileCaptionBytesMax) })
        #expect(isRefused { $0.caption = text(Limits.fileCaptionBytesMax + 1) })
        #expect(!isRefused { $0.thumbnail = [UInt8](repeating: 1, count: Limits.thumbnailBytesMax) })
        #expect(isRefused { $0.thumbnail = [UInt8](repeating: 1, count: Limits.thumbnailBytesMax + 1) })
        #expect(!isRefused { ($0.width, $0.height) = (Limits.imageSideMax, Limits.imageSideMax) })
        #expect(isRefused { $0.width = Limits.imageSideMax + 1 })
        #expect(isRefused { $0.height = .max })
        #expect(isRefused { $0.pageHashes = [] })
        #expect(isRefused { $0.pageHashes.append(Samples.bytes32(1)) })
    }

    @Test func sizesOfFilesHaveABound() {
        // A file that says no more than a key, a name and its size, by hand.
        func file(size: [UInt8], pages: Int) -> [UInt8] {
            let pages =
                [0x1A, UInt8((pages * 32) & 0x7F) | 0x80, UInt8((pages * 32) >> 7)]
                + [UInt8](repeating: 1, count: pages * 32)
            let fields = [0x0A, 32] + [UInt8](repeating: 1, count: 32) + [0x10] + size + pages + [0x22, 1, 0x78]
            return [0x32, UInt8(fields.count & 0x7F) | 0x80, UInt8(fields.count >> 7)] + fields
        }
        let most: [UInt8] = [0x80, 0x80, 0x80, 0x80, 0x04]
        #expect(throws: Never.self) { try Content(decoding: file(size: most, pages: 16)) }
        for (size, pages) in [
            ([0x81, 0x80, 0x80, 0x80, 0x04], 16), ([0x81, 0x80, 0x80, 0x80, 0x04], 17), (most, 15), (most, 0),
            ([UInt8](repeating: 0xFF, count: 9) + [0x01], 0),
        ] {
            #expect(throws: WireError.recordMalformed) { try Content(decoding: file(size: size, pages: pages)) }
        }
    }

    @Test func largestPicturesFitASealedBody() {
        var image = Samples.sentFile(Limits.blobBytesMax)
        image.name = String(repeating: "n", count: Limits.fileNameBytesMax)
        image.media = String(repeating: "m", count: Limits.mediaTypeBytesMax)
        image.thumbnail = [UInt8](repeating: 1, count: Limits.thumbnailBytesMax)
        image.caption = String(repeating: "c", count: Limits.fileCaptionBytesMax)
        (image.width, image.height) = (Limits.imageSideMax, Limits.imageSideMax)
        #expect(!isRefused(.image(image)))
        #expect(Content.image(image).encode().count + 24 + 16 <= Limits.sealedBodyBytesMax)
        func meeting(_ photo: FileContent, text: Int) -> Content {
            .meeting(
                Meeting(
                    place: Samples.fix.coordinate, label: nil, text: String(repeating: "t", count: text),
                    at: LogicalClock.millisecondsMax, expiresAt: LogicalClock.millisecondsMax, photo: photo))
        }
        #expect(isRefused(meeting(image, text: 1)), "it answers something")
        image.replyTo = nil
        let room = Limits.textBytesMax - Limits.thumbnailBytesMax - Limits.fileCaptionBytesMax
        #expect(!isRefused(meeting(image, text: room)))
        #expect(isRefused(meeting(image, text: room + 1)))
        #expect(meeting(image, text: room).encode().count + 24 + 16 <= Limits.sealedBodyBytesMax)
        image.name = ""
        #expect(isRefused(meeting(image, text: 1)))
    }

    @Test func controlBodiesAreBounded() {
        let ids = Array(repeating: EventName(Samples.id(1)), count: Limits.membersMax)
        let revoke = ControlBody.revoke(invite: Samples.id(1), accepted: ids)
        #expect(revoke.isWithinBound)
        let endless = ControlBody.revoke(
            invite: Samples.id(1), accepted: [EventName](repeating: ids[0], count: Limits.controlBodyBytesMax / 16))
        #expect(!endless.isWithinBound)
        #expect(throws: Never.self) { try ControlBody(decoding: revoke.encode()) }
        let huge = revoke.encode() + [0xF2, 0x01, 0x80, 0x80, 0x04] + [UInt8](repeating: 0, count: 65_536)
        #expect(throws: WireError.recordMalformed) { try ControlBody(decoding: huge) }
        let secret = [UInt8](repeating: 0, count: 257)
        let invite = ControlBody.Invite(
            key: Samples.id(1), uses: 0, expiresAt: 0, sealedSecret: secret, epoch: Samples.id(2))
        #expect(throws: WireError.recordMalformed) { try ControlBody(decoding: ControlBody.invite(invite).encode()) }
        let genesis = ControlBody.Genesis(
            identity: Samples.id(1), linkKey: Samples.id(2), wrappingKey: Samples.id(3),
            commitment: Samples.bytes32(4), fullHistory: false, salt: [1])
        #expect(throws: WireError.recordMalformed) { try ControlBody(decoding: ControlBody.genesis(genesis).encode()) }
    }

    @Test func rolesAndRemovalsAreBounded() throws {
        func isRefused(_ body: ControlBody) -> Bool { (try? ControlBody(decoding: body.encode())) == nil }
        func role(_ count: Int) -> ControlBody {
            let replaces = [EventID](repeating: Samples.id(1), count: count)
            return .role(.init(member: Samples.id(1), rank: .guide, sequence: 1, replaces: replaces))
        }
        func removal(_ count: Int) -> ControlBody {
            let revoked = [SigningKey](repeating: Samples.id(1), count: count)
            let accepted = Array(repeating: EventName(Samples.id(1)), count: Limits.membersMax)
            return .remove(
                .init(member: Samples.id(1), sequence: 1, last: Samples.id(2), revoked: revoked, accepted: accepted))
        }
        #expect(!isRefused(role(Limits.rolesReplacedMax)) && isRefused(role(Limits.rolesReplacedMax + 1)))
        #expect(!isRefused(removal(Limits.invitesRevokedMax)) && isRefused(removal(Limits.invitesRevokedMax + 1)))
        let most = Limits.controlsNamedMax
        for (count, isTooMany) in [(most, false), (most + 1, true)] {
            let names = Array(repeating: EventName(Samples.id(1)), count: count)
            let role = ControlBody.Role(
                member: Samples.id(1), rank: .member, sequence: 1, replaces: [], controls: names)
            let removal = ControlBody.Remove(
                member: Samples.id(1), sequence: 1, last: Samples.id(2), revoked: [], accepted: [], controls: names)
            #expect(isRefused(.role(role)) == isTooMany && isRefused(.remove(removal)) == isTooMany)
        }
        // Ranks that a role event cannot give: none, creator, one of a later version.
        let good = ControlBody.role(.init(member: Samples.id(1), rank: .guide, sequence: 0, replaces: [])).encode()
        for rank in [0, 4, 5, 100] as [UInt8] {
            var body = good
            body[body.count - 1] = rank
            #expect(throws: WireError.recordMalformed) { try ControlBody(decoding: body) }
        }
        #expect(throws: Never.self) { try ControlBody(decoding: good) }
        var short = Samples.branch(1)
        short.header.removeLast()
        #expect(isRefused(.fork(ForkProof(identity: Samples.id(1), first: short, second: Samples.branch(2)))))
        var long = Samples.branch(1)
        long.signature.append(0)
        #expect(isRefused(.fork(ForkProof(identity: Samples.id(1), first: Samples.branch(2), second: long))))
    }

    @Test func rekeysAreBounded() {
        func isRefused(_ change: (inout ControlBody.Rekey) -> Void) -> Bool {
            var rekey = Samples.rekey(recipients: 2, excluded: 2)
            change(&rekey)
            return (try? ControlBody(decoding: ControlBody.rekey(rekey).encode())) == nil
        }
        #expect(!isRefused { _ in })
        #expect(isRefused { $0.parents = [] })
        #expect(isRefused { $0.parents.reverse() })
        #expect(isRefused { $0.recipients.reverse() })
        #expect(isRefused { $0.recipients[1] = $0.recipients[0] })
        #expect(isRefused { $0.wraps.removeLast() })
        #expect(isRefused { $0.excluded = [2, 2] })
        #expect(isRefused { $0 = Samples.rekey(recipients: Limits.rekeyRecipientsMax + 1) })
        #expect(isRefused { $0 = Samples.rekey(recipients: 2, excluded: Limits.rekeyExcludedMax + 1) })
        // 200 devices: what a daily rekey costs everybody.
        #expect(ControlBody.rekey(Samples.rekey(recipients: 200)).encode().count <= 20_000)
        #expect(Samples.rekey(recipients: 2).wrap(for: .max)?.sealed == nil)
        #expect(Samples.rekey(recipients: 2).wrap(for: .max - 1)?.sealed.startIndex == Limits.wrappedKeyBytes)
    }

    @Test func claimsComeBackAndAreBounded() throws {
        func decode(_ bytes: [UInt8]) throws -> FrontierClaim? {
            try FrontierClaim.decode(bytes) { $0 == Samples.claim.member.prefix ? Samples.claim.member : nil }
        }
        #expect(try decode(Samples.claim.encode()) == Samples.claim)
        // The last of several values counts. One of a later version means awake; bits of a later one are kept.
        #expect(try decode(Samples.claim.encode() + [0x48, 2])?.isAsleep == false)
        #expect(try decode(Samples.claim.encode() + [0x48, 0])?.isAsleep == false)
        #expect(try decode(Samples.claim.encode() + [0x50, 0])?.understands == Abilities?.none)
        #expect(try decode(Samples.claim.encode() + [0x50, 0x85, 0x20])?.understands?.rawValue == 0x1005)
        for field: UInt8 in [0x48, 0x50] {
            let endless = Samples.claim.encode() + [field] + [UInt8](repeating: 0xFF, count: 10) + [1]
            #expect(throws: WireError.recordMalformed) { try decode(endless) }
        }
        var claim = Samples.claim
        claim.heads = Array(repeating: Samples.heads[0], count: Limits.claimRowBytesMax / 32)
        #expect(try decode(claim.encode()) == claim)
        claim.readThrough = nil
        #expect(try decode(claim.encode()) == claim)
        claim.member = Samples.id(9)
        #expect(try decode(claim.encode()) == nil, "nobody is named so")
        claim.heads = Array(repeating: Samples.heads[0], count: Limits.claimRowBytesMax / 8)
        #expect(throws: WireError.recordMalformed) { try decode(claim.encode()) }
        #expect(throws: WireError.recordMalformed) { try decode([]) }
    }

    @Test func eventBodiesAreBoundedByClass() {
        func decode(_ kind: EventClass, body: Int, version: UInt8 = 1, sequence: UInt64 = 1) -> WireError? {
            var header = Samples.header
            header.eventClass = kind
            header.sequence = sequence
            var bytes = header.exactBytes + Samples.signature + [UInt8](repeating: 0, count: body)
            bytes[0] = version
            do {
                _ = try RawEvent(decoding: bytes)
                return nil
            } catch { return error }
        }
        #expect(decode(.chat, body: 0) == nil)
        #expect(decode(.chat, body: Limits.sealedBodyBytesMax) == nil)
        #expect(decode(.chat, body: Limits.sealedBodyBytesMax + 1) == .eventMalformed)
        #expect(decode(EventClass(rawValue: 255), body: Limits.sealedBodyBytesMax + 1) == .eventMalformed)
        #expect(decode(.control, body: Limits.controlBodyBytesMax) == nil)
        #expect(decode(.control, body: Limits.controlBodyBytesMax + 1) == .eventMalformed)
        #expect(decode(.chat, body: 0, version: 2) == .eventVersion)
        #expect(decode(.chat, body: 0, sequence: 0) == .eventMalformed)
        #expect(decode(.chat, body: 0, sequence: .max) == nil)
    }
}
