import ArgumentParser
import TourJSON
import TourWords

/// `sync`
struct SyncCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: Phrase("Sync a tour with the server now.").text,
        discussion: Phrase(
            """
            A node with a server syncs by itself: when a network comes up, when something new is there, and every \
            five minutes. This begins a sync at once and waits for its end; with --watch it goes on showing them. With \
            --json a line each time something changes.

            EXAMPLES
              tour-chat sync
              tour-chat sync --watch --json
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Go on showing syncs until Ctrl-C.")))
    var watch = false

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let meter = ProgressMeter(output: output, title: Phrase("Syncing"))
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
        if let failure = CommandFailure(problem: last["problem"]) { throw failure }
        if !output.json, !watch { try output.text(sentence(last, output)) }
    }

    private func sentence(_ report: JSON, _ output: Output) -> Phrase {
        if let problem = report["problem"]?["message"]?.text {
            return Phrase(verbatim: output.foreign(problem, .yellow))
        }
        let (pulled, pushed) = (report.shown("pulled"), report.shown("pushed"))
        let unsynced = report.shown("unsynced")
        let refused = report["refused"]?.integer ?? 0
        guard refused > 0 else {
            return Phrase("Synced: \(pulled) received, \(pushed) sent, \(unsynced) not on the server.")
        }
        return Phrase(
            refused,
            one: """
                Synced: \(pulled) received, \(pushed) sent, \(unsynced) not on the server; the server refused \
                \(refused) event.
                """,
            other: """
                Synced: \(pulled) received, \(pushed) sent, \(unsynced) not on the server; the server refused \
                \(refused) events.
                """)
    }
}
