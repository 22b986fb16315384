import HTTPTypes
import ServerBase
import ServerRequests
import ServerStorage
import TourGroup
import TourModel

/// Notifies a member of new events by server-sent events, which carry only the heads.
/// Contract: `Protocol/09-mailbox.md`, "GET /groups/{id}/live".
struct LiveRoute: Sendable {
    let parts: RequestParts
    let rosters: TourRosters
    let news: TourNews

    var routes: [Route] { [Route(.get, "/groups/{id}/live", access: .member, handler: listen)] }

    private func listen(_ call: Call) async throws(Failure) -> Answer {
        let place = try parts.places.listeners.place(for: call.callerName)
        let caller = try await call.caller(in: call.parameters["id"] ?? "", rosters)
        // Subscribed before the heads are read: a change between the two is announced again rather than missed.
        let wakes = parts.storage.wakes(caller.tour.topic)
        let news = news
        let (storage, account, clock) = (parts.storage, call.account, parts.now)
        let (bans, client) = (parts.bans, call.client)
        let first = try await parts.storage.read { sql throws(Failure) in
            try EventRows(sql: sql).heads(for: caller)
        }
        return Answer(
            .ok,
            content: .events { [place] out in
                // The answer holds the place, whether or not its body is ever written.
                defer { withExtendedLifetime(place) {} }
                var told = TourNews.Told(first)
                try await out.write(comment: "listening")
                // A session may end, an account be disabled and a tour be deleted by another process, whose wakes do
                // not always come here, as may a ban begin.
                let mayStay: @Sendable () async throws -> Bool = {
                    await bans.renew(now: clock())
                    guard !bans.hold(client: client, account: account?.id, now: clock()) else { return false }
                    return try await storage.read { sql throws(Failure) in
                        guard try TourRows(sql: sql).tour(number: caller.tour.number) != nil else { return false }
                        return try account.map { account throws(Failure) in try account.isOpen(at: clock(), in: sql) }
                            ?? true
                    }
                }
                try await out.follow(
                    wakes, silence: news.silence, lifetime: ServerLimits.liveLifetime, mayStay: mayStay
                ) {
                    guard let now = try await news.heads(of: caller.tour) else { return nil }
                    // The stream of a removed member ends.
                    guard now.known.group.roster.members[caller.member.id]?.isActive == true else { return nil }
                    let event = now.event(since: told)
                    told = TourNews.Told(now)
                    return event
                }
            })
    }
}
