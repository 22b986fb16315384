import Foundation
import Glibc
import Testing
import TourImage
import TourModel

/// Goal: what is no picture, or costs too much, is refused with a reason, and leaves nothing behind.
/// Method: files that lie, that are cut, or that hold something else; real libvips.
struct PictureRefusalTests {
    private let tool = PictureTool()

    /// The error of preparing a file of these bytes, after which nothing is left.
    private func refusal(_ bytes: [UInt8], _ name: String = "a.jpg") async throws -> PictureError? {
        let folder = try PictureFolder()
        let path = try folder.file(name, bytes)
        let refusal = await Self.refusal { () throws(PictureError) in _ = try await tool.prepare(path, in: folder.out) }
        #expect(folder.left.isEmpty, "\(folder.left)")
        return refusal
    }

    private static func refusal(_ body: () async throws(PictureError) -> Void) async -> PictureError? {
        do throws(PictureError) {
            try await body()
            return nil
        } catch {
            return error
        }
    }

    @Test func aBombIsRefusedByItsHeader() async throws {
        let bomb = PNGWriter(width: 50_000, height: 50_000).file(rows: 0) { _, _, _ in 0 }
        #expect(try await refusal(bomb) == .tooManyPixels(width: 50_000, height: 50_000))
        let folder = try PictureFolder()
        let path = try folder.file("a.png", bomb)
        await #expect(throws: PictureError.tooManyPixels(width: 50_000, height: 50_000)) {
            try await tool.look(at: path)
        }
    }

    @Test func aHeaderThatPromisesMoreThanTheFileHasIsRefused() async throws {
        #expect(try await refusal(PNGWriter(width: 300, height: 8_000).file(rows: 80) { _, _, _ in 7 }) == .damaged)
    }

    @Test func whatIsCutShortIsRefused() async throws {
        let jpeg = try Fixture.jpeg(try PictureFolder())
        for whole in [jpeg, Fixture.png, Fixture.webp, Fixture.heic] {
            let cut = Array(whole.prefix(whole.count * 2 / 3))
            #expect(try await refusal(cut) == .damaged, "\(whole.prefix(12))")
        }
    }

    @Test func signaturesAloneAreNoPictures() async throws {
        for whole in [try Fixture.jpeg(try PictureFolder()), Fixture.png, Fixture.webp, Fixture.heic] {
            let empty = Array(whole.prefix(PictureFormat.signatureBytes)) + [UInt8](repeating: 0, count: 400)
            let refusal = try await refusal(empty)
            #expect(refusal == .damaged || refusal == .noDecoder(.heic), "\(whole.prefix(12)): \(refusal as Any)")
        }
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg' width='90000' height='90000'/>", "%PDF-1.7\n%%EOF",
        "%!PS-Adobe-3.0 EPSF-3.0\n", "GIF89a\u{01}\u{00}\u{01}\u{00}", "BM", "P6\n1 1\n255\n...", "II*\u{00}",
        "push graphic-context\nimage over 0,0 0,0 'https://example.org/'",
    ])
    func whatIsNoPictureOfOursIsRefusedWhateverItsName(text: String) async throws {
        #expect(try await refusal(Array(text.utf8), "a.jpg") == .notAPicture)
        #expect(try await refusal(Array(text.utf8), "a.svg") == .notAPicture)
    }

    private static func webp(_ chunk: String, flags: UInt8, size: Int = 30) -> [UInt8] {
        Array(("RIFF????WEBP" + chunk + "????").utf8) + [flags] + [UInt8](repeating: 0, count: max(0, size - 21))
    }

    private static func png(_ chunks: [(String, Int)]) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunks.flatMap { name, length -> [UInt8] in
                let bytes = UInt32(length)
                return [UInt8(bytes >> 24), UInt8(bytes >> 16 & 0xFF), UInt8(bytes >> 8 & 0xFF), UInt8(bytes & 0xFF)]
                    + Array(name.utf8) + [UInt8](repeating: 0, count: min(length, 70_000) + 4)
            }
    }

    @Test(
        arguments: [
            (.webp, webp("VP8X", flags: 0x02), true), (.webp, webp("VP8X", flags: 0x3E), true),
            (.webp, webp("VP8X", flags: 0x10), false), (.webp, webp("VP8 ", flags: 0x02), false),
            (.webp, webp("VP8L", flags: 0xFF), false), (.webp, Array(webp("VP8X", flags: 0x02).prefix(20)), false),
            (.webp, [], false), (.png, png([("IHDR", 13), ("acTL", 8), ("IDAT", 9)]), true),
            (.png, png([("IHDR", 13), ("tEXt", 300), ("acTL", 8)]), true),
            (.png, png([("IHDR", 13), ("IDAT", 9), ("acTL", 8)]), false), (.png, png([("IHDR", 13)]), false),
            (.png, png([("iCCP", 4_294_967_295), ("acTL", 8)]), false), (.png, [0x89], false),
            (.jpeg, webp("VP8X", flags: 0x02), false), (.heic, png([("acTL", 8)]), false),
        ] as [(PictureFormat, [UInt8], Bool)])
    func whatMovesIsKnown(_ format: PictureFormat, _ head: [UInt8], _ isMoving: Bool) {
        #expect(format.isMoving(head) == isMoving)
    }

    @Test func anEmptyFileIsRefused() async throws {
        #expect(try await refusal([]) == .empty)
    }

    @Test func whatIsNoFileIsRefusedAtOnce() async throws {
        let folder = try PictureFolder()
        let pipe = folder.path + "/in/pipe.jpg"
        #expect(mkfifo(pipe, 0o600) == 0)
        for path in [pipe, folder.path, "/dev/zero"] {
            #expect(await Self.refusal { () throws(PictureError) in _ = try await tool.look(at: path) } == .notAFile)
            #expect(await tool.mediaType(of: path) == "application/octet-stream")
        }
        let missing = await Self.refusal { () throws(PictureError) in _ = try await tool.look(at: pipe + "x") }
        #expect(missing == .unreadable(code: ENOENT))
    }

    @Test func aFileThatIsTooLongIsRefusedUnread() async throws {
        let folder = try PictureFolder()
        let path = try folder.file("a.jpg", try Fixture.jpeg(folder))
        #expect(truncate(path, PictureTool.fileBytesMax + 1) == 0)
        let refusal = await Self.refusal { () throws(PictureError) in _ = try await tool.look(at: path) }
        #expect(refusal == .tooLong(bytes: Int64(PictureTool.fileBytesMax) + 1))
    }

    @Test func withoutLibvipsTheRefusalSaysWhatToInstall() async throws {
        let folder = try PictureFolder()
        let bare = PictureTool(folders: [])
        let path = try folder.file("a.jpg", try Fixture.jpeg(folder))
        let refusal = await Self.refusal { () throws(PictureError) in _ = try await bare.prepare(path, in: folder.out) }
        #expect(refusal == .programMissing(.header))
        #expect(refusal?.description == "vipsheader is not installed")
        #expect(bare.missing == .header && PictureProgram.header.package == "libvips-tools")
        #expect(folder.left.isEmpty)
    }

    @Test func aPlaceThatCannotBeWrittenIsNamed() async throws {
        let folder = try PictureFolder()
        let path = try folder.file("a.jpg", try Fixture.jpeg(folder))
        let gone = await Self.refusal { () throws(PictureError) in
            _ = try await tool.prepare(path, in: folder.out + "/gone")
        }
        #expect(gone == .unwritable(code: ENOENT))
    }

    @Test func aFullDiskIsNamed() async throws {
        let folder = try PictureFolder(kibibytes: 64)
        let path = try folder.file("a.png", PNGWriter(width: 800, height: 800).noise())
        let full = await Self.refusal { () throws(PictureError) in _ = try await tool.prepare(path, in: folder.out) }
        #expect(full == .unwritable(code: ENOSPC))
        #expect(folder.left.isEmpty)
    }

    @Test func everyErrorHasACodeAndWordsOfItsOwn() {
        let all: [PictureError] = [
            .programMissing(.limits), .unreadable(code: EACCES), .notAFile, .empty, .tooLong(bytes: 1 << 30),
            .notAPicture, .moving, .tooManyPixels(width: 20_000, height: 20_000), .damaged, .noDecoder(.heic),
            .tooCostly,
            .unwritable(code: ENOSPC), .cancelled,
        ]
        #expect(Set(all.map(\.code)).count == all.count)
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(all.allSatisfy { $0.scope == .record && !$0.description.contains("(record)") })
    }
}
