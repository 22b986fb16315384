import Foundation
import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourCrypto
import TourGroup
import TourModel

/// Routes by which guides register tours, and members list, show, change and join them on the server.
/// Contract: `Protocol/Schema/openapi.yaml`, `Protocol/09-mailbox.md`.
struct GroupRoutes: Sendable {
    let parts: RequestParts
    let rosters: TourRosters

    var routes: [Route] {
        [
            Route(
                .post, "/groups", access: .account, body: .json(bytesMax: ServerLimits.controlsBodyMax),
                handler: create),
            Route(.get, "/groups", access: .member, handler: list),
            Route(.get, "/groups/{id}", access: .member, handler: show),
            Route(.patch, "/groups/{id}", access: .account, body: .json, handler: change),
            Route(.delete, "/groups/{id}", access: .account, handler: delete),
            Route(.get, "/groups/{id}/members", access: .member, handler: members),
            Route(.post, "/groups/{id}/bind", access: .account, body: .json, handler: bind),
        ]
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        try account.require(.guide, or: .notAGuide)
        let body = try call.json(NewGroup.self)
        if let name = body.name { try Self.check(name: name) }
        let listing = body.listing
        guard let founding = try body.founding() else { return try await plan(listing, by: account, call) }
        guard let founded = try? TourGroup(genesis: founding.genesis) else {
            throw Failure(.badGenesis, field: "genesis")
        }
        let tourID = founded.tour
        let (rosters, secret, storage) = (rosters, parts.secret, parts.storage)
        let host = try parts.host(of: call)
        return try await rosters.settle(tourID, isGrowing: true) { known throws(Failure) in
            let grown = await rosters.grown(known ?? KnownGroup(group: founded, place: 0), by: founding.news)
            let (answer, now) = try await call.settle(storage) { sql throws(Failure) in
                // A roster may have taken its time.
                let account = try account.current(in: sql)
                guard account.role >= .guide else { throw Failure(.notAGuide) }
                let held = try TourRows(sql: sql).tour(tourID)
                let tour =
                    if let held {
                        held
                    } else {
                        try TourRows(sql: sql).add(
                            tourID, genesis: founding.genesis, by: account, listing: listing, now: call.now)
                    }
                try ControlRows(sql: sql).check(grown.before, of: tour)
                let now = try ControlRows(sql: sql).store(grown, of: tour, now: call.now).known
                let proof = founding.proof
                guard let member = now.group.roster.members[proof.member], member.isActive, member.rank.leads else {
                    throw Failure(.notAllowed)
                }
                try proof.check(
                    .group, tour: tourID, identity: member.identity, host: host, now: call.now, secret: secret, in: sql)
                try SeatRows(sql: sql).bind(member, to: account, in: tour, now.group.roster)
                let answer = try Answer.json(GroupBody(tour, now.group), status: held == nil ? .created : .ok)
                return (.success(answer), now)
            }
            rosters.keep(now)
            return answer
        }
    }

    private func plan(_ listing: TourListing, by account: AuthenticatedAccount, _ call: Call) async throws(Failure)
        -> Answer
    {
        guard listing.name != nil else { throw .invalid("name") }
        return try await call.write(parts.storage) { sql throws(Failure) in
            let account = try account.current(in: sql)
            guard account.role >= .guide else { throw Failure(.notAGuide) }
            let tour = try PlannedTours(sql: sql).add(listing, by: account, now: call.now)
            return try .json(GroupBody(tour, nil), status: .created)
        }
    }

