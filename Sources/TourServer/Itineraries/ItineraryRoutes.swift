import HTTPTypes
import TourModel
import TourNotebook
import TourPrint

/// Routes of itineraries, which are the collections of seed 000.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct ItineraryRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        let body = Route.Body.json(bytesMax: ServerLimits.itemBodyMax)
        return [
            Route(.get, "/collections", isHeavy: true, handler: list),
            Route(.post, "/collections", body: body, handler: create),
            Route(.get, "/collections/{id}", handler: show),
            Route(.patch, "/collections/{id}", body: body, handler: change),
            Route(.delete, "/collections/{id}", handler: delete),
            Route(.get, "/collections/{id}/pdf", limits: [.printsPerAddress], handler: print),
            Route(.post, "/collections/{id}/samples", body: .json, handler: add),
            Route(.put, "/collections/{id}/samples", body: body, handler: reorder),
            Route(.delete, "/collections/{id}/samples/{sampleId}", handler: remove),
        ]
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest.ofItems(call)
        let account = try call.requireAccount().id
        let user = try await parts.storage.userName(of: account)
        let page = try await parts.storage.read { sql throws(Failure) -> Page<ItineraryBody> in
            let found = try sql.notebookPage(.itinerary, of: account, request)
            var room = ServerLimits.itemAnswerBytes
            var bodies = [ItineraryBody]()
            for row in found.rows {
                // Itineraries that no longer fit come with the next page.
                guard room > 0 else { return Page(rows: bodies, next: found.rows[bodies.count - 1].pageKey) }
                bodies.append(ItineraryBody(try sql.open(try row.item(), of: account, room: &room), user: user))
            }
            return Page(rows: bodies, next: found.next)
        }
        return try .enveloped(page, request)
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount().id
        let change = try call.json(ItineraryChange.self)
        guard let title = change.title else { throw .invalid("title") }
        let itinerary = change.applied(to: Itinerary(title: title))
        let user = try await parts.storage.userName(of: account)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let made = try sql.putNotebook(.itinerary(itinerary), id: .fresh(), of: account, now: call.now).item()
            return try sql.answer(made, of: account, user: user, status: .created)
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let user = try await parts.storage.userName(of: account)
        return try await parts.storage.read { sql throws(Failure) in
            try sql.answer(try sql.owned(name, .itinerary, of: account), of: account, user: user)
        }
    }

    private func change(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let change = try call.json(ItineraryChange.self)
        let isDeleted = change.isDeleted == true
        let user = try await parts.storage.userName(of: account)
        return try await call.write(parts.storage) { sql throws(Failure) in
            var held = try sql.owned(name, .itinerary, of: account)
            let before = try held.itinerary()
            let after = change.applied(to: before)
            if after != before {
                held = try sql.putNotebook(.itinerary(after), id: held.id, of: account, now: call.now).item()
            }
            if isDeleted { try sql.deleteNotebook(held.id, of: account, now: call.now) }
            return try sql.answer(held, of: account, user: user, isDeleted: isDeleted)
        }
    }

    /// Deletes an itinerary; its stops stay.
    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        return try await call.write(parts.storage) { sql throws(Failure) in
            let held = try sql.owned(name, .itinerary, of: account)
            try sql.deleteNotebook(held.id, of: account, now: call.now)
            return .noContent
        }
    }

    private func add(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var stopID: String
            var position: WholeNumber?

            private enum CodingKeys: String, CodingKey {
                case position
                case stopID = "sampleId"
            }
        }
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let body = try call.json(Body.self)
        let user = try await parts.storage.userName(of: account)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let itinerary = try sql.owned(name, .itinerary, of: account)
            let stop = try sql.owned(body.stopID, .stop, of: account, field: "sampleId")
            let changed = try sql.add(
                stop.id, to: itinerary, at: body.position?.value, of: account, field: "sampleId", now: call.now)
            var room = ServerLimits.itemAnswerBytes
            let stops = try sql.open(changed, of: account, room: &room).stops
            guard let position = stops.firstIndex(where: { $0.entry.id == stop.id }) else {
                throw Failure(.internalError, cause: "a stop is not where it was put")
            }
            return try .json(
                Enveloped(data: ItineraryBody.Entry(stops[position], at: position, user: user)), status: .created)
        }
    }

    private func reorder(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var stopIDs: [String]

            private enum CodingKeys: String, CodingKey { case stopIDs = "sampleIds" }
        }
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let names = try call.json(Body.self).stopIDs
        let user = try await parts.storage.userName(of: account)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let changed = try sql.reorder(
                try sql.owned(name, .itinerary, of: account), names, of: account, now: call.now)
            return try sql.answer(changed, of: account, user: user)
        }
    }

    private func remove(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let stopName = call.parameters["sampleId"] ?? ""
        return try await call.write(parts.storage) { sql throws(Failure) in
            let itinerary = try sql.owned(name, .itinerary, of: account)
            if let id = ResourceName.id(stopName, .stop),
                try sql.remove(id, from: itinerary, of: account, now: call.now)
            {
                return .noContent
            }
            _ = try sql.owned(stopName, .stop, of: account, field: "sampleId")
            throw Failure(.notFound, field: "sampleId")
        }
    }

    private func print(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount().id, call.parameters["id"] ?? "")
        let opened = try await parts.storage.read { sql throws(Failure) in
            try sql.open(itinerary: name, of: account, room: PrintLimits.textBytesMax)
        }
        guard !opened.isCut else { throw Failure(.tooLarge) }
        let document = PrintDocument(opened, in: call.language)
        return .pdf(try await parts.printing.file(of: document, for: call), name: ResourceName.text(opened.item))
    }
}

extension SQL {
    /// The answer with an itinerary as this transaction sees it.
    fileprivate func answer(
        _ item: NotebookItem, of account: Int64, user: String, isDeleted: Bool = false,
        status: HTTPResponse.Status = .ok
    ) throws(Failure) -> Answer {
        var room = ServerLimits.itemAnswerBytes
        let opened = try open(item, of: account, room: &room)
        return try .json(Enveloped(data: ItineraryBody(opened, user: user, isDeleted: isDeleted)), status: status)
    }
}
