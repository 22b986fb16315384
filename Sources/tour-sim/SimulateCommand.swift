import ArgumentParser
import Glibc
import TourSimulator

/// Plays swarms by seed.
struct SimulateCommand: AsyncParsableCommand {
    /// How many failing seeds are minimised and shown; of the others only the numbers.
    private static let failuresShown = 5

    static let configuration = CommandConfiguration(
        commandName: "swarms",
        abstract: "Play swarms of simulated nodes with faults and liars, drawn from seeds.",
        discussion: """
            Each seed draws a network, faults and liars, and lets the members write. Then all is well again, and all \
            must come to the same: nothing lost, nothing twice, nothing out of order, nothing claimed that is not so. \
            With the topology 'overlay', two of five seeds, the nodes find each other and choose their links by the \
            production rules; then each network must be whole, and links few. Exit status 1 when a seed failed.

            EXAMPLES
              tour-sim --seeds 1..1000 --nodes 50           as Scripts/simulate does
              tour-sim --seed 42 --minimise                 one seed; if it fails, the smallest case of it
              tour-sim --seed 42 --with nodes=6,loss=200    its draw, with other options
              tour-sim --seeds 1..20 --json                 one JSON object a line

            OPTIONS OF A SWARM (for --with)
            \(Self.optionList)
            """)

    @Option(help: ArgumentHelp("The seeds to play.", valueName: "first..last"))
    var seeds = SeedRange(1...100)
    @Option(help: ArgumentHelp("Just this seed.", valueName: "n"))
    var seed: UInt64?
    @Option(help: ArgumentHelp("The most nodes that a seed draws.", valueName: "n"))
    var nodes = 50
    @Option(
        help: ArgumentHelp(
            "Options instead of the drawn ones; may be repeated.", valueName: "name=value[,name=value…]"))
    var with: [String] = []
    @Option(help: ArgumentHelp("Seeds played at once (default: as many as there are processors).", valueName: "n"))
    var jobs: Int?
    @Flag(help: "Make failing cases small.")
    var minimise = false
    @Flag(help: "Print one JSON object a line: each seed, then the summary.")
    var json = false

    private static var optionList: String {
        let kinds = Topology.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        let numbers = SwarmOptions.dimensions.map { "  \($0.name): \($0.meaning)" }
        return (["  topology: \(kinds)"] + numbers).joined(separator: "\n")
    }

    func validate() throws {
        guard nodes >= 2, jobs ?? 1 >= 1 else { throw ValidationError("--nodes is at least 2, --jobs at least 1.") }
        _ = try options(of: 0)
    }

    func run() async throws {
        let range = seed.map { $0...$0 } ?? seeds.seeds
        let report = SimulationReport(json: json, nodes: nodes, total: range.count)
        var tally = try await play(range, report)
        tally.failed.sort { $0.seed < $1.seed }
        for failed in tally.failed.prefix(Self.failuresShown) {
            var minimiser = minimise ? Minimiser(failed) : nil
            minimiser?.minimise()
            report.failed(failed, smallest: minimiser?.smallest)
        }
        report.summary(tally, hidden: max(0, tally.failed.count - Self.failuresShown))
        if !tally.failed.isEmpty { throw ExitCode.failure }
    }

    /// Plays the seeds, several at once, since simulations share nothing.
    private func play(_ range: ClosedRange<UInt64>, _ report: SimulationReport) async throws -> Tally {
        let jobs = self.jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        return try await withThrowingTaskGroup(of: SwarmResult.self) { group in
            var tally = Tally()
            var waiting = range.makeIterator()
            for _ in 0..<jobs { try start(&waiting, &group) }
            while let result = try await group.next() {
                tally.add(result)
                report.played(result, tally)
                try start(&waiting, &group)
            }
            report.ended()
            return tally
        }
    }

    private func start(
        _ waiting: inout IndexingIterator<ClosedRange<UInt64>>,
        _ group: inout ThrowingTaskGroup<SwarmResult, any Error>
    ) throws {
        guard let seed = waiting.next() else { return }
        let drawn = try options(of: seed)
        group.addTask { Swarm(seed: seed, options: drawn).play() }
    }

    private func options(of seed: UInt64) throws -> SwarmOptions {
        var options = SwarmOptions.drawn(seed: seed, nodesMax: nodes)
        do {
            for text in with { try options.set(text) }
        } catch {
            throw ValidationError("--with: \(error).")
        }
        return options.fitted()
    }
}

/// The results of the seeds.
struct Tally: Sendable {
    private(set) var seeds = 0
    private(set) var events = 0
    private(set) var virtualSeconds: Int64 = 0
    private(set) var slowest = Duration.zero
    /// The longest time until all were linked with their neighbours, where nodes choose their links.
    private(set) var slowestRepair = Duration.zero
    var failed: [SwarmResult] = []

    mutating func add(_ result: SwarmResult) {
        seeds += 1
        events += result.events
        virtualSeconds += result.virtualTime.components.seconds
        slowest = max(slowest, result.convergence ?? .zero)
        slowestRepair = max(slowestRepair, result.repair ?? .zero)
        if result.failure != nil { failed.append(result) }
    }
}
