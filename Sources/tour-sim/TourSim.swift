import ArgumentParser
import TourModel

/// The command line of the simulator.
@main
struct TourSim: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour-sim",
        abstract: "Simulated nodes under a virtual clock: same seed, same run.",
        discussion: """
            The machines are those of the product; networks, disks and clocks are not. Without a subcommand: swarms.

            EXAMPLES
              tour-sim --seeds 1..1000 --nodes 50           swarms with faults: all must come to the same
              tour-sim help swarms                          their options
              tour-sim measure --members 8,50               latencies and bytes, held against the goals
              tour-sim crypto                               what the cryptography costs on this machine
            """,
        version: "tour-sim \(ProgramVersion.text)",
        subcommands: [SimulateCommand.self, MeasureCommand.self, CryptoCommand.self],
        defaultSubcommand: SimulateCommand.self)
}
