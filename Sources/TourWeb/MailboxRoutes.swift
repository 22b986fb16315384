import Foundation
import Hummingbird
import NIOCore
import TourModel
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

// The server: the account there, its archive, and syncs.
extension LocalAPI {
    func addMailbox(_ api: RouterGroup<BasicRequestContext>) {
        AccountRoutes(slot: slot).add(to: api)
        OrganisationRoutes(slot: slot).add(to: api)
        api.post("tours/:tour/archive") { [slot] _, context in
            try Answer.json(try await slot.node.inviteArchive(to: context.tour))
        }
        api.delete("tours/:tour/archive") { [slot] _, context in
            try Answer.json(try await slot.node.removeArchive(from: context.tour))
        }
        api.post("tours/:tour/sync") { [slot] request, context in
            let watches = request.query("watch") == "true"
            let reports = try await slot.node.syncReports(context.tour, asks: true)
            return Answer.stream { writer in
                for await report in reports {
                    try await writer.write(
                        ByteBuffer(bytes: try Answer.encoded(report.answer(on: Reader.current.surface)) + [0x0A]))
                    if !watches, report.state != .syncing { return }
                }
            }
        }
    }
}
