import Hummingbird
import TourModel
import TourNode

// Where this device is.
extension LocalAPI {
    func addPlaces(_ api: RouterGroup<BasicRequestContext>) {
        api.get("position") { [slot] request, _ in
            let fix = try await slot.node.position(gpsd: request.decodedQuery("gpsd"))
            var answer = [UInt8]()
            JSONObjectWriter.append(to: &answer) { fix.write(&$0) }
            return Answer.json(bytes: answer)
        }
        api.get("tours/:tour/sharing") { [slot] _, context in
            try Answer.json(try await slot.node.sharing(context.tour))
        }
        api.put("tours/:tour/sharing") { [slot] request, context in
            struct Body: Decodable { var forSeconds: Int64 }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.share(context.tour, forSeconds: body.forSeconds))
        }
        api.delete("tours/:tour/sharing") { [slot] _, context in
            try Answer.json(try await slot.node.stopSharing(context.tour))
        }
    }
}

extension Coordinate {
    /// - Parameter query: `LAT,LON` in degrees.
    /// - Throws: `bad-location`.
    init(query: String) throws(NodeError) {
        let parts = query.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let north = Double(parts[0]), let east = Double(parts[1]),
            let place = Coordinate(degreesNorth: north, degreesEast: east)
        else { throw NodeError("bad-location", "A place is LAT,LON in decimal degrees.") }
        self = place
    }
}
