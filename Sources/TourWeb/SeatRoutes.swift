import Hummingbird
import TourNode
import TourPresentation

/// Guests' seats, as the owner of this device sees and gives them.
struct SeatRoutes: Sendable {
    let slot: NodeSlot

    func add(to api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/seats") { [slot] _, context in
            try Answer.json(try await slot.node.seats.view(context.tour))
        }
        api.put("tours/:tour/seats") { [slot] request, context in
            struct Body: Decodable {
                var on: Bool
                var max: Int?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.seats.set(on: body.on, max: body.max, in: context.tour))
        }
        api.post("tours/:tour/seats/pass") { [slot] request, context in
            struct Body: Decodable {
                var uses: Int?
                var seconds: Int64?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.seats.renewPass(
                    uses: body.uses, seconds: body.seconds, since: request.sinceMilliseconds, in: context.tour))
        }
        api.post("tours/:tour/seats/hosts") { [slot] request, context in
            struct Body: Decodable {
                var member: String
                var allowed: Bool
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.seats.allow(body.member, body.allowed, in: context.tour))
        }
    }
}
