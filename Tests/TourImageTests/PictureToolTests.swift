import Glibc
import Testing
import TourImage
import TourModel

/// Goal: a picture is sent turned, scaled, in the colours it had, and with nothing in it but the picture.
/// Method: real libvips on files that the test writes; single pixels of what comes out.
struct PictureToolTests {
    private let tool = PictureTool()

    private static func isNear(_ pixel: [Int], _ colour: [UInt8]) -> Bool {
        pixel.count == colour.count && zip(pixel, colour).allSatisfy { abs($0 - Int($1)) <= 12 }
    }

    private static func isJPEG(_ bytes: [UInt8]) -> Bool { PictureFormat(signature: bytes) == .jpeg }

    @Test func allProgramsAreHere() {
        #expect(tool.missing == nil)
    }

    @Test func aPictureIsTurnedAsItsCameraSaysAndTellsNothingElse() async throws {
        let folder = try PictureFolder()
        let input = Fixture.withCameraWords(try Fixture.jpeg(folder))
        let path = try folder.file("a.jpg", input)
        let facts = try await tool.look(at: path)
        #expect((facts.format, facts.width, facts.height) == (.jpeg, 64, 128))
        let made = try await tool.prepare(path, in: folder.out)
        #expect((made.width, made.height) == (64, 128))
        #expect(made.format == .jpeg)
        #expect(Self.isNear(try PictureFolder.pixel(made.path, 30, 10), Fixture.red))
        #expect(Self.isNear(try PictureFolder.pixel(made.path, 30, 120), Fixture.blue))
        for words in ["Exif", "Cam", "owner", "ns.adobe.com"] {
            #expect(input.contains(words), "the test's own picture lacks \(words)")
            #expect(try !PictureFolder.bytes(made.path).contains(words), "\(words) is still there")
            #expect(!made.thumbnail.contains(words), "\(words) is in the thumbnail")
        }
    }

    @Test func whatIsMadeIsPrivateAndAlone() async throws {
        let folder = try PictureFolder()
        let made = try await tool.prepare(try folder.file("a.jpg", try Fixture.jpeg(folder)), in: folder.out)
        #expect(folder.left.map { folder.out + "/" + $0 } == [made.path])
        var status = stat()
        #expect(stat(made.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(made.bytes == Int64(status.st_size))
    }

    @Test func coloursOfAWideScreenBecomeThoseOfEveryScreenAndTheProfileGoes() async throws {
        let folder = try PictureFolder()
        let (source, wide) = (try folder.file("a.png", Fixture.png), folder.path + "/in/wide.v")
        try PictureFolder.vips("icc_transform", source, wide, "p3", "--input-profile", "srgb")
        try PictureFolder.vips("jpegsave", wide, folder.path + "/in/wide.jpg", "--profile", "p3", "--Q", "95")
        let made = try await tool.prepare(folder.path + "/in/wide.jpg", in: folder.out)
        #expect(try PictureFolder.bytes(folder.path + "/in/wide.jpg").contains("ICC_PROFILE"))
        #expect(try !PictureFolder.bytes(made.path).contains("ICC_PROFILE"))
        #expect(!Self.isNear(try PictureFolder.pixel(folder.path + "/in/wide.jpg", 10, 30), Fixture.red))
        #expect(Self.isNear(try PictureFolder.pixel(made.path, 10, 30), Fixture.red))
    }

    @Test func aLongPictureIsScaledAndItsThumbnailFits() async throws {
        let folder = try PictureFolder()
        let path = try folder.file("long.png", PNGWriter(width: 3_000, height: 300).noise())
        let made = try await tool.prepare(path, in: folder.out)
        #expect((made.width, made.height) == (PreparedPicture.sideMax, 256))
        #expect(made.format == .jpeg)
        #expect(Self.isJPEG(made.thumbnail) && made.thumbnail.count <= PreparedPicture.thumbnailBytesAim)
        let thumbnail = try folder.file("t.jpg", made.thumbnail)
        let facts = try await tool.look(at: thumbnail)
        #expect(facts.width == 240 && facts.height == 24)
    }

