import HTTPTypes
import ServerBase
import ServerRequests
import ServerTours

/// Organisations on the operator's page.
struct AdminOrganisationRoutes: Sendable {
    let routes: AdminRoutes

    var all: [Route] {
        [
            routes.get("/organisations") { server, call throws(Failure) in
                try .json(try await server.organisations(limit: try call.operatorRows()))
            },
            routes.get("/organisations/{organisation}/members") { server, call throws(Failure) in
                try .json(try await server.members(of: try call.number("organisation")))
            },
            routes.get("/organisations/{organisation}") { server, call throws(Failure) in
                try .json(try await server.organisation(try call.number("organisation")))
            },
            routes.act(.post, "/organisations", body: .json) { server, call throws(Failure) in
                let made = try call.json(Made.self)
                return try .json(
                    try await server.addOrganisation(made.name, admin: made.admin), status: .created)
            },
            routes.act(.delete, "/organisations/{organisation}") { server, call throws(Failure) in
                try .json(try await server.deleteOrganisation(try call.number("organisation")))
            },
            routes.act(.post, "/organisations/{organisation}/handover", body: .json) { server, call throws(Failure) in
                let (number, body) = (try call.number("organisation"), try call.json(Handover.self))
                return try .json(["account": try await server.handOver(tour: body.tour, of: number, to: body.to)])
            },
        ]
    }

    private struct Made: Decodable {
        var name: String
        /// The number, e-mail address or phone number of the first admin.
        var admin: String
    }

    private struct Handover: Decodable {
        var tour: String
        /// The number, e-mail address or phone number of a member.
        var to: String
    }
}
