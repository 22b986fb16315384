import ArgumentParser
import TourNode
import TourWeb

/// `sync`
struct SyncCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Sync a tour with the server now.",
        discussion: """
            A node with a server syncs by itself: when a network comes up, when something new is there, and every \
            five minutes. This begins a sync at once and waits for its end; with --watch it goes on showing them. With \
            --json a line each time something changes.

            EXAMPLES
              tour-chat sync
              tour-chat sync --watch --json
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Flag(help: "Go on showing syncs until Ctrl-C.")
    var watch = false

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let meter = ProgressMeter(output: output, title: "Syncing")
        var lines = WholeLines()
        var last: JSON?
        var begun = ContinuousClock.now
        let path = tourPath("sync", query: [("watch", watch ? "true" : nil)])
        try await client.converse(path) { _ in
        } receive: { chunk in
            for line in lines.add(chunk).split(separator: 0x0A) {
                guard let report = try? JSON(parsing: line) else { throw CommandFailure.badAnswer }
                last = report
                if output.json {
                    try output.object(report)
                } else if report.shown("state") == "syncing" {
                    let moved = (report["pulled"]?.integer ?? 0) + (report["pushed"]?.integer ?? 0)
                    if moved == 0 { begun = .now }
                    let pace = SyncPace.words(
                        moved: moved, total: report["total"]?.integer ?? 0, elapsed: begun.duration(to: .now))
                    meter.show(report["percent"]?.integer ?? 0, pace)
                } else {
                    meter.end()
                    if watch { try output.text(sentence(report, output)) }
                }
            }
        }
        guard let last, last.shown("state") != "syncing" else { throw CommandFailure.nodeGone }
        if let problem = last["problem"], let code = problem["code"]?.text {
            throw CommandFailure(code: code, message: problem.shown("message"))
        }
        if !output.json, !watch { try output.text(sentence(last, output)) }
    }

    private func sentence(_ report: JSON, _ output: Output) -> String {
        if let problem = report["problem"]?["message"]?.text { return output.foreign(problem, .yellow) }
        let refused = report["refused"]?.integer ?? 0
        let more = refused > 0 ? "; the server refused \(counted(refused, "event"))" : ""
        return "Synced: \(report.shown("pulled")) received, \(report.shown("pushed")) sent, "
            + "\(report.shown("unsynced")) not on the server\(more)."
    }
}
