import Hummingbird
import TourAPI
import TourMailbox
import TourModel
import TourNode
import TourWords

/// The organisations at the server of the account that is logged in there.
/// Source: `Protocol/Schema/local-api.yaml`.
struct OrganisationRoutes: Sendable {
    let slot: NodeSlot

    func add(to api: RouterGroup<BasicRequestContext>) {
        addOrganisations(api)
        addInvitations(api)
        addMembers(api)
        addTours(api)
    }

    private var organisations: ServerOrganisations {
        get async throws { try await slot.node.serverAccount().organisations }
    }

    private func addOrganisations(_ api: RouterGroup<BasicRequestContext>) {
        struct Named: Decodable { var name: String }
        api.get("mailbox/organisations") { _, _ in
            try Answer.json(OrganisationListing(organisations: try await organisations.all()))
        }
        api.post("mailbox/organisations") { request, _ in
            let name = try await request.json(Named.self).name
            return try Answer.json(try await organisations.create(name))
        }
        api.patch("mailbox/organisations/:organisation") { request, context in
            let name = try await request.json(Named.self).name
            return try Answer.json(try await organisations.rename(context.organisation, to: name))
        }
        api.delete("mailbox/organisations/:organisation") { _, context in
            try await organisations.end(context.organisation)
            return Answer.done
        }
    }

    private func addInvitations(_ api: RouterGroup<BasicRequestContext>) {
        api.post("mailbox/organisations/:organisation/join") { request, context in
            struct Body: Decodable { var code: String? }
            let code = try await request.json(Body.self).code
            return try Answer.json(try await organisations.join(context.organisation, code: code))
        }
        api.get("mailbox/organisations/:organisation/invitations") { _, context in
            try Answer.json(
                OrganisationInvitationList(
                    invitations: try await organisations.invitations(into: context.organisation)))
        }
        api.post("mailbox/organisations/:organisation/invitations") { request, context in
            struct Body: Decodable {
                var email: String?
                var phone: String?
                var role: OrganisationRole?
            }
            let body = try await request.json(Body.self)
            let invited: ServerOrganisations.Invited =
                switch (body.email, body.phone) {
                case (let email?, nil): .email(email)
                case (nil, let phone?): .phone(phone)
                case (nil, nil): .bearer
                default: throw WebError("bad-request", Phrase("Name an email or a phone."))
                }
            return try Answer.json(
                try await organisations.invite(invited, as: body.role ?? .guide, into: context.organisation))
        }
        api.delete("mailbox/organisations/:organisation/invitations/:invitation") { _, context in
            let number = try context.number("invitation")
            try await organisations.endInvitation(number, into: context.organisation)
            return Answer.done
        }
    }

    private func addMembers(_ api: RouterGroup<BasicRequestContext>) {
        api.get("mailbox/organisations/:organisation/members") { _, context in
            try Answer.json(
                OrganisationMemberList(members: try await organisations.members(of: context.organisation)))
        }
        api.put("mailbox/organisations/:organisation/members/:account") { request, context in
            struct Body: Decodable { var role: OrganisationRole }
            let role = try await request.json(Body.self).role
            let account = try context.number("account")
            return try Answer.json(try await organisations.setRole(role, of: account, in: context.organisation))
        }
        api.delete("mailbox/organisations/:organisation/members/:account") { _, context in
            try await organisations.remove(try context.number("account"), from: context.organisation)
            return Answer.done
        }
        api.post("mailbox/organisations/:organisation/leave") { _, context in
            try await organisations.leave(context.organisation)
            return Answer.done
        }
    }

    private func addTours(_ api: RouterGroup<BasicRequestContext>) {
        api.get("mailbox/organisations/:organisation/tours") { _, context in
            try Answer.json(OrganisationTourList(tours: try await organisations.tours(of: context.organisation)))
        }
        api.put("mailbox/organisations/:organisation/tours/:tour") { _, context in
            try await organisations.share(try context.tourAtServer, with: context.organisation)
            return Answer.done
        }
        api.delete("mailbox/organisations/:organisation/tours/:tour") { _, context in
            try await organisations.takeOut(try context.tourAtServer, of: context.organisation)
            return Answer.done
        }
        api.put("mailbox/organisations/:organisation/tours/:tour/owner/:account") { _, context in
            let account = try context.number("account")
            return try Answer.json(
                try await organisations.handOver(
                    try context.tourAtServer, to: account, in: context.organisation))
        }
    }
}

extension BasicRequestContext {
    fileprivate var organisation: Int64 {
        get throws(OrganisationError) { try number("organisation") }
    }

    /// The whole id: this node need not be in the tour.
    fileprivate var tourAtServer: TourID {
        get throws(OrganisationError) {
            guard let tour = TourID(hex: parameters.get("tour") ?? "") else { throw .unknownTour }
            return tour
        }
    }

    /// The number of something at the server.
    fileprivate func number(_ name: String) throws(OrganisationError) -> Int64 {
        guard let number = Int64(parameters.get(name) ?? "") else { throw .unknown }
        return number
    }
}
