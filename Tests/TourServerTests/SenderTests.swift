import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerAccounts
import ServerBase
import ServerRequests
import ServiceLifecycle
import Synchronization
import Testing
import TourCurl
import TourServer

/// Goal: messages reach Twilio and gammu-smsd in the form that these take.
/// Method: an HTTP server in Twilio's place that keeps what it is sent; an outbox folder.
struct SenderTests {
    /// What the double was sent, and what it answers.
    private final class Double: Sendable {
        struct Sent: Equatable {
            var path: String
            var authorization: String?
            var type: String?
            var body: String
        }

        let sent = Mutex<[Sent]>([])
        let status: HTTPResponse.Status

        init(status: HTTPResponse.Status) { self.status = status }

        func answer(_ request: Request) async throws -> Response {
            let body = try await request.body.collect(upTo: 64 * 1024)
            let entry = Sent(
                path: request.uri.path, authorization: request.headers[.authorization],
                type: request.headers[.contentType], body: String(buffer: body))
            sent.withLock { $0.append(entry) }
            return Response(status: status, body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"sid":"SM1"}"#)))
        }
    }

    private static func withTwilio(
        _ double: Double, _ body: @escaping @Sendable (TwilioSender) async throws -> Void
    ) async throws {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await double.answer(request) },
            configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [.init(service: application)], logger: SentMessages().logger))
        let transport = try RunningServer.makeClient()
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            tasks.addTask {
                for await number in ports {
                    let settings = TwilioSender.Settings(
                        base: "http://127.0.0.1:\(number)", account: "AC1", token: "secret", from: "+15005550006")
                    do {
                        try await body(TwilioSender(settings: settings, transport: transport))
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

    @Test func twilioGetsItsFormAndItsSignature() async throws {
        let double = Double(status: .created)
        try await Self.withTwilio(double) { sender in
            let phone = try #require(PhoneNumber("+905551112233"))
            try await sender.send("Kod: 012345 & geçerli", to: phone)
        }
        let expected = Double.Sent(
            path: "/2010-04-01/Accounts/AC1/Messages.json",
            authorization: "Basic " + Data("AC1:secret".utf8).base64EncodedString(),
            type: "application/x-www-form-urlencoded",
            body: "To=%2B905551112233&From=%2B15005550006&Body=Kod%3A%20012345%20%26%20ge%C3%A7erli")
        #expect(double.sent.withLock { $0 } == [expected])
    }

    @Test func twiliosRefusalIsAFailure() async throws {
        let double = Double(status: .unauthorized)
        try await Self.withTwilio(double) { sender in
            let phone = try #require(PhoneNumber("+905551112233"))
            let failure = await #expect(throws: Failure.self) { try await sender.send("x", to: phone) }
            #expect(failure?.code == .smsFailed)
        }
        let nobody = TwilioSender.Settings(base: "http://127.0.0.1:1", account: "AC1", token: "t", from: "+15005550006")
        let phone = try #require(PhoneNumber("+905551112233"))
        let failure = await #expect(throws: Failure.self) {
            try await TwilioSender(settings: nobody).send("x", to: phone)
        }
        #expect(failure?.code == .smsFailed)
    }

    @Test func twiliosTokenIsNotPrinted() {
        let settings = TwilioSender.Settings(base: "http://a", account: "AC1", token: "secret", from: "+15005550006")
        let server = ServerSettings(host: "h", port: 1, dataDirectory: "d", sms: .twilio(settings))
        #expect(!"\(server)".contains("secret") && "\(server)".contains("AC1"))
    }

    @Test func gammuGetsAFileInItsOutbox() async throws {
        let outbox = RunningServer.temporaryDirectory()
        try FileManager.default.createDirectory(atPath: outbox, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: outbox) }
        let phone = try #require(PhoneNumber("+905551112233"))
        try await GammuSender(outbox: outbox).send("Kodunuz 012345 ğ", to: phone)
        let names = try FileManager.default.contentsOfDirectory(atPath: outbox)
        let name = try #require(names.first)
        #expect(names.count == 1 && name.contains(/^OUTA_\+905551112233_[0-9a-f]{16}\.txt$/))
        let bytes = try Data(contentsOf: URL(fileURLWithPath: outbox + "/" + name))
        #expect(String(data: bytes, encoding: .utf16) == "Kodunuz 012345 ğ")
        let failure = await #expect(throws: Failure.self) {
            try await GammuSender(outbox: outbox + "/none").send("x", to: phone)
        }
        #expect(failure?.code == .smsFailed)
    }

    /// A real gammu-smsd with its dummy phone sends what was put there.
    @Test(.enabled(if: GammuDaemon.isInstalled, "gammu-smsd is not installed"))
    func gammuDaemonSendsIt() async throws {
        let daemon = try GammuDaemon()
        let phone = try #require(PhoneNumber("+905551112233"))
        try await GammuSender(outbox: daemon.outbox).send("Kodunuz 012345 ğ", to: phone)
        let lines = try await daemon.nextSent()
        #expect(lines.found.contains(#"to "+905551112233" with text "Kodunuz 012345 ğ""#))
        #expect(lines.sent.contains("to +905551112233"))
        try await daemon.end()
    }

    @Test(arguments: [
        ("+90 555 111 22 33", "+905551112233"), ("+1 (500) 555-0006", "+15005550006"), ("+4930.123456", "+4930123456"),
    ])
    func numbersAreWrittenInManyWays(written: String, number: String) {
        #expect(PhoneNumber(written)?.text == number)
    }

    @Test(arguments: [
        "", "+", "905551112233", "+0555111", "+1234567", "+1234567890123456", "+90555abc", "++905551112233",
    ])
    func otherTextsAreNoNumbers(text: String) {
        #expect(PhoneNumber(text) == nil)
    }
}
