import Testing
import TourImage
import TourModel

/// Goal: what the programs say is read for what it is. Method: lines as they write them, and bent ones.
struct PictureWordsTests {
    private static func header(_ line: String) -> PictureHeader? { PictureHeader(Array(line.utf8)) }

    @Test func aHeaderIsRead() throws {
        let header = try #require(Self.header("4000x3000 uchar, 3 bands, srgb, jpegload_source\n"))
        #expect((header.width, header.height, header.isGrey) == (4_000, 3_000, false))
        #expect(header.loader == "jpegload_source")
        #expect(Self.header("stdin: 1x2 ushort, 1 band, grey16, pngload_source")?.isGrey == true)
    }

    @Test(arguments: [
        "", "\n4x3 uchar, 3 bands, srgb, jpegload", "4x3 uchar, 3 bands, srgb", "4x3x2 uchar, 3 bands, srgb, jpegload",
        "0x3 uchar, 3 bands, srgb, jpegload", "-4x3 uchar, 3 bands, srgb, jpegload", "x uchar, 3 bands, srgb, jpegload",
        "99999999999999999999x3 uchar, 3 bands, srgb, jpegload", "uchar, 3 bands, srgb, jpegload",
    ])
    func aBentHeaderIsNone(line: String) {
        #expect(Self.header(line) == nil)
    }

    @Test func formatsAreKnownByTheirFirstBytes() {
        let samples: [([UInt8], PictureFormat)] = [
            (Fixture.png, .png), (Fixture.webp, .webp), (Fixture.heic, .heic), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        ]
        for (bytes, format) in samples {
            #expect(PictureFormat(signature: bytes) == format)
            #expect(PictureFormat(signature: Array(bytes.prefix(2))) == nil)
        }
        #expect(PictureFormat(signature: []) == nil)
        #expect(PictureFormat(signature: Array("\0\0\0\u{1C}ftypavif".utf8)) == nil)
        #expect(PictureFormat(signature: Array("RIFF\0\0\0\0WAVE".utf8)) == nil)
    }

    @Test func theKindOfAFileIsThatOfItsContent() async throws {
        let folder = try PictureFolder()
        let tool = PictureTool()
        #expect(await tool.mediaType(of: try folder.file("a.jpg", Array("Hello\n".utf8))) == "text/plain")
        #expect(await tool.mediaType(of: try folder.file("-b", Array("%PDF-1.7\n".utf8))) == "application/pdf")
        #expect(await tool.mediaType(of: try folder.file("c", [])) == MediaType.unknown)
        #expect(await tool.mediaType(of: folder.path + "/none") == MediaType.unknown)
        #expect(await tool.mediaType(of: try folder.file("e", Fixture.heic)) == "image/heic")
    }

    @Test func withoutTheProgramPicturesAreStillKnown() async throws {
        let folder = try PictureFolder()
        let bare = PictureTool(folders: [])
        #expect(await bare.mediaType(of: try folder.file("a", Fixture.png)) == "image/png")
        #expect(await bare.mediaType(of: try folder.file("b", Array("Hello\n".utf8))) == MediaType.unknown)
    }

    @Test(arguments: [
        "inode/x-empty\n", "cannot open", "text", "/", "text/", "/plain", "Text/plain", "a/b/c", "text/plain; x=1",
        "text/pl\u{202E}ain", "text/pl ain",
    ])
    func whatIsNoMediaTypeIsNone(line: String) {
        #expect(MediaType(Array(line.utf8)) == nil)
    }

    @Test func aMediaTypeHasABound() {
        let longest = "text/" + String(repeating: "a", count: Limits.mediaTypeBytesMax - 5)
        #expect(MediaType(Array(longest.utf8))?.text == longest)
        #expect(MediaType(Array((longest + "a").utf8)) == nil)
        #expect(MediaType(Array("application/vnd.oasis.opendocument.text+xml\n".utf8)) != nil)
    }
}
