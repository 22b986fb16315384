import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: a node shows only what its author may say, under keys that the tour committed to. Method: members who
/// overstep.
struct OpeningTests {
    private func withMember() -> (Party, TourGroup, Author) {
        var party = Party()
        let invite = Party.invite(1)
        let group = party.group(of: [party.open(invite), party.admit(2, invite)])
        return (party, group, party.author(2))
    }

    @Test func announcementsAreTheGuides() throws {
        var (party, group, member) = withMember()
        let announcement = Content.announcement(.init(text: "Bus", urgent: true, expiresAt: nil, replyTo: nil))
        let info = Content.tourInfo(name: "Mine now")
        let meeting = Content.meeting(
            Meeting(place: Party.fix.coordinate, label: nil, text: "Here", at: nil, expiresAt: nil))
        let head = SharedPart.Head(kind: .note, title: "Packing")
        let id = NotebookID(high: 1, low: 2)
        let inner = [UInt8](repeating: 1, count: Limits.sharedPartBytesMax)
        let shared = [
            SharedPart(record: id, version: 1, part: 0, parts: 2, data: inner, head: nil),
            SharedPart(record: id, version: 1, part: 1, parts: 2, data: [1], head: head),
            .takingBack(id, version: 2, head),
        ].map { Content.shared($0) }
        for content in [announcement, info, meeting, .meeting(nil)] + shared {
            let event = member.write(content, under: party.epoch, wallMilliseconds: Party.wall)
            #expect(throws: GroupFault.notAllowed) { try group.open(event) }
            let guide = party.creator.write(content, under: party.epoch, wallMilliseconds: Party.wall)
            #expect(try group.open(guide) == content)
        }
        let profile = member.write(Content.profile(name: "Ben"), under: party.epoch, wallMilliseconds: Party.wall)
        #expect(try group.open(profile) == .profile(name: "Ben"))
    }

    /// A sealed event whose header says another class than its content.
    private func disguised(_ content: Content, as eventClass: EventClass, _ party: Party, _ keys: MemberKeys) -> Event {
        var header = EventHeader(
            eventClass: eventClass, tour: party.tour, author: keys.memberID, sequence: 1, previous: .none,
            clock: LogicalClock(milliseconds: Party.wall), epoch: party.epoch.id)
        let body = Seal.seal(
            content.encode(), key: party.epoch.bodyKey(author: keys.memberID),
            associatedData: header.exactBytes.prefix(EventHeader.sealedPrefixLength))
        header.bodyHash = EventCrypto.bodyHash(body)
        return Event(header, signature: EventCrypto.sign(header.exactBytes, by: keys.identity), body: body)
    }

    @Test func contentIsOfItsClass() throws {
        let (party, group, _) = withMember()
        let announcement = Content.announcement(.init(text: "Bus", urgent: true, expiresAt: nil, replyTo: nil))
        let location = Content.location(Content.Location(fix: Party.fix, label: nil, replyTo: nil))
        let file = FileContent(
            key: Bytes32.zero, shape: try #require(BlobShape(size: 0)), pageHashes: [], name: "plan.pdf", media: nil,
            thumbnail: nil, width: 0, height: 0, caption: nil, replyTo: nil)
        let part = SharedPart.takingBack(
            NotebookID(high: 1, low: 2), version: 2, SharedPart.Head(kind: .note, title: "Packing"))
        let cases: [(Content, EventClass)] = [
            (.shared(part), .chat), (.shared(part), .profile),
            (announcement, .chat), (.text("a", replyTo: nil), .announcement), (.profile(name: "a"), .chat),
            (.text("a", replyTo: nil), EventClass(rawValue: 200)), (location, .announcement),
            (.file(file), .announcement), (.image(file), .profile),
        ]
        for (content, eventClass) in cases {
            let event = disguised(content, as: eventClass, party, Party.keys(2))
            #expect(throws: GroupFault.badContent) { try group.open(event) }
        }
    }

    @Test func strangersAndUnknownEpochsAreTold() throws {
        let (party, group, _) = withMember()
        let stranger = disguised(.text("a", replyTo: nil), as: .chat, party, Party.keys(99))
        #expect(throws: GroupFault.unknownAuthor) { try group.open(stranger) }
        var keyless = try TourGroup(genesis: party.genesis)
        _ = keyless.add(controls: group.controls(missingFrom: []))
        let event = disguised(.text("a", replyTo: nil), as: .chat, party, Party.keys(2))
        #expect(keyless.currentEpoch == nil)
        #expect(throws: GroupFault.unknownEpoch) { try keyless.open(event) }
    }

