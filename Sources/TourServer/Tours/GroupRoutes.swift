import Foundation
import HTTPTypes
import TourCrypto
import TourGroup
import TourModel

/// Tours on the server. Contract: `Protocol/Schema/openapi.yaml`, `Protocol/09-mailbox.md`.
struct GroupRoutes: Sendable {
    let parts: ServerParts

    var routes: [Route] {
        [
            Route(
                .post, "/groups", access: .account, body: .json(bytesMax: ServerLimits.controlsBodyMax),
                handler: create),
            Route(.get, "/groups", access: .seat, handler: list),
            Route(.get, "/groups/{id}", access: .seat, handler: show),
            Route(.patch, "/groups/{id}", access: .account, body: .json, handler: change),
            Route(.get, "/groups/{id}/members", access: .seat, handler: members),
            Route(.post, "/groups/{id}/bind", access: .account, body: .json, handler: bind),
        ]
    }

    private func create(_ call: Call) async throws(Failure) -> Answer {
        struct Body: Decodable {
            var genesis: Data
            var controls: [Data]?
            var memberId: String
            var nonce: String
            var signature: Data
            var name: String?
        }
        let account = try call.requireAccount()
        guard account.role >= .guide else { throw Failure(.notAGuide) }
        let body = try call.json(Body.self)
        if let name = body.name { try Self.check(name: name) }
        guard let group = try? TourGroup(genesis: Array(body.genesis)) else {
            throw Failure(.badGenesis, field: "genesis")
        }
        let tourID = group.tour
        let proof = try MemberProof(member: body.memberId, nonce: body.nonce, signature: body.signature)
        let controls = try ControlList(body.controls ?? []).events
        let (rosters, secret) = (parts.rosters, parts.secret)
        let host = try parts.host(of: call)
        let (tour, known, isNew) = try await parts.storage.write { sql throws(Failure) in
            let held = try sql.tour(tourID)
            let tour =
                if let held {
                    held
                } else {
                    try sql.addTour(
                        tourID, genesis: Array(body.genesis), account: account.id, name: body.name, now: call.now)
                }
            var known = try rosters.group(of: tour, in: sql)
            _ = try sql.take(controls, into: &known, of: tour, now: call.now)
            guard let member = known.group.roster.members[proof.member], member.isActive, member.rank.leads else {
                throw Failure(.notAllowed)
            }
            try proof.check(
                .group, tour: tourID, identity: member.identity, host: host, now: call.now, secret: secret, in: sql)
            try sql.takeSeat(member.id, account: account.id, in: tour)
            return (tour, known, held == nil)
        }
        rosters.keep(known)
        return try .json(GroupBody(tour, known.group), status: isNew ? .created : .ok)
    }

    private func list(_ call: Call) async throws(Failure) -> Answer {
        let (rosters, member, account) = (parts.rosters, call.member, call.account)
        let found = try await parts.storage.read { sql throws(Failure) in
            var tours = [StoredTour]()
            if let account { tours = try sql.tours(of: account.id) }
            if let member, let tour = try sql.tour(member.tour) { tours = [tour] }
            var groups = [(StoredTour, KnownGroup)]()
            for tour in tours.prefix(ServerLimits.groupsListedMax) {
                let known = try rosters.group(of: tour, in: sql)
                if let member {
                    guard known.group.roster.members[member.member]?.isActive == true else {
                        throw Failure(.unauthenticated)
                    }
                } else if let account, tour.account != account.id {
                    // Tied to a member who is out by now.
                    guard let id = try sql.seat(of: account.id, in: tour),
                        known.group.roster.members[id]?.isActive == true
                    else { continue }
                }
                groups.append((tour, known))
            }
            return groups
        }
        return try .json(found.map { GroupBody($0.0, $0.1.group) })
    }

    private func show(_ call: Call) async throws(Failure) -> Answer {
        let (tour, known) = try await look(call)
        return try .json(GroupBody(tour, known.group))
    }

    private func members(_ call: Call) async throws(Failure) -> Answer {
        let (tour, known) = try await look(call)
        return try .json(GroupBody(tour, known.group).members)
    }

