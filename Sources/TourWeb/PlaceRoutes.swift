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
        addMeetings(api)
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

extension LocalAPI {
    private func addMeetings(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/meeting") { [slot] _, context in
            struct Body: Encodable { @Nullable var meeting: MeetingView? }
            return try Answer.json(Body(meeting: try await slot.node.meeting(context.tour)))
        }
        api.post("tours/:tour/meeting") { [slot] request, context in
            let draft = try await TourNode.MeetingDraft(JSON(parsing: request.bytes()))
            return try await Self.sent(slot.node.meet(draft, in: context.tour))
        }
        api.delete("tours/:tour/meeting") { [slot] _, context in
            try await Self.sent(slot.node.clearMeeting(context.tour))
        }
        api.post("tours/:tour/meeting/answer") { [slot] request, context in
            struct Body: Decodable {
                var answer: String
                var minutes: Int?
            }
            let body = try await request.json(Body.self)
            try await slot.node.answerMeeting(body.answer, minutes: body.minutes, in: context.tour)
            return try Answer.json([String: String]())
        }
    }

    static func sent(_ message: TourNode.SentMessage) -> Response {
        var answer = [UInt8]()
        message.appendJSON(to: &answer)
        return Answer.json(bytes: answer)
    }
}

extension TourNode.MeetingDraft {
    /// - Throws: `bad-location`, `bad-meeting`, `bad-path`.
    fileprivate init(_ body: JSON) throws(NodeError) {
        let fix = try Fix(body)
        let at = body["at"]?.text.flatMap { Timestamp($0) }
        guard at != nil || body["at"] == nil || body["at"] == .null else {
            throw NodeError("bad-meeting", "That is no time to meet at.")
        }
        self.init(
            place: fix.coordinate, label: body["label"]?.text ?? "", text: body["text"]?.text ?? "",
            at: at.map { Int64($0.seconds) * 1_000 }, expiresSeconds: body["expiresSeconds"]?.integer.map(Int64.init))
        guard let photo = body["photo"]?.text else { return }
        try LocalPathRule.check(photo)
        photoPath = photo
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
