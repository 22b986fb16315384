import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourModel
import TourNotebook
import TourPrint

/// Routes of itineraries, which are the collections of seed 000.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct ItineraryRoutes: Sendable {
    let parts: RequestParts
    let printing: PrintQueue

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
        let account = try call.requireAccount()
        let user = try await parts.storage.userName(of: account.id)
        let page = try await parts.storage.read { sql throws(Failure) -> Page<String> in
            let rows = ItineraryRows(sql: sql, of: account)
            let found = try rows.notebook.page(.itinerary, request)
            var room = ServerLimits.itemAnswerBytes
            var texts = [String]()
            for row in found.rows {
                // Itineraries that no longer fit come with the next page.
                guard room > 0 else { return Page(rows: texts, next: found.rows[texts.count - 1].pageKey) }
                texts.append(try rows.itineraryJSON(row, user: user, room: &room))
            }
            return Page(rows: texts, next: found.next)
        }
        return .enveloped(ofJSON: page, request)
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let change = try call.json(ItineraryChange.self)
        guard let title = change.title else { throw .invalid("title") }
        let itinerary = change.applied(to: Itinerary(title: title))
        let user = try await parts.storage.userName(of: account.id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            let made = try rows.notebook.put(.itinerary(itinerary), id: .fresh(), now: call.now).item()
            return try rows.answer(made, user: user, status: .created)
        }
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let user = try await parts.storage.userName(of: account.id)
        return try await parts.storage.read { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            return try rows.answer(try rows.owned(name, .itinerary), user: user)
        }
    }

    private func change(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let change = try call.json(ItineraryChange.self)
        let isDeleted = change.isDeleted == true
        let user = try await parts.storage.userName(of: account.id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            var held = try rows.owned(name, .itinerary)
            let before = try held.itinerary()
            let after = change.applied(to: before)
            if after != before {
                held = try rows.notebook.put(.itinerary(after), id: held.id, now: call.now).item()
            }
            if isDeleted { try rows.notebook.delete(held.id, now: call.now) }
            return try rows.answer(held, user: user, isDeleted: isDeleted)
        }
    }

    /// Deletes an itinerary; its stops stay.
    private func delete(_ call: Call) async throws(Failure) -> Answer { try await call.delete(.itinerary, parts) }

    private func add(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var stopID: String
            var position: WholeNumber?

            private enum CodingKeys: String, CodingKey {
                case position
                case stopID = "sampleId"
            }
        }
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let body = try call.json(Body.self)
        let user = try await parts.storage.userName(of: account.id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            let itinerary = try rows.owned(name, .itinerary)
            let stop = try rows.owned(body.stopID, .stop, field: "sampleId")
            let changed = try rows.add(
                stop.id, to: itinerary, at: body.position.map { Int($0.value) }, field: "sampleId", now: call.now)
            var room = ServerLimits.itemAnswerBytes
            let stops = try rows.open(changed, room: &room).stops
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
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let names = try call.json(Body.self).stopIDs
        let user = try await parts.storage.userName(of: account.id)
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            let changed = try rows.reorder(
                try rows.owned(name, .itinerary), names, now: call.now)
            return try rows.answer(changed, user: user)
        }
    }

    private func remove(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let stopName = call.parameters["sampleId"] ?? ""
        return try await call.write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            let itinerary = try rows.owned(name, .itinerary)
            if let id = ResourceName.id(stopName, .stop),
                try rows.remove(id, from: itinerary, now: call.now)
            {
                return .noContent
            }
            _ = try rows.owned(stopName, .stop, field: "sampleId")
            throw Failure(.notFound, field: "sampleId")
        }
    }

    private func print(_ call: Call) async throws(Failure) -> Answer {
        let (account, name) = (try call.requireAccount(), call.parameters["id"] ?? "")
        let opened = try await parts.storage.read { sql throws(Failure) in
            try ItineraryRows(sql: sql, of: account).open(itinerary: name, room: PrintLimits.textBytesMax)
        }
        guard !opened.isCut else { throw Failure(.tooLarge) }
        let document = PrintDocument(opened, in: call.language)
        return .pdf(try await printing.file(of: document, for: call), name: ResourceName.text(opened.item))
    }
}

extension Call {
    /// Deletes the item that the path names.
    func delete(_ kind: NotebookKind, _ parts: RequestParts) async throws(Failure) -> Answer {
        let (account, name) = (try requireAccount(), parameters["id"] ?? "")
        return try await write(parts.storage) { sql throws(Failure) in
            let rows = ItineraryRows(sql: sql, of: account)
            try rows.notebook.delete(try rows.owned(name, kind).id, now: now)
            return .noContent
        }
    }
}

extension ItineraryRows {
    /// The answer with an itinerary as this transaction sees it.
    fileprivate func answer(
        _ item: NotebookItem, user: String, isDeleted: Bool = false,
        status: HTTPResponse.Status = .ok
    ) throws(Failure) -> Answer {
        var room = ServerLimits.itemAnswerBytes
        let opened = try open(item, room: &room)
        return try .json(Enveloped(data: ItineraryBody(opened, user: user, isDeleted: isDeleted)), status: status)
    }
}
