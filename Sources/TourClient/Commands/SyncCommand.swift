import ArgumentParser
import TourAPI
import TourJSON
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
            --json a line each time something changes. Where there is an account and no tour, the notebook is synced.

            EXAMPLES
              tour-chat sync
              tour-chat sync --watch --json
            """))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Go on showing syncs until Ctrl-C.")))
    var watch = false

    var absence: NodeAccess.Absence { .online }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        do { try await syncTour(client, output) } catch let noTour as CommandFailure where noTour.code == "no-tour" {
            try await syncNotebook(client, output, insteadOf: noTour)
        }
    }

    /// - Parameter noTour: why no tour is synced, which is told where there is no account either.
    private func syncNotebook(
        _ client: LocalClient, _ output: Output, insteadOf noTour: CommandFailure
    ) async throws {
        let answer: JSON
        do { answer = try await client.call(.POST, LocalPath.make(["notebook", "sync"])) } catch let failure
            as CommandFailure where ["no-mailbox", "mailbox-unauthenticated"].contains(failure.code)
        {
            throw noTour
        }
        try output.done(answer, Phrase("There is no tour yet; the notebook is synced."))
    }

    private func syncTour(_ client: LocalClient, _ output: Output) async throws {
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
