import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourGroup
import TourModel
import TourWire

/// Goal: the server opens a tour once a guide has let its archive in, what it was given the keys of, until it is out,
/// and never else. Method: a whole server over HTTP, and a guide that plays the node's part.
struct ArchiveTests {
    private struct Offer: Decodable {
        var memberId: String
        var identity: String
        var link: String
        var wrapping: String
        var signature: Data
    }
    private struct Status: Decodable {
        var memberId: String
        var wrapping: String
        var isActive: Bool
        var wants: [String]
    }
    private struct Message: Decodable {
        struct Metadata: Decodable {
            var replyTo: String?
            var latitude: Double?
            var longitude: Double?
            var address: String?
            var fixedAt: Date?
            var urgent: Bool?
            var name: String?
            var media: String?
            var size: Int?
            var caption: String?
            var width: Int?
            var thumbnail: Data?
            var photo: Photo?
            var record: String?
            var version: Int?
            var takenBack: Bool?
        }
        struct Photo: Decodable {
            var name: String
        }
        var localId: String
        var content: String
        var type: String
        var senderId: String
        var groupId: String
        var sentAt: Date
        var status: String
        var syncedAt: Date?
        var metadata: Metadata?
    }

    /// A tour that the server knows, and its guide's member token.
    private struct Scene {
        var tour: SampleTour
        let guide: String
        let server: RunningServer
        var path: String { "/groups/\(tour.id.hex)" }

        init(fullHistory: Bool, _ server: RunningServer) async throws {
            tour = SampleTour(fullHistory: fullHistory)
            self.server = server
            _ = try await server.found(tour, token: try await server.newGuide().access_token)
            guide = try await server.memberToken(tour.guide)
            #expect(try await server.push(tour.guide.log, token: guide).codes == [])
        }

        func offer(_ token: String? = nil) async throws -> (reply: Reply, challenge: Bytes32) {
            let challenge = JoinRequest.archiveChallenge()
            let wish =
                #"{"invite":"\#(tour.invite.invitePair.publicKey.hex)","#
                + #""challenge":"\#(Data(challenge.bytes).base64EncodedString())"}"#
            return (try await server.send(.POST, path + "/archive", token: token ?? guide, wish), challenge)
        }

        /// The guide lets the archive in.
        mutating func letArchiveIn() async throws -> JoinRequest {
            let (reply, challenge) = try await offer()
            let request = try ArchiveTests.request(try reply.decoded(), challenge, tour)
            try await push([tour.act(.admit(request))])
            return request
        }

        func push(_ events: [Event]) async throws {
            let reply = try await server.push(events, token: guide)
            #expect(reply.codes == [] && reply.statuses.count == events.count)
        }

        func messages(_ query: String = "") async throws -> [Message] {
            try await server.send(.GET, path + "/messages" + query, token: guide).decoded()
        }
    }

    private static func request(_ offer: Offer, _ challenge: Bytes32, _ tour: SampleTour) throws -> JoinRequest {
        let request = try JoinRequest.ofArchive(
            identity: #require(SigningKey(hex: offer.identity)), linkKey: #require(LinkKey(hex: offer.link)),
            wrappingKey: #require(WrappingKey(hex: offer.wrapping)), signature: Array(offer.signature),
            invite: tour.invite.invitePair, tour: tour.id, challenge: challenge)
        return try #require(request, "its signature holds")
    }

