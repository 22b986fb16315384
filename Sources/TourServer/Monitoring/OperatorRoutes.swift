import Foundation
import HTTPTypes
import ServerBase
import ServerRequests

/// Routes for the operator's programs: whether the server is alive, whether it can work, and its metrics; and the
/// contract itself.
struct OperatorRoutes: Sendable {
    private let parts: ServerParts
    private let figures: ServerFigures

    /// - Parameter connectionsMax: the connections of clients that may be open at once.
    init(parts: ServerParts, connectionsMax: Int = ServerLimits.connectionsMax) {
        self.parts = parts
        figures = ServerFigures(parts: parts, connectionsMax: connectionsMax)
    }

    private static let metricsPath = "/metrics"

    /// Those where everybody comes.
    var routes: [Route] {
        [
            Route(.get, "/healthz", access: .open, isProbe: true, handler: health),
            Route(.get, "/readyz", access: .open, isProbe: true, handler: readiness),
            Route(.get, Self.metricsPath, access: .open, isProbe: true, handler: metricsHere),
            Route(.get, "/openapi.yaml", access: .open, handler: contract),
        ]
    }

    /// Those of the operator's listener, which none but the operator's programs reach.
    var ownRoutes: [Route] {
        [
            Route(.get, "/healthz", access: .open, isProbe: true, handler: health),
            Route(.get, "/readyz", access: .open, isProbe: true, handler: report),
            Route(.get, Self.metricsPath, access: .open, isProbe: true, handler: metrics),
        ]
    }

    /// The routes that are left for everybody where the operator has a listener: the metrics are there alone.
    static func beside(listener: ServerSettings.Listener?, _ routes: [Route]) -> [Route] {
        listener == nil ? routes : routes.filter { $0.path != metricsPath }
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

    /// Answers 503 with the first check that does not pass.
    private func readiness(_ call: Call) async throws(Failure) -> Answer {
        if let failure = await parts.readiness.report().failure { throw failure }
        return try .json(["status": "ready"])
    }

    /// Answers with every check, and why those that do not pass do not.
    private func report(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Encodable {
            struct Line: Encodable {
                let name: String
                let status: String
                let cause: String?
            }
            let status: String
            let checks: [Line]
        }
        let report = await parts.readiness.report()
        let checks = report.causes.map { check, cause in
            Body.Line(name: check.rawValue, status: cause == nil ? "ok" : "failed", cause: cause)
        }
        return try .json(
            Body(status: report.isReady ? "ready" : "not-ready", checks: checks),
            status: report.isReady ? .ok : .serviceUnavailable)
    }

    /// Answers callers on this machine only: nobody else may learn how busy the server is.
    private func metricsHere(_ call: Call) async throws(Failure) -> Answer {
        guard ClientAddress.isThisMachine(call.address) else { throw Failure(.forbidden) }
        return await metrics(call)
    }

    private func metrics(_ call: Call) async -> Answer {
        Answer(.ok, content: .bytes(Array(await figures.text().utf8), type: MetricsText.mediaType))
    }

    private func contract(_ call: Call) async throws(Failure) -> Answer {
        Answer(.ok, content: .bytes(Array(openAPIDocument.utf8), type: "application/yaml"))
    }
}
