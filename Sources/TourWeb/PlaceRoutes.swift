import Hummingbird
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

// The position of this device.
extension LocalAPI {
    func addPlaces(_ api: RouterGroup<BasicRequestContext>) {
        api.get("position") { [slot] request, _ in
            let fix = try await slot.node.position(gpsd: request.query("gpsd"))
            var answer = [UInt8]()
            JSONObjectWriter.append(to: &answer) { fix.write(&$0) }
            return Answer.json(bytes: answer)
        }
        addMeetings(api)
        addAlarms(api)
        addRolls(api)
        api.get("tours/:tour/sharing") { [slot] _, context in
            try Answer.json(await slot.node.sharing(context.tour).answer(on: Reader.current.surface))
        }
        api.put("tours/:tour/sharing") { [slot] request, context in
            struct Body: Decodable { var forSeconds: Int64 }
            let body = try await request.json(Body.self)
            return try Answer.json(
                await slot.node.share(context.tour, forSeconds: body.forSeconds).answer(on: Reader.current.surface))
        }
        api.delete("tours/:tour/sharing") { [slot] _, context in
            try Answer.json(await slot.node.stopSharing(context.tour).answer(on: Reader.current.surface))
        }
    }
}

extension LocalAPI {
    private func addMeetings(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/meeting") { [slot] _, context in
            try Answer.json(MeetingBody(meeting: try await slot.node.meeting(context.tour)))
        }
        api.post("tours/:tour/meeting") { [slot, paths, uploads] request, context in
            let body = try await JSON(parsing: request.bytes())
            let draft = try TourNode.MeetingDraft(body, paths)
            guard let upload = body["upload"]?.text else {
                return try await Self.sent(slot.node.meet(draft, in: context.tour))
            }
            return try await uploads.use(upload) { upload in
                var withPhoto = draft
                withPhoto.photoPath = upload.file.path
                withPhoto.photoName = upload.name
                return try await Self.sent(slot.node.meet(withPhoto, in: context.tour))
            }
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
            return Answer.done
        }
    }

    static func sent(_ message: SentMessage) -> Response {
        var answer = [UInt8]()
        message.appendJSON(to: &answer)
        return Answer.json(bytes: answer)
    }
}

extension TourNode.MeetingDraft {
    /// - Throws: `bad-location`, `bad-meeting`, `bad-path`.
    fileprivate init(_ body: JSON, _ paths: LocalPathRule) throws(WebError) {
        let isPlaced = ["latitude", "longitude"].contains { body[$0].map { $0 != .null } ?? false }
        let fix = isPlaced ? try Fix(request: body) : nil
        self.init(
            place: fix?.coordinate, label: body["label"]?.text ?? "", text: body["text"]?.text ?? "",
            at: try body.timeToMeet(), expiresSeconds: body["expiresSeconds"]?.integer.map(Int64.init))
        guard let photo = body["photo"]?.text else { return }
        try paths.check(photo)
        photoPath = photo
    }
}

extension Coordinate {
    /// - Parameter query: `LAT,LON` in degrees.
    /// - Throws: `bad-location`.
    init(query: String) throws(WebError) {
        let parts = query.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let north = Double(parts[0]), let east = Double(parts[1]),
            let place = Coordinate(degreesNorth: north, degreesEast: east)
        else { throw WebError("bad-location", Phrase("A place is LAT,LON in decimal degrees.")) }
        self = place
    }
}