    @Test func serverOpensWhatIsWrittenAfterItWasLetInAndNothingElse() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            try await scene.push([scene.tour.guide.say("before", under: scene.tour.epoch, at: SampleTour.wall)])
            let closed = try await server.send(.GET, scene.path + "/messages", token: scene.guide)
            #expect(closed.status == 404 && closed.code == "no-archive")
            let archive = try await scene.letArchiveIn()
            #expect(try await scene.messages().isEmpty, "it has no key")
            let epoch = try scene.tour.rekey()
            let text = scene.tour.guide.say("Grüße", under: epoch, at: SampleTour.wall + 1_000)
            let alarm = scene.tour.guide.author.write(
                .announcement(
                    Content.Announcement(text: "Bus at nine", urgent: true, expiresAt: nil, replyTo: text.id)),
                under: epoch, wallMilliseconds: SampleTour.wall + 2_000)
            scene.tour.guide.log.append(alarm)
            let place = try #require(Coordinate(degreesNorth: 48.8584, degreesEast: 2.2945).flatMap { Fix($0) })
            scene.tour.guide.log.append(
                scene.tour.guide.author.write(
                    .location(Content.Location(fix: place, label: "Tower", replyTo: nil)), under: epoch,
                    wallMilliseconds: SampleTour.wall + 3_000))
            try await scene.push(Array(scene.tour.guide.log.suffix(4)))
            let messages = try await scene.messages()
            #expect(messages.map(\.content) == ["Grüße", "Bus at nine", "Tower"])
            #expect(messages.map(\.type) == ["text", "announcement", "location"])
            #expect(messages.map(\.localId).prefix(2) == [text.id.hex, alarm.id.hex])
            let first = try #require(messages.first)
            #expect(first.senderId == scene.tour.guide.id.hex && first.groupId == scene.tour.id.hex)
            #expect(first.status == "sent" && first.metadata == nil)
            #expect(first.sentAt == Date(timeIntervalSince1970: 1_780_271_001))
            #expect(first.syncedAt == Date(timeIntervalSince1970: 1_780_272_000))
            #expect(messages[1].metadata?.urgent == true && messages[1].metadata?.replyTo == text.id.hex)
            #expect(messages[2].metadata?.latitude == 48.8584 && messages[2].metadata?.longitude == 2.2945)
            #expect(messages[2].metadata?.address == "Tower" && messages[2].metadata?.fixedAt == nil)
            let members = try await server.send(.GET, scene.path + "/members", token: scene.guide)
            #expect(members.text.contains(#""name":null"#) && !members.text.contains(#""name":""#))
            #expect(
                members.text.contains(
                    #""id":"\#(MemberID(identity: archive.identity).hex)","isActive":true,"isArchive":true"#))
        }
    }

    /// A guide that lets the archive in shares what people call themselves, with members and nobody else.
    @Test func membersHaveNamesWhereTheArchiveReads() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            for (number, name) in ["Anna", "Anna B."].enumerated() {
                let event = scene.tour.guide.author.write(
                    .profile(name: name), under: epoch, wallMilliseconds: SampleTour.wall + Int64(number))
                scene.tour.guide.log.append(event)
            }
            try await scene.push(Array(scene.tour.guide.log.suffix(3)))
            let guest = try await server.newAccount("guest@example.org").access_token
            _ = try await server.send(
                .POST, scene.path + "/invitations", token: scene.guide, #"{"email":"guest@example.org"}"#)
            try await server.prove("guest@example.org", token: guest)
            for path in [scene.path, scene.path + "/members"] {
                let text = try await server.send(.GET, path, token: scene.guide).text
                #expect(
                    text.contains(#""name":"Anna B.""#) && text.contains(#""name":null"#) && !text.contains("Anna\""))
                #expect(try await !server.send(.GET, path, token: guest).text.contains("Anna"))
            }
            #expect(try await server.send(.DELETE, scene.path + "/archive", token: scene.guide).status == 204)
            #expect(try await !server.send(.GET, scene.path, token: scene.guide).text.contains("Anna"))
        }
    }

    @Test func filesAreListedAsTheirEventsSay() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            let shape = try #require(BlobShape(size: 5_000_000))
            let plan = FileContent(
                key: .zero, shape: shape, pageHashes: [.zero], name: "plan.pdf", media: nil, thumbnail: nil, width: 0,
                height: 0, caption: nil, replyTo: nil)
            var gate = plan
            (gate.name, gate.media, gate.thumbnail) = ("gate.jpg", "image/jpeg", [0xFF, 0xD8])
            (gate.width, gate.caption) = (640, "By the door")
            let place = try #require(Coordinate(degreesNorth: 48.8584, degreesEast: 2.2945))
            let meeting = Meeting(place: place, label: nil, text: "Here", at: nil, expiresAt: nil, photo: gate)
            for (number, content) in [Content.file(plan), .image(gate), .meeting(meeting)].enumerated() {
                let event = scene.tour.guide.author.write(
                    content, under: epoch, wallMilliseconds: SampleTour.wall + Int64(number))
                scene.tour.guide.log.append(event)
            }
            try await scene.push(Array(scene.tour.guide.log.suffix(4)))
            let messages = try await scene.messages()
            #expect(messages.map(\.type) == ["file", "image", "meeting"])
            #expect(messages.map(\.content) == ["plan.pdf", "By the door", "Here"])
            let said = messages.map(\.metadata)
            #expect(said[0]?.name == "plan.pdf" && said[0]?.size == 5_000_000 && said[0]?.media == nil)
            #expect(said[1]?.name == "gate.jpg" && said[1]?.media == "image/jpeg" && said[1]?.width == 640)
            #expect(said[1]?.caption == "By the door" && said[1]?.thumbnail == Data([0xFF, 0xD8]))
            #expect(said[2]?.photo?.name == "gate.jpg" && said[2]?.name == nil && said[2]?.latitude == 48.8584)
        }
    }

    /// Parts before the last are no messages; what a member shares is nothing.
    @Test func sharedRecordsAreListedByTheirTitles() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            let id = NotebookID(high: 0x0011_2233_4455_6677, low: 0x8899_aabb_ccdd_eeff)
            let note = SharedRecord(title: "Packing", content: .note(text: String(repeating: "coat ", count: 4_000)))
            let parts = try #require(note.parts(of: id, version: 1))
            #expect(parts.count == 2)
            let gone = SharedPart.takingBack(id, version: 2, SharedPart.Head(kind: .note, title: "Packing"))
            for (number, part) in (parts + [gone]).enumerated() {
                scene.tour.guide.log.append(
                    scene.tour.guide.author.write(
                        .shared(part), under: epoch, wallMilliseconds: SampleTour.wall + Int64(number)))
            }
            try await scene.push(Array(scene.tour.guide.log.suffix(4)))
            let messages = try await scene.messages()
            #expect(messages.map(\.type) == ["note", "note"] && messages.map(\.content) == ["Packing", "Packing"])
            #expect(
                messages.map(\.metadata?.record) == Array(repeating: "00112233-4455-6677-8899-aabbccddeeff", count: 2))
            #expect(messages.map(\.metadata?.version) == [1, 2])
            #expect(messages.map(\.metadata?.takenBack) == [nil, true])
        }
    }

    @Test func withdrawnMessagesAreEmptyAndPagesGoOn() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            let texts = (1...5).map {
                scene.tour.guide.say("text \($0)", under: epoch, at: SampleTour.wall + Int64($0))
            }
            let withdrawal = scene.tour.guide.author.write(
                .withdrawal(texts[1].id), under: epoch, wallMilliseconds: SampleTour.wall + 10)
            scene.tour.guide.log.append(withdrawal)
            try await scene.push(Array(scene.tour.guide.log.suffix(7)))
            var contents = [[String]]()
            var query = "?limit=2"
            while contents.count < 9 {
                let reply = try await server.send(.GET, scene.path + "/messages" + query, token: scene.guide)
                contents.append(try reply.decoded([Message].self).map { "\($0.type) \($0.content)" })
                guard let link = reply.headers.first(name: "Link") else { break }
                query = String(link.dropFirst().prefix { $0 != ">" })
            }
            #expect(contents == [["text text 1", "withdrawn "], ["text text 3", "text text 4"], ["text text 5"]])
        }
    }

    /// What an account's own device wrote, and the server can read, is in the account's export; a message that was
    /// withdrawn is empty there too.
    @Test func theOwnMessagesAreInTheExport() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            var member = scene.tour.join()
            try await scene.push([try #require(scene.tour.guide.log.last)])
            let epoch = try scene.tour.rekey()
            let texts = (1...70).map {
                scene.tour.guide.say("text \($0)", under: epoch, at: SampleTour.wall + Int64($0))
            }
            scene.tour.guide.log.append(
                scene.tour.guide.author.write(
                    .withdrawal(texts[1].id), under: epoch, wallMilliseconds: SampleTour.wall + 100))
            try await scene.push(Array(scene.tour.guide.log.suffix(72)))
            let other = member.say("of another", under: epoch, at: SampleTour.wall + 200)
            #expect(try await server.push([other], token: try await server.memberToken(member)).codes == [])
            let account: Tokens = try await server.logIn("guide@example.org").decoded()
            let reply = try await server.send(
                .POST, "/auth/me/export", token: account.access_token, #"{"current_password":"correct horse"}"#)
            let folder = "tours/\(scene.tour.id.hex)/messages-"
            let parts = try TarReader(reply.body).entries.filter { $0.name.hasPrefix(folder) }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let own = try parts.flatMap { try decoder.decode([Message].self, from: $0.content) }
            #expect(own.map(\.localId) == texts.map(\.id.hex) && parts.count == 2)
            #expect(own[0].content == "text 1" && own[1].type == "withdrawn" && own[1].content == "")
        }
    }

    @Test func lateKeysCountWhenTheirEpochCommitsToThem() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: true, server)
            try await scene.push([scene.tour.guide.say("before", under: scene.tour.epoch, at: SampleTour.wall)])
            let archive = try await scene.letArchiveIn()
            let status: Status = try await server.send(.GET, scene.path + "/archive", token: scene.guide).decoded()
            #expect(status.isActive && status.wants == [scene.tour.epoch.id.hex])
            #expect(status.wrapping == archive.wrappingKey.hex)
            func hand(_ key: SecretBytes) async throws -> String {
                let wrapped = try #require(archive.wrappingKey.wrap(key))
                let body =
                    #"{"keys":[{"epoch":"\#(scene.tour.epoch.id.hex)","#
                    + #""wrapped":"\#(Data(wrapped).base64EncodedString())"}]}"#
                return try await server.send(.POST, scene.path + "/archive/keys", token: scene.guide, body).text
            }
            #expect(try await hand(.random(count: 32)) == #"{"taken":[]}"#, "another key")
            #expect(try await scene.messages().isEmpty)
            #expect(try await hand(scene.tour.epoch.key) == #"{"taken":["\#(scene.tour.epoch.id.hex)"]}"#)
            #expect(try await scene.messages().map(\.content) == ["before"])
            let after: Status = try await server.send(.GET, scene.path + "/archive", token: scene.guide).decoded()
            #expect(after.wants == [])
        }
    }

    @Test func removalInTheLogWipesItsKeys() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            let archive = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            try await scene.push(Array(scene.tour.guide.log.suffix(1)))
            try await scene.push([scene.tour.guide.say("hello", under: epoch, at: SampleTour.wall)])
            #expect(try await scene.messages().count == 1)
            let member = MemberID(identity: archive.identity)
            let log = KnownLog(tail: Author.Tail(sequence: 0, id: .none), controls: [])
            try await scene.push([scene.tour.act(scene.tour.group.removeBody(member, log: log))])
            for path in ["/messages", "/archive"] {
                let reply = try await server.send(.GET, scene.path + path, token: scene.guide)
                #expect(reply.status == 404 && reply.code == "no-archive", "\(path)")
            }
            // Another one comes with other keys.
            let (reply, _) = try await scene.offer()
            #expect(try reply.decoded(Offer.self).memberId != member.hex)
        }
    }

    @Test func archiveLeavesWhenWhoLeadsSaysSo() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            let archive = try await scene.letArchiveIn()
            let path = scene.path + "/archive"
            let member = scene.tour.join()
            let token = try await server.memberToken(member, controls: Array(scene.tour.guide.log.suffix(1)))
            #expect(try await server.send(.DELETE, path, token: token).code == "not-allowed")
            #expect(try await server.send(.DELETE, path, token: scene.guide).status == 204)
            #expect(try await server.send(.DELETE, path, token: scene.guide).code == "no-archive")
            let id = MemberID(identity: archive.identity).hex
            let members = try await server.send(.GET, scene.path + "/members", token: scene.guide)
            #expect(members.text.contains(#""id":"\#(id)","isActive":false,"isArchive":true"#))
            // Nodes pull the word by which it left from its own log.
            let frontier = try await server.send(.GET, scene.path + "/frontier", token: scene.guide)
            #expect(frontier.text.contains(#""\#(id)":1"#))
        }
    }

    @Test func onlyWhoLeadsInvitesItAndOnce() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: true, server)
            let member = scene.tour.join()
            let token = try await server.memberToken(member, controls: Array(scene.tour.guide.log.suffix(1)))
            #expect(try await scene.offer(token).reply.code == "not-allowed")
            let first = try await scene.offer().reply.decoded(Offer.self)
            let second = try await scene.offer().reply.decoded(Offer.self)
            #expect(first.memberId == second.memberId && first.signature != second.signature)
            _ = try await scene.letArchiveIn()
            #expect(try await scene.offer().reply.code == "has-archive")
            for (body, field) in [
                ("{}", "invite"), (#"{"invite":"00","challenge":""}"#, "invite"),
                (#"{"invite":"\#(String(repeating: "0", count: 64))","challenge":"AAAA"}"#, "challenge"),
            ] {
                let reply = try await server.send(.POST, scene.path + "/archive", token: scene.guide, body)
                #expect(reply.status == 422 && reply.field == field, "\(body)")
            }
            for (body, field) in [
                (#"{"keys":[{"epoch":"x","wrapped":""}]}"#, "keys[0].epoch"),
                (#"{"keys":[{"epoch":"\#(scene.tour.id.hex)","wrapped":"AAAA"}]}"#, "keys[0].wrapped"),
            ] {
                let reply = try await server.send(.POST, scene.path + "/archive/keys", token: scene.guide, body)
                #expect(reply.status == 422 && reply.field == field, "\(body)")
            }
        }
    }

    @Test func nothingOpenedAndNoKeyIsOnTheDisk() async throws {
        try await RunningServer.run { server async throws in
            var scene = try await Scene(fullHistory: false, server)
            _ = try await scene.letArchiveIn()
            let epoch = try scene.tour.rekey()
            let text = scene.tour.guide.say("a sentence that stays sealed", under: epoch, at: SampleTour.wall)
            try await scene.push([scene.tour.guide.log[scene.tour.guide.log.count - 2], text])
            #expect(try await scene.messages().map(\.content) == ["a sentence that stays sealed"])
            let files = try FileManager.default.subpathsOfDirectory(atPath: server.directory)
            #expect(files.contains("server.sqlite") || TestDatabase.isPostgres)
            for file in files {
                let data = FileManager.default.contents(atPath: server.directory + "/" + file) ?? Data()
                #expect(data.range(of: Data("a sentence that stays".utf8)) == nil, "\(file)")
                #expect(data.range(of: Data(epoch.key.exposedCopy())) == nil, "\(file)")
            }
        }
    }
}
