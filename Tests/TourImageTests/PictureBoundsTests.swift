import Foundation
import Glibc
import Testing
import TourImage
import TourModel

/// Goal: a program that works on a picture is held within its bounds, and nothing of it outlives the call.
/// Method: scripts in the place of libvips. They hold a pipe open: whoever reads it sees its end once all are gone.
@Suite(.timeLimit(.minutes(3))) struct PictureBoundsTests {
    /// A picture in a folder whose `vipsheader` is this script.
    private static func folder(_ header: String) throws -> (PictureFolder, String) {
        let folder = try PictureFolder()
        try folder.program("vipsheader", header)
        return (folder, try folder.file("a.jpg", try Fixture.jpeg(folder)))
    }

    private static func refusal(_ tool: PictureTool, _ path: String, _ folder: PictureFolder) async -> PictureError? {
        do throws(PictureError) {
            _ = try await tool.prepare(path, in: folder.out)
            return nil
        } catch {
            return error
        }
    }

    /// The reading end of a pipe that a script opens and writes one byte to; it ends once no process has it open.
    private final class Pipe {
        private let descriptor: Int32

        init(_ path: String) throws {
            guard mkfifo(path, 0o600) == 0 else { throw PictureFolder.Failed(what: "mkfifo") }
            descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        }

        deinit { close(descriptor) }

        private func next() -> Int {
            var byte: UInt8 = 0
            return read(descriptor, &byte, 1)
        }

        func started() async {
            while next() != 1, !Task.isCancelled { await Task.yield() }
        }

        func ended() async { while next() != 0, !Task.isCancelled { await Task.yield() } }
    }

    @Test func theTimeIsOverAndNothingRunsOn() async throws {
        let (folder, path) = try Self.folder("exec 9>\"$(dirname $0)/pipe\"\necho >&9\nsleep 1000 & sleep 1000")
        let pipe = try Pipe(folder.path + "/pipe")
        var bounds = ChildBounds()
        bounds.time = .milliseconds(300)
        #expect(await Self.refusal(folder.tool(bounds: bounds), path, folder) == .tooCostly)
        await pipe.ended()
        #expect(folder.left.isEmpty)
    }

    @Test func whoCancelsLeavesNoProcessAndNoFile() async throws {
        let (folder, path) = try Self.folder("echo '128x64 uchar, 3 bands, srgb, jpegload_source'")
        try folder.program(
            "vipsthumbnail",
            "exec 9>\"$(dirname $0)/pipe\"\necho half >picture.jpg\necho >&9\nsleep 1000 & sleep 1000")
        let pipe = try Pipe(folder.path + "/pipe")
        let task = Task { await Self.refusal(folder.tool(), path, folder) }
        await pipe.started()
        #expect(folder.left.count == 1)
        task.cancel()
        #expect(await task.value == .cancelled)
        await pipe.ended()
        #expect(folder.left.isEmpty)
    }

    @Test func aFileWhoseKindTakesTooLongIsOfNone() async throws {
        let folder = try PictureFolder()
        try folder.program("file", "sleep 1000; echo late/words")
        var bounds = ChildBounds()
        bounds.time = .milliseconds(100)
        let path = try folder.file("a.txt", [1, 2, 3])
        #expect(await folder.tool(bounds: bounds).mediaType(of: path) == MediaType.unknown)
    }

    @Test func processorTimeIsBounded() async throws {
        let (folder, path) = try Self.folder("while :; do :; done")
        var bounds = ChildBounds()
        bounds.processorSeconds = 1
        #expect(await Self.refusal(folder.tool(bounds: bounds), path, folder) == .tooCostly)
    }

    @Test func anEndlessAnswerIsCutOff() async throws {
        let (folder, path) = try Self.folder("while :; do echo 128x64 uchar; done")
        #expect(await Self.refusal(folder.tool(), path, folder) == .damaged)
    }

    @Test func endlessComplaintsAreCutOff() async throws {
        let (folder, path) = try Self.folder("while :; do echo worse >&2; done")
        #expect(await Self.refusal(folder.tool(), path, folder) == .damaged)
    }

    @Test func whatIsWrittenIsBounded() async throws {
        let (folder, path) = try Self.folder("echo '128x64 uchar, 3 bands, srgb, jpegload_source'")
        try folder.program("vipsthumbnail", "exec cat /dev/zero >picture.jpg")
        #expect(await Self.refusal(folder.tool(), path, folder) == .tooCostly)
        #expect(folder.left.isEmpty)
    }

    @Test func memoryIsBounded() async throws {
        let folder = try PictureFolder()
        let path = try folder.file("a.png", PNGWriter(width: 600, height: 400).noise())
        var bounds = ChildBounds()
        bounds.addressSpaceBytes = 16 * 1024 * 1024
        #expect(await Self.refusal(folder.tool(bounds: bounds), path, folder) != nil)
    }

    @Test func aProgramHasNoEnvironmentNoFilesAndNoTerminalOfOurs() async throws {
        let folder = try PictureFolder()
        try folder.program(
            "file",
            """
            [ -z "$HOME$USER$LANG" ] && [ "$PATH$LC_ALL" = /usr/bin:/binC ] || { echo has/environment; exit; }
            for n in 3 4 5 6 7 8 9; do [ -e /proc/$$/fd/$n ] && { echo has/file; exit; }; done
            [ "$(cut -d' ' -f6 /proc/$$/stat)" = $$ ] || { echo has/session; exit; }
            [ "$(ulimit -c)$(ulimit -f)" = 00 ] || { echo has/room; exit; }
            echo all/well
            """)
        let open = Glibc.open("/dev/null", O_RDONLY)
        defer { close(open) }
        #expect(await folder.tool().mediaType(of: try folder.file("a.txt", [1, 2, 3])) == "all/well")
    }

    @Test(arguments: [
        ("vips: out of memory", PictureError.tooCostly),
        ("write error\nunix error: No space left on device", .unwritable(code: ENOSPC)),
        ("heif: Unsupported codec", .noDecoder(.heic)), ("heif: No decoding plugin installed", .noDecoder(.heic)),
        ("VipsForeignLoad: source is not in a known format", .noDecoder(.heic)), ("", .damaged),
    ])
    func complaintsAreUnderstood(words: String, error: PictureError) async throws {
        let folder = try PictureFolder()
        try folder.program("vipsthumbnail", "echo \"\(words)\" >&2; exit 1")
        #expect(await Self.refusal(folder.tool(), try folder.file("a.heic", Fixture.heic), folder) == error)
    }

    @Test(arguments: [(SIGSEGV, PictureError.damaged), (SIGABRT, .tooCostly), (SIGXFSZ, .tooCostly)])
    func aProgramThatFallsIsOneRefusal(signal: Int32, error: PictureError) async throws {
        let (folder, path) = try Self.folder("kill -\(signal) $$")
        #expect(await Self.refusal(folder.tool(), path, folder) == error)
    }
}
