import Foundation
import HTTPTypes

/// Routes for the operator's programs: whether the server is alive, whether it can work, and its counters; and the
/// contract itself.
struct OperatorRoutes: Sendable {
    let parts: ServerParts

    /// Paths that monitoring programs poll often, and without patience.
    static let paths: Set<String> = ["/healthz", "/readyz", "/metrics"]

    var routes: [Route] {
        [
            Route(.get, "/healthz", access: .open, handler: health),
            Route(.get, "/readyz", access: .open, handler: readiness),
            Route(.get, "/metrics", access: .open, handler: metrics),
            Route(.get, "/openapi.yaml", access: .open, handler: contract),
        ]
    }

    /// Answers with `service`, by which a node distinguishes a server from a network's login page.
    private func health(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            let service = "tour-chat"
            let status = "ok"
            let time: Date
        }
        return try .json(Body(time: Date(microseconds: call.now)))
    }

    /// Answers 503 while the database accepts no writes, or the disk has no room for them.
    private func readiness(_ call: Call) async throws(Failure) -> Answer {
        try await parts.readiness.check()
        return try .json(["status": "ready"])
    }

    /// Answers callers on this machine only: nobody else may learn how busy the server is.
    private func metrics(_ call: Call) async throws(Failure) -> Answer {
        guard ClientAddress.isThisMachine(call.address) else { throw Failure(.forbidden) }
        return Answer(
            .ok,
            content: .bytes(
                Array(parts.metrics.text(writes: parts.storage.writeCounts).utf8),
                type: "text/plain; version=0.0.4; charset=utf-8"))
    }

    private func contract(_ call: Call) async throws(Failure) -> Answer {
        Answer(.ok, content: .bytes(Array(openAPIDocument.utf8), type: "application/yaml"))
    }
}
