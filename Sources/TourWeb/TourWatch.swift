import Foundation
import Hummingbird
import NIOCore
import TourAPI
import TourModel
import TourNode
import TourNodeWords
import TourPresentation

/// Watches everything of a tour beside its messages for one reader: looks again and again, and reports the
/// differences from the last report.
package struct TourWatch {
    /// The time between two looks.
    static let pause: Duration = .seconds(1)
    /// A look that takes long, as with very many unread messages, makes the following ones rarer in proportion.
    private static let shareMax = 20
    /// The longest pause: other programs may have caused a slow look.
    private static let pauseMax: Duration = .seconds(10)
    /// Only writing reveals that a reader has gone.
    private static let silenceMax: Duration = .seconds(15)

    private let node: TourNode
    private let tour: String
    private let clock = ContinuousClock()
    private var nextLook: ContinuousClock.Instant
    private var written: ContinuousClock.Instant
    /// What was last reported, by the event's name.
    private var told: [String: Data] = [:]

    init(node: TourNode, tour: String) {
        self.node = node
        self.tour = tour
        nextLook = clock.now
        written = clock.now
    }

    /// The pause from the beginning of a look that took this long until the next one.
    package static func pause(afterLookOf taken: Duration) -> Duration { min(max(pause, taken * shareMax), pauseMax) }

    mutating func write(_ bytes: ByteBuffer, _ writer: inout any ResponseBodyWriter) async throws {
        try await writer.write(bytes)
        written = clock.now
    }

    /// If a look is due, writes the differences, or a sign of life.
    mutating func look(_ writer: inout any ResponseBodyWriter) async throws {
        let start = clock.now
        if start >= nextLook {
            let picture = await TourPicture(node, tour)
            nextLook = start + Self.pause(afterLookOf: clock.now - start)
            let known = told
            let (told, frames) = try await besideTheLoop { try picture.frames(against: known) }
            self.told = told
            for frame in frames { try await write(frame, &writer) }
        }
        if clock.now - written >= Self.silenceMax { try await write(EventFrame.sign, &writer) }
    }
}

/// The watched state at one moment. Leaves out parts that the node refuses: the reader keeps what it has.
private struct TourPicture: Sendable {
    private let members: MemberList?
    private let details: TourDetails?
    private let meeting: MeetingView??
    private let alarms: [AlarmView]?
    private let quiet: QuietView?
    private let roll: RollView??
    private let urgent: [UrgentView]?
    private let stragglers: StragglerView?
    private let sharing: SharingView?
    private let asking: AskingView?
    private let tours: [TourSummary]?

    init(_ node: TourNode, _ tour: String) async {
        members = try? await node.members(tour)
        details = try? await node.details(tour)
        do {
            let known: MeetingView? = try await node.meeting(tour)
            meeting = .some(known)
        } catch {
            meeting = nil
        }
        alarms = try? await node.alarms(tour)
        quiet = try? await node.quiet(tour)
        do {
            let known: RollView? = try await node.roll(tour)
            roll = .some(known)
        } catch {
            roll = nil
        }
        urgent = try? await node.urgent(tour)
        stragglers = try? await node.stragglerWatch(tour)
        sharing = try? await node.sharing(tour)
        asking = try? await node.askers(tour)
        tours = try? await node.tours()
    }

    func frames(against known: [String: Data]) throws -> (told: [String: Data], frames: [ByteBuffer]) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        var told = known
        var frames = [ByteBuffer]()
        func add<Value: Encodable>(_ name: StaticString, _ value: Value, lasting: Value) throws {
            let essence = try encoder.encode(lasting)
            guard told["\(name)"] != essence else { return }
            told["\(name)"] = essence
            frames.append(EventFrame(name, try encoder.encode(value)).bytes)
        }
        if let details { try add("tour", details, lasting: details) }
        if let members { try add("members", members, lasting: members.lasting) }
        if let meeting {
            try add("meeting", MeetingBody(meeting: meeting), lasting: MeetingBody(meeting: meeting?.lasting))
        }
        if let alarms { try add("alarms", AlarmList(alarms: alarms), lasting: AlarmList(alarms: alarms)) }
        if let quiet { try add("quiet", quiet, lasting: quiet) }
        if let roll { try add("roll", RollBody(roll: roll), lasting: RollBody(roll: roll)) }
        if let urgent { try add("urgent", UrgentList(urgent: urgent), lasting: UrgentList(urgent: urgent)) }
        if let stragglers { try add("stragglers", stragglers, lasting: stragglers) }
        if let sharing = sharing?.answer(on: Reader.current.surface) {
            try add("sharing", sharing, lasting: sharing)
        }
        if let asking { try add("asking", asking, lasting: asking.lasting) }
        if let tours { try add("tours", TourListing(tours: tours), lasting: TourListing(tours: tours)) }
        return (told, frames)
    }
}

// Values that change with every second are no difference: the reader counts by itself.
extension MemberList {
    fileprivate var lasting: Self {
        var lasting = self
        lasting.members = members.map(\.lasting)
        return lasting
    }
}

extension MemberSummary {
    fileprivate var lasting: Self {
        var lasting = self
        if reachable { lasting.lastSeen = nil }
        lasting.position?.ageSeconds = 0
        return lasting
    }
}

extension MeetingView {
    fileprivate var lasting: Self {
        var lasting = self
        lasting.secondsLeft = nil
        return lasting
    }
}
