import HTTPTypes
import ServerBase
import ServerRequests

/// Tours and the invitations to them on the operator's page.
struct AdminTourRoutes: Sendable {
    let routes: AdminRoutes

    var all: [Route] {
        [
            routes.get("/tours") { server, call throws(Failure) in
                try .json(try await server.tours(limit: try call.operatorRows()))
            },
            routes.get("/tours/{tour}") { server, call throws(Failure) in
                try .json(try await server.tour(call.pathPart("tour")))
            },
            routes.act(.delete, "/tours/{tour}") { server, call throws(Failure) in
                try .json(try await server.deleteTour(call.pathPart("tour")))
            },
            routes.get("/invitations") { server, call throws(Failure) in
                try .json(try await server.invitations(limit: try call.operatorRows()))
            },
        ]
    }
}
