import ArgumentParser
import FoundationEssentials
import TourSimulator

/// Measures the cryptography on this machine.
struct CryptoCommand: ParsableCommand {
    /// As many as one rekey can wrap for.
    private static let devicesMax = 600
    private static let eventsMax = 1_000_000

    static let configuration = CommandConfiguration(
        commandName: "crypto",
        abstract: "Measure what the cryptography costs on this machine: rekeys, runs, handshakes.",
        discussion: """
            The production code on one core, in real time: other programs disturb it. Beside each figure stands its \
            time in signatures verified by libsodium on this machine (crypto_sign_verify_detached), which says more \
            about another one. The goals are for 200 devices and 10,000 events; none of them decides the exit status.

            EXAMPLES
              tour-sim crypto                               a rekey for 200 devices, 10,000 events
              tour-sim crypto --devices 50 --events 2000 --json   one JSON object
            """)

    @Option(help: ArgumentHelp("Devices that the rekey is for, 2 to 600.", valueName: "n"))
    var devices = 200
    @Option(help: ArgumentHelp("Events of the log that is verified, 1 to 1000000.", valueName: "n"))
    var events = 10_000
    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard (2...Self.devicesMax).contains(devices) else { throw ValidationError("--devices is 2 to 600.") }
        guard (1...Self.eventsMax).contains(events) else { throw ValidationError("--events is 1 to 1000000.") }
    }

    func run() throws {
        let load = CryptoLoad(devices: devices, events: events, seed: 1)
        guard load.members == devices, let figures = CryptoFigures(load, devices: devices, events: events) else {
            throw ValidationError("The load could not be made, or did not verify: this is a mistake in the program.")
        }
        if json { return try show(figures) }
        for line in figures.lines { print(line) }
    }

    private func show(_ figures: CryptoFigures) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        print(String(decoding: try encoder.encode(figures), as: UTF8.self))
    }
}