    /// What the account that made the tour known, or that leads it, says of it here.
    private func change(_ call: Call) async throws(Failure) -> Answer {
        let account = try call.requireAccount()
        let change = try call.json(GroupChange.self)
        if let name = change.name { try Self.check(name: name) }
        guard let tourID = TourID(hex: call.parameters["id"] ?? "") else { throw Failure(.notFound) }
        let rosters = parts.rosters
        let (tour, known) = try await parts.storage.write { sql throws(Failure) in
            guard let tour = try sql.tour(tourID) else { throw Failure(.notFound) }
            let known = try rosters.group(of: tour, in: sql)
            let member = try sql.seat(of: account.id, in: tour).flatMap { known.group.roster.members[$0] }
            let leads = member.map { $0.isActive && $0.rank.leads } ?? false
            guard leads || tour.account == account.id else { throw Failure(.forbidden) }
            try sql.apply(change, to: tour)
            guard let changed = try sql.tour(tourID) else { throw Failure(.notFound) }
            return (changed, known)
        }
        return try .json(GroupBody(tour, known.group))
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
        let (rosters, secret) = (parts.rosters, parts.secret)
        let host = try parts.host(of: call)
        try await parts.storage.write { sql throws(Failure) in
            guard let tour = try sql.tour(tourID) else { throw Failure(.unknownGroup) }
            let known = try rosters.group(of: tour, in: sql)
            guard let member = known.group.roster.members[proof.member] else { throw Failure(.unknownMember) }
            try proof.check(
                .bind, tour: tourID, identity: member.identity, host: host, now: call.now, secret: secret, in: sql)
            guard member.isActive else { throw Failure(.removed, evidence: known.group.ending(of: member.id)) }
            try sql.takeSeat(member.id, account: account.id, in: tour)
        }
        return .noContent
    }

    /// The tour, for its members and for the account that made it known.
    private func look(_ call: Call) async throws(Failure) -> (StoredTour, KnownGroup) {
        let rosters = parts.rosters
        let id = call.parameters["id"] ?? ""
        if let account = call.account, let tourID = TourID(hex: id) {
            let owned = try await parts.storage.read { sql throws(Failure) -> (StoredTour, KnownGroup)? in
                guard let tour = try sql.tour(tourID), tour.account == account.id else { return nil }
                return (tour, try rosters.group(of: tour, in: sql))
            }
            if let owned { return owned }
        }
        let seat = try await call.seat(in: id, rosters, parts.storage)
        return (seat.tour, seat.known)
    }

    private static func check(name: String) throws(Failure) {
        guard (1...Limits.nameBytesMax).contains(name.utf8.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .invalid("name") }
    }
}

/// What can be changed of a tour on the server; what is left out stays, and null takes a date away.
struct GroupChange: Decodable {
    var name: String?
    var isActive: Bool?
    /// Outer nil: not named.
    var startDate: Date??
    var endDate: Date??

    private enum CodingKeys: CodingKey { case name, isActive, startDate, endDate }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeIfPresent(String.self, forKey: .name)
        isActive = try container.decodeIfPresent(Bool.self, forKey: .isActive)
        if container.contains(.startDate) {
            startDate = .some(try container.decodeIfPresent(Date.self, forKey: .startDate))
        }
        if container.contains(.endDate) { endDate = .some(try container.decodeIfPresent(Date.self, forKey: .endDate)) }
    }
}

extension SQL {
    fileprivate func apply(_ change: GroupChange, to tour: StoredTour) throws(Failure) {
        try run(
            "UPDATE tours SET name = $1, is_active = $2, start_date = $3, end_date = $4 WHERE number = $5",
            [
                SQLValue(change.name ?? tour.name), .integer(change.isActive ?? tour.isActive ? 1 : 0),
                SQLValue(change.startDate.map { $0?.microseconds } ?? tour.startDate),
                SQLValue(change.endDate.map { $0?.microseconds } ?? tour.endDate), .integer(tour.number),
            ])
    }
}

extension Date {
    /// Since 1970; times that do not fit are cut to the year 9999 and to 1970.
    fileprivate var microseconds: Int64 {
        Int64(min(max(timeIntervalSince1970, 0), 253_402_300_799)) * 1_000_000
    }
}