    @Test func aThumbnailOfNoiseIsMadeSmallerUntilItFits() async throws {
        let folder = try PictureFolder()
        let path = try folder.file("noise.png", PNGWriter(width: 480, height: 480).noise())
        let made = try await tool.prepare(path, in: folder.out)
        #expect(made.thumbnail.count <= Limits.thumbnailBytesMax)
        let facts = try await tool.look(at: try folder.file("t.jpg", made.thumbnail))
        #expect(facts.width < 240 && facts.width == facts.height)
    }

    @Test func aSmallPictureIsNotMadeLarger() async throws {
        let folder = try PictureFolder()
        let made = try await tool.prepare(
            try folder.file("dot.png", PNGWriter(width: 1, height: 1).noise()), in: folder.out)
        #expect((made.width, made.height) == (1, 1))
        #expect(Self.isJPEG(made.thumbnail))
    }

    @Test func aDrawingStaysAPNGWithItsOpacityAndItsThumbnailLiesOnWhite() async throws {
        let folder = try PictureFolder()
        let drawing = PNGWriter(width: 400, height: 200, channels: 4).halves([220, 30, 30, 255], [220, 30, 30, 0])
        // As the test writes it, it would pass for a photograph: nothing in it is compressed.
        try PictureFolder.vips("copy", try folder.file("a.png", drawing), folder.path + "/in/b.png")
        let made = try await tool.prepare(folder.path + "/in/b.png", in: folder.out)
        #expect(made.format == .png && made.path.hasSuffix(".png"))
        #expect(try PictureFolder.pixel(made.path, 10, 100) == [220, 30, 30, 255])
        #expect(try PictureFolder.pixel(made.path, 390, 100).last == 0)
        #expect(folder.left.count == 1)
        let thumbnail = try folder.file("t.jpg", made.thumbnail)
        #expect(Self.isNear(try PictureFolder.pixel(thumbnail, 230, 60), [255, 255, 255]))
        #expect(Self.isNear(try PictureFolder.pixel(thumbnail, 10, 60), [220, 30, 30]))
    }

    @Test(arguments: [("a.webp", Fixture.webp, PictureFormat.webp), ("a.heic", Fixture.heic, .heic)])
    func otherFormatsBecomeJPEG(name: String, bytes: [UInt8], format: PictureFormat) async throws {
        let folder = try PictureFolder()
        let path = try folder.file(name, bytes)
        let facts = try await tool.look(at: path)
        #expect((facts.format, facts.width, facts.height) == (format, 128, 64))
        let made = try await tool.prepare(path, in: folder.out)
        #expect(made.format == .jpeg && made.path.hasSuffix(".jpg"))
        #expect(Self.isNear(try PictureFolder.pixel(made.path, 10, 30), Fixture.red))
        #expect(Self.isNear(try PictureFolder.pixel(made.path, 120, 30), Fixture.blue))
        #expect(try !PictureFolder.bytes(made.path).contains("Exif"))
    }

    @Test func aGreyPictureIsPreparedToo() async throws {
        let folder = try PictureFolder()
        let source = try folder.file("a.png", Fixture.png)
        try PictureFolder.vips("colourspace", source, folder.path + "/in/grey.jpg", "b-w")
        let made = try await tool.prepare(folder.path + "/in/grey.jpg", in: folder.out)
        #expect((made.width, made.height) == (128, 64))
    }

    @Test(arguments: ["-o.jpg", "--help", "two\nlines.jpg", "a[Q=1,strip].jpg", "%s.jpg", "stdin", "ü—'\".jpg"])
    func theNameOfAFileMeansNothing(name: String) async throws {
        let folder = try PictureFolder()
        let path = try folder.file(name, try Fixture.jpeg(folder))
        let made = try await tool.prepare(path, in: folder.out)
        #expect((made.width, made.height) == (128, 64))
        #expect(folder.left.count == 1)
    }

    @Test func theNameOfADirectoryMeansNothingEither() async throws {
        let folder = try PictureFolder()
        let odd = folder.out + "/-o [strip] 50%s\n"
        #expect(mkdir(odd, 0o700) == 0)
        let made = try await tool.prepare(try folder.file("a.jpg", try Fixture.jpeg(folder)), in: odd)
        #expect(made.path.hasPrefix(odd + "/picture-") && access(made.path, R_OK) == 0)
    }
}

extension [UInt8] {
    /// Whether these words stand in it.
    func contains(_ words: String) -> Bool {
        let words = Array(words.utf8)
        return indices.contains { self[$0...].starts(with: words) }
    }
}
