import Foundation
import Hummingbird
import TourAPI
import TourModel
import TourNode

// Roll calls and urgent announcements.
extension LocalAPI {
    func addRolls(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/rolls") { [slot] _, context in
            try Answer.json(RollList(rolls: try await slot.node.rolls(context.tour)))
        }
        api.get("tours/:tour/roll") { [slot] _, context in
            try Answer.json(RollBody(roll: try await slot.node.roll(context.tour)))
        }
        api.post("tours/:tour/roll") { [slot] request, context in
            struct Body: Decodable {
                var text: String?
                var seconds: Int?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.callRoll(
                    body.text ?? "", seconds: body.seconds ?? TourNode.rollSecondsUsual, in: context.tour))
        }
        api.post("tours/:tour/roll/answer") { [slot] request, context in
            struct Body: Decodable {
                var here: Bool
                var members: [String]?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.answerRoll(here: body.here, of: body.members ?? [], in: context.tour))
        }
        api.post("tours/:tour/roll/end") { [slot] _, context in
            try Answer.json(try await slot.node.endRoll(in: context.tour))
        }
        addBuddies(api)
        addUrgent(api)
    }

    private func addBuddies(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/buddies") { [slot] _, context in
            try Answer.json(BuddyGroups(groups: try await slot.node.buddies(context.tour)))
        }
        api.put("tours/:tour/buddies") { [slot] request, context in
            struct Body: Decodable { var groups: [[String]] }
            let body = try await request.json(Body.self)
            return try Answer.json(BuddyGroups(groups: try await slot.node.setBuddies(body.groups, in: context.tour)))
        }
        api.get("tours/:tour/stragglers") { [slot] _, context in
            try Answer.json(try await slot.node.stragglerWatch(context.tour))
        }
        api.put("tours/:tour/stragglers") { [slot] request, context in
            struct Body: Decodable { var minutes: Int? }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.watchStragglers(minutes: body.minutes, in: context.tour))
        }
    }

    private func addUrgent(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/urgent") { [slot] _, context in
            try Answer.json(UrgentList(urgent: try await slot.node.urgent(context.tour)))
        }
        api.post("tours/:tour/messages/:id/understood") { [slot] _, context in
            try await slot.node.understand(context.parameters.get("id") ?? "", in: context.tour)
            return Answer.done
        }
    }
}
