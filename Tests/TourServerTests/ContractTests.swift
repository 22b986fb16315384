import Foundation
import HTTPTypes
import Logging
import ServerBase
import ServerRequests
import ServerStorage
import Testing
import TourServer

/// Goal: the contract and the server name the same routes. Method: reads the paths and methods of
/// `Protocol/Schema/openapi.yaml`, and the table of routes.
struct ContractTests {
    @Test func everyRouteIsInTheContractAndTheOtherWayRound() throws {
        let routes = try Self.parts().routes.map { "\($0.method.rawValue) \($0.path)" }
        let contract = Self.operations(in: openAPIDocument).map { "\($0.method) \($0.path)" }
        #expect(Set(routes).symmetricDifference(contract).sorted() == [])
        #expect(routes.count == contract.count && !routes.isEmpty)
    }

    /// `security: []` stands where everybody may call, and nowhere else.
    @Test func contractSaysWhoMayCall() throws {
        let open = Set(Self.operations(in: openAPIDocument).filter(\.isOpen).map { "\($0.method) \($0.path)" })
        let routes = try Self.parts().routes
        let expected = Set(routes.filter { $0.access == .open }.map { "\($0.method.rawValue) \($0.path)" })
        #expect(open.symmetricDifference(expected).sorted() == [])
    }

    @Test func servedContractIsTheFile() throws {
        let file = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Protocol/Schema/openapi.yaml")
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(openAPIDocument == text)
    }

    @Test func codesAreInTheContract() {
        for code in FailureCode.allCases where !FailureCode.internals.contains(code) {
            #expect(openAPIDocument.contains("`\(code.rawValue)`"), "\(code.rawValue)")
        }
    }

    @Test func operationsAreReadRight() {
        let sample = """
            paths:
              /a/{id}:
                get:
                  security: []
                post:
                  summary: x
              /b:
                put:
                  security: [{}, { account: [] }]
            components:
              schemas:
                get:
            """
        let found = Self.operations(in: sample)
        let words = found.map { "\($0.method) \($0.path) \($0.isOpen)" }
        #expect(words == ["GET /a/{id} true", "POST /a/{id} false", "PUT /b true"])
    }

    struct Operation {
        var method: String
        var path: String
        var isOpen = false
    }

    static func operations(in document: String) -> [Operation] {
        var operations = [Operation]()
        var path = ""
        var isInPaths = false
        for line in document.split(separator: "\n", omittingEmptySubsequences: false) {
            if !line.hasPrefix(" "), !line.isEmpty { isInPaths = line == "paths:" }
            guard isInPaths else { continue }
            let indent = line.prefix { $0 == " " }.count
            let word = line.dropFirst(indent)
            if indent == 2, word.hasPrefix("/") { path = String(word.dropLast()) }
            if indent == 4, ["get:", "put:", "post:", "patch:", "delete:", "head:"].contains(word) {
                operations.append(Operation(method: word.dropLast().uppercased(), path: path))
            }
            if indent == 6, word.hasPrefix("security: []") || word.hasPrefix("security: [{}") {
                operations[operations.count - 1].isOpen = true
            }
        }
        return operations
    }

    /// The parts of a server that listens nowhere.
    static func parts() throws -> ServerParts { try made.get() }

    private static let made = Result { try makeParts() }

    private static func makeParts() throws -> ServerParts {
        let path = RunningServer.temporaryDirectory()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let directory = try ServerDirectory(path: path)
        let logger = SentMessages().logger
        return try ServerParts(
            storage: try SQLiteStorage(path: path + "/server.sqlite"), directory: directory,
            passwords: try PasswordHasher(), sms: LogSender(logger: logger), mail: LogMailer(logger: logger),
            logger: logger, now: { 0 })
    }
}
