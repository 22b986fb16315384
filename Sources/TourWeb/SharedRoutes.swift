import Foundation
import Hummingbird
import TourAPI
import TourJSON
import TourModel
import TourNode
import TourWords

// Records that guides share.
extension LocalAPI {
    func addShared(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/shared") { [slot] _, context in
            try Answer.json(SharedRecords(records: try await slot.node.sharedRecords(context.tour)))
        }
        api.post("tours/:tour/shared") { [slot] request, context in
            struct Body: Decodable {
                var item: String
                var type: String
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.publish(body.item, as: Self.kind(body.type), in: context.tour))
        }
        api.get("tours/:tour/shared/:id") { [slot] request, context in
            let wantsChanges = request.query("changes") == "true"
            return try Answer.json(
                try await slot.node.sharedRecord(context.record, changes: wantsChanges, in: context.tour))
        }
        api.delete("tours/:tour/shared/:id") { [slot] request, context in
            let kind = try Self.kind(request.query("type") ?? "")
            return try Answer.json(try await slot.node.unpublish(context.record, as: kind, in: context.tour))
        }
        api.post("tours/:tour/shared/:id/copy") { [slot] _, context in
            try Answer.json(try await slot.node.copyShared(context.record, in: context.tour))
        }
        api.post("tours/:tour/meeting/stop") { [slot] request, context in
            let body = try await JSON(parsing: request.bytes())
            guard let stop = body["stop"]?.text else { throw WebError.badDraft }
            return try await Self.sent(
                slot.node.meet(
                    atStop: stop, text: body["text"]?.text, at: try body.timeToMeet(),
                    expiresSeconds: body["expiresSeconds"]?.integer.map(Int64.init), in: context.tour))
        }
    }

    private static func kind(_ word: String) throws(WebError) -> SharedKind {
        guard let kind = SharedKind(word: word) else {
            throw WebError("bad-request", Phrase("What is shared is a note, a place or an itinerary."))
        }
        return kind
    }
}

extension BasicRequestContext {
    /// The shared record in the request's path.
    var record: String {
        let name = parameters.get("id") ?? ""
        return name.removingPercentEncoding ?? name
    }
}
