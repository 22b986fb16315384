import ArgumentParser
import Glibc
import TourSimulator

/// The measurements that the simulator offers.
enum MeasurePart: String, CaseIterable, ExpressibleByArgument {
    case table, hour, partition, bridges, urgent, heap
}

/// The simulator as a measuring instrument.
struct MeasureCommand: AsyncParsableCommand {
    /// The size of the tours for partitions, bridges and urgency, and of the largest one for the hour.
    private static let partMembersMax = 50
    /// Two halves need some members each.
    private static let halvesMin = 6
    private static let hourMessages = 100

    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure latencies and bytes of simulated tours, and hold them against the goals.",
        discussion: """
            The production machines on a simulated network: 2 ms +- 1 a hop, loss at each receiver of a datagram and \
            of each TCP segment, 20 messages a second from random members, a stated CPU cost for each event at each \
            member. Bytes are those of the production encoders, padding, tags and all headers down to Ethernet's \
            included, and accounted for by what they are there for: first copies of events, what the author says \
            again, what others answer for it, questions, claim rows, beacons, short beacons after an event (tail); of \
            links without TCP's headers. Same seed, same figures. Exit status 1 when anything was not delivered to \
            everybody.

            PARTS (for --only)
              table      latency, bytes for each event, idle traffic; the largest queues
              hour       claim rows on air in an hour with 100 messages that all read (tours of up to 50)
              partition  two halves apart for a minute: how soon they agree again
              bridges    two members carry between two networks, one dies: how soon the next message crosses
              urgent     announcements while a member catches up with 10,000 events
              heap       2,000 messages of the guide at once: how soon all have them, and the bytes

            EXAMPLES
              tour-sim measure                                 everything; some minutes, most of them for 200 members
              tour-sim measure --members 8,50                  without the largest
              tour-sim measure --only table --members 50 --loss 0,5 --no-multicast
              tour-sim measure --only table --rate 1 --messages 60   slow talk: claims and Haves gather less
              tour-sim measure --members 8 --json              one JSON object a line
            """)

    @Option(help: ArgumentHelp("Members of the tours, 3 to 1000.", valueName: "n[,n…]"))
    var members = NumberList([8, 50, 200])
    @Option(help: ArgumentHelp("Percent of datagrams and segments that are lost, 0 to 90.", valueName: "p[,p…]"))
    var loss = NumberList([0, 10, 30])
    @Option(help: ArgumentHelp("Messages of each broadcast.", valueName: "n"))
    var messages = 200
    @Option(help: ArgumentHelp("Messages a second, 1 to 100.", valueName: "n"))
    var rate = 20
    @Option(help: ArgumentHelp("What chance starts from.", valueName: "n"))
    var seed: UInt64 = 1
    @Option(help: ArgumentHelp("Microseconds of CPU for one event at one member.", valueName: "n"))
    var cpu: Int = 360
    @Option(help: ArgumentHelp("Microseconds until the author's disk has an event; it goes out after.", valueName: "n"))
    var disk: Int = 0
    @Option(parsing: .upToNextOption, help: ArgumentHelp("Just these parts.", valueName: "part"))
    var only: [MeasurePart] = []
    @Option(help: ArgumentHelp("Measured at once (default: as many as there are processors).", valueName: "n"))
    var jobs: Int?
    @Flag(help: "Only where no datagram comes through (default: with and without).")
    var noMulticast = false
    @Flag(help: "Only where datagrams come through.")
    var multicastOnly = false
    @Flag(help: "Print one JSON object a line: the conditions, then each measurement.")
    var json = false

    func validate() throws {
        guard !members.numbers.isEmpty, members.numbers.allSatisfy({ (3...1_000).contains($0) }) else {
            throw ValidationError("--members are numbers from 3 to 1000.")
        }
        guard !loss.numbers.isEmpty, loss.numbers.allSatisfy({ (0...90).contains($0) }) else {
            throw ValidationError("--loss is in percent, 0 to 90.")
        }
        guard (1...3_600).contains(messages), (1...100).contains(rate), jobs ?? 1 >= 1 else {
            throw ValidationError("--messages is 1 to 3600, --rate 1 to 100, --jobs at least 1.")
        }
        guard !(noMulticast && multicastOnly) else {
            throw ValidationError("--no-multicast and --multicast-only leave nothing.")
        }
        guard (0...1_000_000).contains(cpu), (0...1_000_000).contains(disk) else {
            throw ValidationError("--cpu and --disk are at most 1000000.")
        }
    }

    func run() async throws {
        let planned = plannedJobs
        let report = MeasureReport(json: json, total: planned.count)
        report.start(conditions(loss: 0, multicast: kinds[0]), seed: seed, messages: messages, rate: rate)
        let results = await play(planned, report)
        report.show(results, members: members.numbers, losses: loss.numbers)
        if !results.allSatisfy(\.isDelivered) { throw ExitCode.failure }
    }

    private func conditions(loss percent: Int, multicast: Bool) -> MeasureConditions {
        var conditions = MeasureConditions()
        conditions.lossPerMille = percent * 10
        conditions.usesMulticast = multicast
        conditions.eventWork = .microseconds(cpu)
        conditions.authorDisk = .microseconds(disk)
        return conditions
    }

    private var plannedJobs: [MeasureJob] {
        let parts = only.isEmpty ? MeasurePart.allCases : only
        return MeasurePart.allCases.filter { parts.contains($0) }.flatMap { plan($0) }
    }

    /// With multicast and without, or one of the two.
    private var kinds: [Bool] { noMulticast ? [false] : multicastOnly ? [true] : [true, false] }

    private func plan(_ part: MeasurePart) -> [MeasureJob] {
        let largest = min(members.numbers.last ?? 0, Self.partMembersMax)
        switch part {
        case .table: return planTable()
        case .hour:
            let calm = conditions(loss: 0, multicast: kinds[0])
            return members.numbers.filter { $0 <= Self.partMembersMax }.map { count in
                MeasureJob.hour(HourPlan(members: count, messages: Self.hourMessages, seed: seed, conditions: calm))
            }
        case .partition:
            return kinds.map { kind in
                let calm = conditions(loss: 0, multicast: kind)
                return MeasureJob.partition(
                    PartitionPlan(members: max(largest, Self.halvesMin), seed: seed, conditions: calm))
            }
        case .bridges:
            return kinds.map { kind in
                let calm = conditions(loss: 0, multicast: kind)
                return MeasureJob.bridges(
                    BridgesPlan(members: max(largest, Self.halvesMin), seed: seed, conditions: calm))
            }
        case .urgent:
            return kinds.map { kind in
                let calm = conditions(loss: 0, multicast: kind)
                return MeasureJob.urgent(UrgentPlan(members: largest, seed: seed, conditions: calm))
            }
        case .heap:
            return members.numbers.filter { $0 <= Self.partMembersMax }.flatMap { count in
                kinds.map { kind in
                    let calm = conditions(loss: 0, multicast: kind)
                    return MeasureJob.heap(HeapPlan(members: count, seed: seed, conditions: calm))
                }
            }
        }
    }

    /// The longest first: the others fill the time that these take.
    private func planTable() -> [MeasureJob] {
        var planned = [MeasureJob]()
        for count in members.numbers.reversed() {
            for kind in kinds {
                for percent in loss.numbers {
                    let plan = BroadcastPlan(
                        members: count, messages: messages, rate: rate, seed: seed,
                        conditions: conditions(loss: percent, multicast: kind))
                    planned.append(.broadcast(plan))
                }
            }
        }
        return planned
    }

    /// Plays the jobs, several at once, and returns their results in the jobs' order.
    private func play(_ planned: [MeasureJob], _ report: MeasureReport) async -> [MeasureResult] {
        let limit = self.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let played = await withTaskGroup(of: Played.self) { group in
            var done = [Played]()
            var waiting = planned.makeIterator()
            var started = 0
            report.progress(done: 0)
            for _ in 0..<limit { start(&waiting, &started, &group) }
            while let next = await group.next() {
                done.append(next)
                report.progress(done: done.count)
                start(&waiting, &started, &group)
            }
            return done
        }
        report.ended()
        return played.sorted { $0.place < $1.place }.map(\.result)
    }

    private func start(
        _ waiting: inout IndexingIterator<[MeasureJob]>, _ started: inout Int, _ group: inout TaskGroup<Played>
    ) {
        guard let job = waiting.next() else { return }
        let place = started
        started += 1
        group.addTask { Played(place: place, result: job.play()) }
    }
}

/// The result of a job, and the job's place among all.
private struct Played: Sendable {
    let place: Int
    let result: MeasureResult
}