    @Test func onlyTheCommittedKeyIsLearnt() throws {
        let party = Party()
        var group = try TourGroup(genesis: party.genesis)
        let learntOther = group.learn(epoch: party.epoch.id, key: SecretBytes([UInt8](repeating: 9, count: 32)))
        #expect(!learntOther)
        let learntShort = group.learn(epoch: party.epoch.id, key: SecretBytes([UInt8](repeating: 9, count: 31)))
        #expect(!learntShort)
        let learntForNoEpoch = group.learn(epoch: EpochID(raw: .zero), key: party.epochKey)
        #expect(!learntForNoEpoch)
        #expect(group.epochKeys.isEmpty && group.currentEpoch == nil)
        let learntTrue = group.learn(epoch: party.epoch.id, key: party.epochKey)
        #expect(learntTrue)
        #expect(group.currentEpoch == party.epoch)
    }

    @Test func joinSecretComesBack() throws {
        var party = Party()
        let invite = Party.invite(4)
        let group = party.group(of: [party.open(invite, uses: 3)])
        let state = try #require(group.roster.invites[invite.invitePair.publicKey])
        #expect(state.uses == 3 && state.used == 0 && state.author == party.creator.id)
        #expect(state.isOpen(wallMilliseconds: .max - 1))
        #expect(group.joinSecret(of: state) == invite.joinSecret)
        var keyless = try TourGroup(genesis: party.genesis)
        _ = keyless.add(controls: group.controls(missingFrom: []))
        let seen = try #require(keyless.roster.invites[invite.invitePair.publicKey])
        #expect(keyless.joinSecret(of: seen) == nil)
    }

    @Test func joinSecretIsSealedToItsInviteAndHasItsLength() throws {
        var party = Party()
        let key = Party.invite(4).invitePair.publicKey
        let sealingKey = Hash.keyed(party.epochKey, .inviteSeal, key.bytes)
        let other = Party.invite(5).invitePair.publicKey
        let secret = [UInt8](repeating: 1, count: 32)
        for (plaintext, data, opens) in [(secret, key, true), (secret, other, false), ([1, 2, 3], key, false)] {
            var group = party.fresh
            let event = party.write(
                .invite(
                    .init(
                        key: key, uses: 0, expiresAt: 0,
                        sealedSecret: Seal.seal(plaintext, key: sealingKey, associatedData: data.bytes),
                        epoch: party.epoch.id)))
            _ = group.add(controls: [event.bytes])
            let state = try #require(group.roster.invites[key])
            #expect((group.joinSecret(of: state) != nil) == opens)
        }
    }

    @Test func expiryAndRevocationCloseAnInvite() throws {
        var party = Party()
        let invite = Party.invite(4)
        let event = party.write(
            party.founding.group.inviteBody(invite, uses: 0, expiresAt: Party.wall + 1_000, under: party.epoch))
        var group = party.group(of: [event])
        let key = invite.invitePair.publicKey
        #expect(group.roster.invites[key]?.isOpen(wallMilliseconds: Party.wall + 999) == true)
        #expect(group.roster.invites[key]?.isOpen(wallMilliseconds: Party.wall + 1_000) == false)
        _ = group.add(controls: [party.write(group.revokeBody(key)).bytes])
        #expect(group.roster.invites[key]?.isOpen(wallMilliseconds: Party.wall) == false)
    }

    @Test func falseGenesisIsRefused() throws {
        let party = Party()
        let good = party.genesis
        for index in [0, 1, 2, 40, 73, 74, 114, 150, 180, 250] {
            var changed = good
            changed[index] ^= 1
            #expect(throws: GroupFault.badGenesis) { try TourGroup(genesis: changed) }
        }
        for count in [0, 100, 242, good.count - 1] {
            #expect(throws: GroupFault.badGenesis) { try TourGroup(genesis: Array(good.prefix(count))) }
        }
        var other = party
        #expect(throws: GroupFault.badGenesis) { try TourGroup(genesis: other.write(.leave).bytes) }
    }
}
