import Foundation
import HTTPTypes

/// What the operator's own programs ask: is it alive, can it work, what has it done; and the contract itself.
struct OperatorRoutes: Sendable {
    let parts: ServerParts

    /// Asked often, and by programs that cannot wait.
    static let paths: Set<String> = ["/healthz", "/readyz", "/metrics"]

    var routes: [Route] {
        [
            Route(.get, "/healthz", access: .open, handler: health),
            Route(.get, "/readyz", access: .open, handler: readiness),
            Route(.get, "/metrics", access: .open, handler: metrics),
            Route(.get, "/openapi.yaml", access: .open, handler: contract),
        ]
    }

    /// `service` is the marker by which a node knows that a server answers, and no login page of the network.
    private func health(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            let service = "tour-chat"
            let status = "ok"
            let time: Date
        }
        return try .json(Body(time: Date(microseconds: call.now)))
    }

    /// 503 while the database takes no writes, or the disk has no room for any.
    private func readiness(_ call: Call) async throws(Failure) -> Answer {
        try await parts.readiness.check()
        return try .json(["status": "ready"])
    }

    /// For this machine only: how much is going on is nobody else's business.
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
