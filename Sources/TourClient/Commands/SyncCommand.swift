import ArgumentParser
import TourAPI
import TourWords

/// `sync`
struct SyncCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: Phrase("Sync a tour with the server now."),
        discussion: Phrase(
            """
            A node with a server syncs by itself: when a network comes up, when something new is there, and every \
            five minutes. This begins a sync at once and waits for its end; with --watch it goes on showing them. With \
            --json a line each time something changes.

            EXAMPLES
              tour-chat sync
              tour-chat sync --watch --json
            """))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Go on showing syncs until Ctrl-C.")))
    var watch = false

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let meter = ProgressMeter(output: output, title: Phrase("Syncing"))
        var begun = ContinuousClock.now
        let path = tourPath("sync", query: [("watch", watch ? "true" : nil)])
        let last: SyncAnswer = try await client.report(path, output) { report in
            if report.state == "syncing" {
                let moved = Int(clamping: report.pulled &+ report.pushed)
                if moved == 0 { begun = .now }
                let pace = SyncPace.words(
                    moved: moved, total: Int(clamping: report.total), elapsed: begun.duration(to: .now))
                meter.show(report.percent, pace)
            } else {
                meter.end()
                if watch { try output.text(sentence(report, output)) }
            }
        }
        guard last.state != "syncing" else { throw CommandFailure.nodeGone }
        if let problem = last.problem { throw CommandFailure(problem) }
        if !output.json, !watch { try output.text(sentence(last, output)) }
    }

    private func sentence(_ report: SyncAnswer, _ output: Output) -> Phrase {
        if let problem = report.problem { return Phrase(verbatim: output.foreign(problem.message, .yellow)) }
        let (pulled, pushed, unsynced, refused) = (report.pulled, report.pushed, report.unsynced, report.refused)
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
