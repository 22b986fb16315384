import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook

/// Routes of stops, which are the samples of seed 000.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct StopRoutes: Sendable {
    let parts: RequestParts

    var routes: [Route] {
        let body = Route.Body.json(bytesMax: ServerLimits.itemBodyMax)
        return [
            Route(.get, "/samples", isHeavy: true, handler: list),
            Route(.post, "/samples", body: body, handler: create),
            Route(.get, "/samples/{id}", handler: show),
            Route(.patch, "/samples/{id}", body: body, handler: change),
            Route(.delete, "/samples/{id}", handler: delete),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest.ofItems(call)
        let account = try call.requireAccount()
        let user = try await parts.storage.userName(of: account.id)
        let page = try await parts.storage.read { sql throws(Failure) -> Page<String> in
            let found = try NotebookRows(sql: sql, of: account).page(.stop, request)
            return Page(
                rows: try found.rows.map { row throws(Failure) in try row.stopJSON(user: user) }, next: found.next)
        }
        return .enveloped(ofJSON: page, request)
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let user = try await parts.storage.userName(of: account.id)
        let item = try await parts.storage.read { sql throws(Failure) in
            try ItineraryRows(sql: sql, of: account).owned(name, .stop)
        }
        return try .json(Enveloped(data: try StopBody(item, user: user)))
    }

    /// Creates a stop and adds it to its itineraries, all or nothing: if one of them cannot accept the stop, none is
    /// created.
    private func create(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let change = try call.json(StopChange.self)
        guard let title = change.title else { throw .invalid("title") }
        let user = try await parts.storage.userName(of: account.id)
        let stop = change.applied(to: Stop(title: title))
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            let itineraries = try rows.itineraries(named: change.itineraryIDs ?? [])
            let made = try rows.put(stop, id: .fresh(), now: call.now)
            for itinerary in itineraries {
                _ = try rows.add(made.id, to: itinerary, field: "collectionIds", now: call.now)
            }
            return try .json(Enveloped(data: try StopBody(made, user: user)), status: .created)
        }
    }

    private func change(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let change = try call.json(StopChange.self)
        let user = try await parts.storage.userName(of: account.id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            var held = try rows.owned(name, .stop)
            let before = try held.stop()
            let after = change.applied(to: before)
            if after != before { held = try rows.put(after, id: held.id, now: call.now) }
            if let names = change.itineraryIDs {
                let itineraries = try rows.itineraries(named: names)
                try rows.rewrite(held.id, in: itineraries, now: call.now)
            }
            if change.isDeleted == true { try rows.notebook.delete(held.id, now: call.now) }
            let body = try StopBody(held, user: user, isDeleted: change.isDeleted == true)
            return try .json(Enveloped(data: body))
        }
    }

    private func delete(_ call: Call) async throws(Failure) -> Answer { try await call.delete(.stop, parts) }
}

extension NotebookItem {
    /// - Throws: `internal` for an item of another kind.
    fileprivate func stop() throws(Failure) -> Stop {
        guard case .stop(let stop) = content else {
            throw Failure(.internalError, cause: "a stop is of another kind")
        }
        return stop
    }
}

extension StopBody {
    /// - Throws: `internal` for an item that is no stop.
    init(_ item: NotebookItem, user: String, isDeleted: Bool = false) throws(Failure) {
        self.init(try item.stop(), of: item, user: user, isDeleted: isDeleted)
    }
}
