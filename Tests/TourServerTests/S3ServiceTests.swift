import HTTPTypes
import Hummingbird
import NIOCore
import ServerBase
import ServerStorage
import ServiceLifecycle
import Synchronization
import Testing
import TourCurl

/// Goal: only what the bucket's service itself says counts, as stored or as missing, and nothing that it leaves undone
/// holds up others.
/// Method: an HTTP server in the service's place, which answers as a proxy before it may, or stalls.
struct S3ServiceTests {
    private typealias Answer = @Sendable (Request) async throws -> Response

    private static func withService(
        idle: Duration = .seconds(60), _ answer: @escaping Answer,
        _ body: @escaping @Sendable (any BlobStorage) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await answer(request) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: application)], logger: SentMessages().logger))
        let transport = try S3Blobs.makeTransport(idle: idle)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                for await number in ports {
                    var options = S3Options(
                        place: "s3://tours", endpoint: "http://127.0.0.1:\(number)", region: "us-east-1")
                    options.accessKey = "access"
                    options.secretKey = "secret"
                    do {
                        try await body(S3Blobs(options, transport: transport))
                    } catch {
                        Issue.record(error)
                    }
                    break
                }
                await group.triggerGracefulShutdown()
            }
            try await tasks.waitForAll()
        }
        await transport.close()
    }

    private static func says(_ text: String, _ status: HTTPResponse.Status) -> Response {
        Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func says(code: String, _ status: HTTPResponse.Status = .notFound) -> Response {
        says("<?xml version=\"1.0\"?><Error><Code>\(code)</Code></Error>", status)
    }

    private static func expectAway(
        _ what: String, isPassing: Bool = true, _ call: () async throws -> Void
    ) async {
        do {
            try await call()
            Issue.record("\(what) counts")
        } catch {
            let failure = error as? Failure
            #expect(failure?.code == .unavailable, "\(what): \(error)")
            #expect((failure?.retryAfter != nil) == isPassing, "\(what): \(error)")
        }
    }

    @Test func whatAProxySaysCountsForNothing() async throws {
        let page: Answer = { request in
            request.method == .head ? Response(status: .notFound) : Self.says("<html>404</html>", .notFound)
        }
        try await Self.withService(page) { bucket in
            await Self.expectAway("a PUT") { try await bucket.put([1], at: "blobs/a/b") }
            await Self.expectAway("a HEAD") { _ = try await bucket.open("blobs/a/b") }
            await Self.expectAway("a DELETE") { try await bucket.remove("blobs/a/b") }
            await Self.expectAway("a list") { _ = try await bucket.places(below: "blobs/") }
        }
        try await Self.withService({ _ in Self.says("<html>Welcome</html>", .ok) }) { bucket in
            await Self.expectAway("a page for a list") { _ = try await bucket.places(below: "blobs/") }
            await Self.expectAway("a page for a look") { _ = try await bucket.roomLeft() }
        }
    }

    @Test func theServiceItselfSaysWhatIsMissing() async throws {
        let missing: Answer = { request in
            request.method == .head ? Response(status: .notFound) : Self.says(code: "NoSuchKey")
        }
        try await Self.withService(missing) { bucket in
            let stored = try await bucket.open("blobs/a/b")
            #expect(stored == nil)
            try await bucket.remove("blobs/a/b")
            await Self.expectAway("a PUT") { try await bucket.put([1], at: "blobs/a/b") }
        }
        try await Self.withService({ _ in Self.says(code: "NoSuchBucket") }) { bucket in
            await Self.expectAway("no bucket", isPassing: false) { try await bucket.put([1], at: "blobs/a/b") }
            await Self.expectAway("no bucket", isPassing: false) { _ = try await bucket.places(below: "") }
        }
    }

    /// Its status is that of requests that only the operator can set right.
    @Test func whatTheServiceWaitedForTooLongIsSentAgain() async throws {
        let requests = Counter()
        let late: Answer = { _ in
            requests.next() == 1 ? Self.says(code: "RequestTimeout", .badRequest) : Response(status: .ok)
        }
        try await Self.withService(late) { bucket in try await bucket.put([1], at: "blobs/a/b") }
        #expect(requests.next() == 3)
        for (code, isPassing) in [("RequestTimeout", true), ("InvalidRequest", false)] {
            try await Self.withService({ _ in Self.says(code: code, .badRequest) }) { bucket in
                await Self.expectAway(code, isPassing: isPassing) { try await bucket.put([1], at: "blobs/a/b") }
            }
        }
    }

    /// A bucket of another region: only the service that was named gets the signed request, and the operator reads why.
    @Test(arguments: [HTTPResponse.Status.movedPermanently, .temporaryRedirect])
    func aRedirectionLeadsNowhere(status: HTTPResponse.Status) async throws {
        let requests = Counter()
        let elsewhere: Answer = { request in
            _ = requests.next()
            guard request.uri.path.hasPrefix("/tours") else { return Response(status: .ok) }
            var reply = Self.says(code: "TemporaryRedirect", status)
            reply.headers[.location] = "/elsewhere"
            return reply
        }
        try await Self.withService(elsewhere) { bucket in
            for (what, call) in [
                ("a PUT", { @Sendable in try await bucket.put([1], at: "blobs/a/b") }),
                ("a list", { @Sendable in _ = try await bucket.places(below: "") }),
            ] as [(String, @Sendable () async throws -> Void)] {
                let failure = await #expect(throws: Failure.self, "\(what)") { try await call() }
                #expect(failure?.code == .unavailable && failure?.retryAfter == nil)
                let end = "it refuses the request (\(status.code) TemporaryRedirect): see region and endpoint"
                let said = failure?.description ?? ""
                #expect(said.hasSuffix(end), "\(said)")
            }
        }
        #expect(requests.next() == 3, "one for each request")
    }

    @Test func anAnswerThatStallsEnds() async throws {
        let gate = Places(0)
        let stalling: Answer = { request in
            guard request.method != .head else { return Response(status: .ok, headers: [.contentLength: "1000"]) }
            return Response(
                status: .partialContent,
                body: ResponseBody(contentLength: 1_000) { writer in
                    try await writer.write(ByteBuffer(repeating: 1, count: 10))
                    await gate.enter()
                    try await writer.finish(nil)
                })
        }
        try await Self.withService(idle: .seconds(2), stalling) { bucket in
            defer { for _ in 0..<4 { gate.leave() } }
            // On a busy machine two seconds may be too few for the first answer.
            var found: (any StoredBytes)?
            for _ in 0..<60 where found == nil { found = try? await bucket.open("blobs/a/b") }
            let stored = try #require(found)
            await Self.expectAway("a part of an object") { try await stored.read(0..<1_000) { _ in } }
        }
    }

    @Test func aListThatBeginsAgainEnds() async throws {
        let names = "<ListBucketResult><Key>blobs/a/b</Key><Key>blobs/a/c</Key></ListBucketResult>"
        try await Self.withService({ _ in Self.says(names, .ok) }) { bucket in
            await Self.expectAway("the same page again", isPassing: false) {
                _ = try await bucket.places(below: "blobs/")
            }
        }
    }

    private final class Load: Sendable {
        private let state = Mutex((now: 0, most: 0))

        var most: Int { state.withLock { $0.most } }
        func begin() { state.withLock { $0 = ($0.now + 1, max($0.now + 1, $0.most)) } }
        func end() { state.withLock { $0.now -= 1 } }
    }

    @Test func whoReadsDoesNotWaitForWhatIsPut() async throws {
        let (gate, load) = (Places(0), Load())
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let slow: Answer = { request in
            guard request.method == .put else { return Response(status: .ok, headers: [.contentLength: "1000"]) }
            load.begin()
            arrival.yield()
            await gate.enter()
            load.end()
            return Response(status: .ok)
        }
        try await Self.withService(slow) { bucket in
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<20 { tasks.addTask { try await bucket.put([1], at: "blobs/a/\(number)") } }
                var count = 0
                for await _ in arrivals {
                    count += 1
                    if count == 8 { break }
                }
                let stored = try? await bucket.open("blobs/a/b")
                #expect(stored != nil)
                for _ in 0..<20 { gate.leave() }
                try await tasks.waitForAll()
            }
        }
        #expect(load.most == 8)
    }
}