    /// Deletes a planned tour. One that was founded belongs to its members.
    private func delete(_ call: Call) async throws(Failure) -> Answer {
        let access = try await access(call)
        guard access.leads, access.tour.isPlanned else { throw Failure(.forbidden) }
        let (id, account) = (access.tour.id, call.account)
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard let tour = try PlannedTours(sql: sql).tour(id) else { throw Failure(.notFound) }
            guard tour.isPlanned, try access.again(tour, for: account, in: sql)?.leads == true else {
                throw Failure(.forbidden)
            }
            try PlannedTours(sql: sql).delete(tour)
            return .noContent
        }
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let (rosters, member, account) = (rosters, call.member, call.account)
        let storage = parts.storage
        // The organisations of an account may have tens of thousands of tours to choose from.
        let page = try await parts.heavy.run(for: call.callerName) { () async throws(Failure) in
            try await storage.read { sql throws(Failure) -> Page<StoredTour> in
                guard let member else {
                    guard let account else { return Page(rows: [], next: nil) }
                    return try TourPages(sql: sql, request: request).tours(seenBy: account.account)
                }
                let tours = try TourRows(sql: sql).tour(member.tour).map { [$0] } ?? []
                return request.page(of: tours) { .pageKey($0.createdAt, .pageKey($0.number)) }
            }
        }
        var bodies = [GroupBody]()
        for tour in page.rows {
            if tour.isPlanned {
                guard let account else { continue }
                let access = try await parts.storage.read { sql throws(Failure) in
                    try TourAccess.of(account.account, to: tour, nil, in: sql)
                }
                if let access { bodies.append(GroupBody(access)) }
                continue
            }
            let body = try await rosters.read(tour.id) { sql, tour, known throws(Failure) -> GroupBody? in
                // nil: the account's member has left or was removed.
                if let account {
                    return try TourAccess.of(account.account, to: tour, known, in: sql).map { GroupBody($0) }
                }
                guard let member, known.group.roster.members[member.member]?.isActive == true else {
                    throw Failure(.unauthenticated)
                }
                return GroupBody(tour, known.group)
            }
            if case .some(.some(let body)) = body { bodies.append(body) }
        }
        return try .page(Page(rows: bodies, next: page.next), request)
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let access = try await access(call)
        return try .json(GroupBody(access, names: try await names(access, call)))
    }

    private func members(_ call: Call) async throws(Failure) -> Answer {
        let request = try PageRequest(call)
        let access = try await access(call)
        guard access.readsMembers else { throw Failure(.forbidden) }
        guard let group = access.known?.group else {
            return try .page(Page<GroupBody.Row>(rows: [], next: nil), request)
        }
        let page = request.page(of: GroupBody.members(of: group)) {
            .pageKey(Int64(bitPattern: $0.admittedAt.value), $0.id.bytes)
        }
        let founder = group.roster.creator
        let names = try await names(access, call)
        let rows = page.rows.map { GroupBody.Row($0, founder: founder, name: names[$0.id]) }
        return try .page(Page(rows: rows, next: page.next), request)
    }

    /// Changes what the server shows of a tour, for those who lead it.
    private func change(_ call: Call) async throws(Failure) -> Answer {
        let change = try call.json(GroupChange.self)
        if let name = change.name { try Self.check(name: name) }
        let plan = try change.planned.map { text throws(Failure) in
            guard let id = TourID(hex: text) else { throw .invalid("planned") }
            return id
        }
        let access = try await access(call)
        guard access.leads else { throw Failure(.forbidden) }
        let (number, account) = (access.tour.number, try call.requireAccount())
        guard plan == nil || !access.tour.isPlanned else { throw .invalid("planned") }
        return try await call.write(parts.storage) { sql throws(Failure) in
            guard let tour = try TourRows(sql: sql).tour(number: number) else { throw Failure(.notFound) }
            guard let access = try access.again(tour, for: account, in: sql), access.leads else {
                throw Failure(.forbidden)
            }
            try change.apply(to: tour, now: call.now, in: sql)
            if let plan, let tour = try TourRows(sql: sql).tour(number: number) {
                try PlannedTours(sql: sql).replace(plan, with: tour, by: account)
            }
            guard let changed = try TourRows(sql: sql).tour(number: number) else { throw Failure(.notFound) }
            return try .json(GroupBody(access.with(changed)))
        }
    }

    private func bind(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var memberId: String
            var nonce: String
            var signature: Data
        }
        let account = try call.requireAccount()
        let body = try call.json(Body.self)
        guard let tourID = TourID(hex: call.parameters["id"] ?? "") else { throw Failure(.notFound) }
        let proof = try MemberProof(member: body.memberId, nonce: body.nonce, signature: body.signature)
        let (storage, secret) = (parts.storage, parts.secret)
        let host = try parts.host(of: call)
        return try await rosters.settle(tourID) { known throws(Failure) in
            guard let known else { throw Failure(.unknownGroup) }
            guard let member = known.group.roster.members[proof.member] else { throw Failure(.unknownMember) }
            return try await call.write(storage) { sql throws(Failure) in
                let account = try account.current(in: sql)
                guard let tour = try TourRows(sql: sql).tour(tourID) else { throw Failure(.unknownGroup) }
                try ControlRows(sql: sql).check(known, of: tour)
                try proof.check(
                    .bind, tour: tourID, identity: member.identity, host: host, now: call.now, secret: secret, in: sql)
                guard member.isActive else { throw Failure(.removed, evidence: known.group.ending(of: member.id)) }
                let isTied = try SeatRows(sql: sql).bind(member, to: account, in: tour, known.group.roster)
                return isTied ? .noContent : Answer(.accepted)
            }
        }
    }

    /// The names of members, where a guide has let the archive in. They are not for somebody who is only invited.
    private func names(_ access: TourAccess, _ call: Call) async throws(Failure) -> [MemberID: String] {
        guard access.readsMembers, let known = access.known else { return [:] }
        let (storage, secret) = (parts.storage, parts.secret)
        let archive = try await storage.read { sql throws(Failure) in
            try ArchiveRows(sql: sql).archive(of: access.tour, secret)
        }
        guard let archive, archive.isActive(in: known.group) else { return [:] }
        return try await parts.heavy.run(for: call.callerName) { () async throws(Failure) in
            let group = archive.opening(known.group)
            return try await storage.read { sql throws(Failure) in try MessageRows(sql: sql).names(for: access, group) }
        }
    }

    private func access(_ call: Call) async throws(Failure) -> TourAccess {
        try await call.access(of: call.parameters["id"] ?? "", parts.storage, rosters)
    }

    private static func check(name: String) throws(Failure) {
        guard (1...Limits.nameBytesMax).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalid("name") }
    }
}

extension GroupChange {
    fileprivate func apply(to tour: StoredTour, now: Int64, in sql: any SQL) throws(Failure) {
        try sql.run(
            "UPDATE tours SET name = $1, is_active = $2, start_date = $3, end_date = $4 WHERE number = $5",
            [
                SQLValue(name ?? tour.name), .integer(isActive ?? tour.isActive ? 1 : 0),
                SQLValue(startDate.map { $0?.microseconds } ?? tour.startDate),
                SQLValue(endDate.map { $0?.microseconds } ?? tour.endDate), .integer(tour.number),
            ])
        try EndingTours(sql: sql).touch(tour.number, now: now)
    }
}
