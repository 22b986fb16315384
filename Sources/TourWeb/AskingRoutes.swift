import Foundation
import Hummingbird
import TourAPI
import TourNode
import TourNodeWords

/// Asking to be let in, and letting in those who ask.
struct AskingRoutes: Sendable {
    let slot: NodeSlot

    func add(to api: RouterGroup<BasicRequestContext>) {
        addAsk(api)
        api.get("tours/:tour/asking") { [slot] _, context in
            try Answer.json(try await slot.node.askers(context.tour))
        }
        api.put("tours/:tour/asking") { [slot] request, context in
            struct Body: Decodable { var on: Bool }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.setAsking(body.on, in: context.tour))
        }
        api.post("tours/:tour/asks/:id") { [slot] request, context in
            struct Body: Decodable { var admit: Bool }
            let body = try await request.json(Body.self)
            let id = context.parameters.get("id") ?? ""
            return try Answer.json(try await slot.node.answerAsker(id, admits: body.admit, in: context.tour))
        }
        api.post("tours/:tour/spoken-code") { [slot] request, context in
            struct Body: Decodable { var uses: Int? }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.readOut(uses: body.uses, in: context.tour))
        }
        api.delete("tours/:tour/spoken-code") { [slot] _, context in
            try Answer.json(try await slot.node.endReadOut(in: context.tour))
        }
    }

    private func addAsk(_ api: RouterGroup<BasicRequestContext>) {
        api.get("nearby") { [slot] _, _ in try Answer.json(NearbyTours(tours: try await slot.node.nearbyTours())) }
        api.get("ask") { [slot] _, _ in try Answer.json(try await slot.node.askView().answer) }
        api.put("ask") { [slot] request, _ in
            struct Body: Decodable { var tag, name, digits: String? }
            let body = try await request.json(Body.self)
            let view = try await slot.node.ask(tag: body.tag, name: body.name, digits: body.digits)
            return try Answer.json(view.answer)
        }
        api.delete("ask") { [slot] _, _ in
            try await slot.node.cancelAsk()
            return Answer.done
        }
        api.post("ask/join") { [slot] _, _ in try Answer.json(try await slot.node.joinAsked()) }
    }
}
