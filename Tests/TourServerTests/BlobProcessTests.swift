import Foundation
import NIOHTTP1
import Testing
import TourCrypto
import TourCurl
import TourModel

/// Goal: a server that is killed in the middle of a blob has what came of it, and goes on from there.
/// Method: the built `tour-server`, killed while a client sends.
@Suite(.enabled(if: ServerProgram.isBuilt, "tour-server is not built"))
struct BlobProcessTests {
    private static let megabyte = 1024 * 1024

    @Test func killedServerGoesOnWithABlob() async throws {
        let directory = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let client = try RunningServer.makeClient()
        do {
            try await Self.killInTheMiddle(directory, client)
        } catch {
            await client.close()
            throw error
        }
        await client.close()
    }

    private static func killInTheMiddle(_ directory: String, _ client: CurlTransport) async throws {
        let bytes = (0..<5 * megabyte).map { UInt8(truncatingIfNeeded: $0 / 251 + $0) }
        var rest: [UInt8]? = bytes
        let name = ContentHash.of {
            defer { rest = nil }
            return rest
        }.hex
        let tour = SampleTour()
        let (first, port) = try await ProcessTests.start(directory)
        let before = RunningServer(port: port, directory: directory, client: client)
        _ = try await before.found(tour, token: try await before.newGuide().access_token)
        let token = try await before.memberToken(tour.guide)
        let part = "\(directory)/blobs/\(tour.id.hex)/\(name).part"
        let upload = Task { try await send(bytes, until: part, isAt: 2 * megabyte, first, port, name, token, client) }
        await #expect(throws: (any Error).self, "nobody answered") { try await upload.value }
        let (second, newPort) = try await ProcessTests.start(directory)
        let after = RunningServer(port: newPort, directory: directory, client: client)
        let fresh = try await after.memberToken(tour.guide)
        let asked = try await after.send(
            .PUT, "/blobs/" + name, token: fresh, bytes: [], headers: [("Content-Range", "bytes */\(bytes.count)")])
        let offset = try #require(asked.headers.first(name: "Upload-Offset").flatMap { Int($0) })
        #expect(asked.status == 202 && offset >= 2 * megabyte && offset < bytes.count)
        let sent = try await after.send(
            .PUT, "/blobs/" + name, token: fresh, bytes: Array(bytes[offset...]),
            headers: [("Content-Range", "bytes \(offset)-\(bytes.count - 1)/\(bytes.count)")])
        #expect(sent.status == 201)
        let range = ("Range", "bytes=\(offset - 10)-\(offset + 9)")
        let read = try await after.send(.GET, "/blobs/" + name, token: fresh, headers: [range])
        #expect(Array(read.body) == Array(bytes[offset - 10..<offset + 10]))
        #expect(try await second.end(SIGTERM) == 0)
    }

    /// Sends three of five parts, and the rest never: once enough of it is in the file the server is killed.
    private static func send(
        _ bytes: [UInt8], until part: String, isAt size: Int, _ server: ChildProcess, _ port: Int, _ name: String,
        _ token: String, _ client: CurlTransport
    ) async throws {
        var request = RunningServer.request(.PUT, "http://127.0.0.1:\(port)/blobs/\(name)", token: token)
        let (more, source) = AsyncStream<Void>.makeStream()
        request.pieces = BodyPieces(bytes, first: 3 * megabyte, more: more)
        async let response = client.send(request)
        while (try? FileManager.default.attributesOfItem(atPath: part)[.size] as? Int) ?? 0 < size {
            try Task.checkCancellation()
            await Task.yield()
        }
        _ = try await server.end(SIGKILL)
        source.finish()
        _ = try await response
    }
}
