import Foundation
import Hummingbird
import TourAPI
import TourNode

// Alarms of lost members, and quiet.
extension LocalAPI {
    func addAlarms(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/alarms") { [slot] _, context in
            try Answer.json(AlarmList(alarms: try await slot.node.alarms(context.tour)))
        }
        api.post("tours/:tour/alarms") { [slot] request, context in
            struct Body: Decodable {
                var text: String?
                var guidesOnly: Bool?
            }
            let body = try await request.json(Body.self)
            return try Answer.json(
                try await slot.node.raiseAlarm(
                    body.text ?? "", guidesOnly: body.guidesOnly ?? false, in: context.tour))
        }
        api.post("tours/:tour/alarms/:alarm/answer") { [slot] request, context in
            struct Body: Decodable { var answer: String }
            let body = try await request.json(Body.self)
            let alarm = context.parameters.get("alarm") ?? ""
            return try Answer.json(
                try await slot.node.answerAlarm(
                    alarm.removingPercentEncoding ?? alarm, body.answer, in: context.tour))
        }
        addQuiet(api)
    }

    private func addQuiet(_ api: RouterGroup<BasicRequestContext>) {
        api.get("tours/:tour/quiet") { [slot] _, context in
            try Answer.json(try await slot.node.quiet(context.tour))
        }
        api.put("tours/:tour/quiet") { [slot] request, context in
            struct Body: Decodable { var on: Bool }
            let body = try await request.json(Body.self)
            return try Answer.json(try await slot.node.setQuiet(body.on, in: context.tour))
        }
    }
}
