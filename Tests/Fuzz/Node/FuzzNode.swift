import Dispatch
import Foundation
import FuzzSupport
import GRDB
import Logging
import TourNode
import TourWeb

/// A real node without a network, on a directory of its own.
enum FuzzNode {
    /// What every input finds: a tour in which this node wrote, and a notebook. The files by their names, but for the
    /// one that tells the directory from a copy, which nobody touches.
    private static let files: [String: Data] = {
        // Its key is nothing for the keyring of whoever runs this.
        unsetenv("DBUS_SESSION_BUS_ADDRESS")
        check(run(on: path, beginning), "a new node starts")
        // All of it in one file.
        try? DatabaseQueue(path: path + "/tour.sqlite").writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        return names.reduce(into: [:]) { $0[$1] = FileManager.default.contents(atPath: path + "/" + $1) }
    }()

    private static let path = Scratch.fresh("node")

    /// Whether what a node answers is shown, for whoever writes an input.
    private static let isTelling = getenv("TOUR_FUZZ_TELL") != nil

    private static var names: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0 != "place" && $0 != "node.sock" }
    }

    /// What the node's database holds.
    static var database: [UInt8] { files["tour.sqlite"].map { Array($0) } ?? [] }

    private static let beginning = [
        NodeRequest("PUT", "/v1/name", #"{"name":"Ada"}"#),
        NodeRequest("POST", "/v1/tours", #"{"name":"Museum"}"#),
        NodeRequest("POST", "/v1/tours/-/invites", #"{"uses":3,"expiresSeconds":3600}"#),
        NodeRequest("POST", "/v1/tours/-/messages", #"{"content":"Hello"}"#),
        NodeRequest("POST", "/v1/tours/-/messages", #"{"type":"announcement","content":"Bus at five","urgent":true}"#),
        NodeRequest(
            "POST", "/v1/tours/-/messages", #"{"type":"location","location":{"latitude":48.8584,"longitude":2.2945}}"#),
        NodeRequest("POST", "/v1/tours/-/meeting", #"{"text":"At the gate","at":"2030-01-01T10:00:00Z"}"#),
        NodeRequest("POST", "/v1/tours/-/alarms", #"{"text":"By the blue door"}"#),
        NodeRequest("POST", "/v1/tours/-/roll", #"{"text":"At the bus"}"#),
        NodeRequest("PUT", "/v1/tours/-/stragglers", #"{"minutes":10}"#),
        NodeRequest("POST", "/v1/notebook/notes", #"{"title":"Packing","content":"A hat"}"#),
        NodeRequest(
            "POST", "/v1/notebook/bookmarks", #"{"title":"Tower","url":"geo:48.8584,2.2945","category":"Sights"}"#),
        NodeRequest("POST", "/v1/notebook/collections", #"{"title":"Paris"}"#),
        NodeRequest("POST", "/v1/notebook/collections/@/samples", #"{"title":"Louvre"}"#),
        NodeRequest("POST", "/v1/tours/-/shared", #"{"type":"itinerary","item":"Paris"}"#),
    ]

    /// - Returns: the path of the directory, as it was when the node ended.
    static func directory() -> String {
        let files = files
        for name in names { try? FileManager.default.removeItem(atPath: path + "/" + name) }
        for (name, content) in files {
            _ = FileManager.default.createFile(
                atPath: path + "/" + name, contents: content, attributes: [.posixPermissions: 0o600])
        }
        return path
    }

    /// Starts a node there, asks it all of this, and ends it in good order. Each id that an answer shows stands for
    /// `@` in what is asked next.
    /// - Returns: whether it started.
    @discardableResult
    static func run(on directory: String, _ requests: [NodeRequest]) -> Bool {
        waiting {
            var settings = NodeSettings()
            settings.dataDirectory = directory
            settings.isOffline = true
            let logger = Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() }
            guard let service = try? NodeService(settings: settings, logger: logger) else { return false }
            let running = Task { try await service.run() }
            let isReady = (try? await service.ready()) != nil
            if isReady { await ask(requests, directory + "/node.sock") }
            running.cancel()
            _ = await running.result
            return isReady
        }
    }

    /// On a thread of its own: the node needs those of the tasks.
    private static func ask(_ requests: [NodeRequest], _ socket: String) async {
        await withCheckedContinuation { done in
            DispatchQueue.global().async {
                var id = "-"
                for request in requests {
                    let request = request.naming(id)
                    let answer = request.answer(from: socket)
                    check(answer != nil, "no answer to \(request.method) \(request.target)")
                    id = answer.flatMap(Self.id) ?? id
                    if isTelling { complain("\(request.method) \(request.target): \(answer ?? "")") }
                }
                done.resume()
            }
        }
    }

    /// The first that the answer shows.
    private static func id(in answer: String) -> String? {
        guard let start = answer.firstRange(of: #""id":""#)?.upperBound else { return nil }
        let id = answer[start...].prefix { $0.isHexDigit || $0 == "-" }
        return id.isEmpty ? nil : String(id)
    }
}
