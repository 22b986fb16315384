import Testing
import TourAPI
import TourModel
import TourNode
import TourWire

/// Goal: files and pictures are told to every client as their author tells of them. Method: contents shown.
struct FileViewTests {
    private static func file(caption: String?) throws -> FileContent {
        FileContent(
            key: .zero, shape: try #require(BlobShape(size: 1_200_000)), pageHashes: [.zero], name: "Gate.jpg",
            media: "image/jpeg", thumbnail: [0xFF, 0xD8], width: 640, height: 0, caption: caption,
            replyTo: EventID(raw: .zero))
    }

    private static func view(_ content: Content) -> Message {
        var view = Message(
            id: "", tourID: "", authorID: "", authorName: "", authorNamesake: nil, authorRole: "member", seq: 1,
            type: "unsupported", content: "", metadata: Message.Metadata(), sentAt: "", receivedAt: "",
            status: .sent, syncedAt: nil, hops: 0, mine: false, unread: false, replyTo: nil)
        view.show(content, wallMilliseconds: 5, progress: nil)
        return view
    }

    @Test func aPictureIsShown() throws {
        let view = Self.view(.image(try Self.file(caption: "By the door")))
        #expect(view.type == "image" && view.content == "By the door")
        #expect(view.replyTo == EventID(raw: .zero).hex)
        let file = try #require(view.metadata.file)
        #expect(file.name == "Gate.jpg" && file.media == "image/jpeg" && file.size == 1_200_000)
        #expect(file.caption == "By the door" && file.width == 640 && file.height == nil)
        #expect(file.thumbnail == "/9g=")
    }

    @Test func aFileWithoutACaptionIsCalledByItsName() throws {
        let view = Self.view(.file(try Self.file(caption: nil)))
        #expect(view.type == "file" && view.content == "Gate.jpg" && view.metadata.file?.caption == nil)
    }

    @Test func aSearchFindsTheNameBesideTheCaption() throws {
        let view = Self.view(.image(try Self.file(caption: "By the door")))
        #expect(Words(["gate", "DOOR"]).areIn(view))
        #expect(!Words(["tower"]).areIn(view))
    }

    @Test func aMeetingPointHasItsPhoto() throws {
        let place = try #require(Coordinate(degreesNorth: 48.8584, degreesEast: 2.2945))
        let photo = try Self.file(caption: nil)
        let meeting = Meeting(place: place, label: nil, text: "Here", at: nil, expiresAt: 4, photo: photo)
        let view = Self.view(.meeting(meeting))
        #expect(view.metadata.meeting?.photo?.name == "Gate.jpg" && view.metadata.file == nil)
        #expect(view.metadata.expired == true && view.content == "Here")
        #expect(Self.view(.meeting(nil)).metadata.cleared == true)
    }
}
