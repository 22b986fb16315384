import ArgumentParser
import TourModel
import TourNode
import TourWeb

/// `peers`
struct PeersCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "The nodes this one is linked with, and those it has found.",
        discussion: """
            With --json a line for each link, then one for each candidate (those have a key "instance").

            EXAMPLES
              tour-chat peers
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    var ready: ReadyTask { ReadyTask(setting: global.setting, task: PeersTask(chosenTour: choice.tour)) }
}

/// Shows the links, and who was found.
struct PeersTask: NodeTask {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["peers"], query: [("tour", chosenTour)]))
        let peers = answer["peers"]?.list ?? []
        let candidates = answer["candidates"]?.list ?? []
        if output.json { return try (peers + candidates).forEach(output.object) }
        try show(peers, output)
        try show(candidates: candidates, output)
    }

    private func show(_ peers: [JSON], _ output: Output) throws {
        if peers.isEmpty { return try output.text("No links.") }
        var table = Table(["NAME", "ADDRESS", "DIALLED BY", "STATE", "SINCE", "DATAGRAMS", "QUEUED"])
        for peer in peers {
            let queued = "\(peer.shown("queuedBytes")) B" + (peer["lagging"]?.flag == true ? ", lagging" : "")
            let state = peer.shown("state")
            table.add([
                .init(peer.shown("name"), .bold), .whole("\(peer.shown("address")) port \(peer.shown("port"))"),
                .init(peer.shown("direction") == "out" ? "us" : "them"),
                .init(state, state == "open" ? .green : .yellow),
                .init(Timestamp(peer.shown("since"))?.dateAndTime ?? ""),
                .init(PathWords.toPeer(peer), peer.shown("datagrams") == "blocked" ? .yellow : .plain),
                .init(queued),
            ])
        }
        try output.table(table)
    }

    private func show(candidates: [JSON], _ output: Output) throws {
        guard !candidates.isEmpty else { return }
        try output.text("", "Found by mDNS:")
        var table = Table(["INSTANCE", "ADDRESS", "OUR TOUR"])
        for candidate in candidates {
            table.add([
                .init(candidate.shown("instance")),
                .whole("\(candidate.shown("address")) port \(candidate.shown("port"))"),
                .init(candidate["matches"]?.flag == true ? "yes" : "no"),
            ])
        }
        try output.table(table)
    }
}
