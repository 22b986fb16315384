import ArgumentParser
import TourJSON
import TourModel
import TourNode
import TourWeb
import TourWords

/// `peers`
struct PeersCommand: TaskCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: Phrase("The nodes this one is linked with, and those it has found.").text,
        discussion: Phrase(
            """
            With --json a line for each link, then one for each candidate (those have a key "instance").

            EXAMPLES
              tour-chat peers
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice

    var task: any NodeTask { PeersTask(chosenTour: choice.tour) }
}

/// Shows the links, and the nodes that were discovered.
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
        if peers.isEmpty { return try output.text(Phrase("No links.")) }
        var table = Table([
            Phrase("NAME"), Phrase("ADDRESS"), Phrase("DIALLED BY"), Phrase("STATE"), Phrase("SINCE"),
            Phrase("DATAGRAMS"), Phrase("QUEUED"),
        ])
        for peer in peers {
            let queued = Phrase("\(peer.shown("queuedBytes")) B")
            let isLagging = peer["lagging"]?.flag == true
            let state = peer.shown("state")
            table.add([
                .init(peer.shown("name"), .bold), .whole(address(peer)),
                .init(peer.shown("direction") == "out" ? Phrase("us") : Phrase("them")),
                .init(StatusWords.link(state), state == "open" ? .green : .yellow),
                .init(Timestamp(peer.shown("since"))?.dateAndTime ?? ""),
                .init(PathWords.toPeer(peer), peer.shown("datagrams") == "blocked" ? .yellow : .plain),
                .init(isLagging ? Phrase("\(queued), lagging") : queued),
            ])
        }
        try output.table(table)
    }

    private func address(_ peer: JSON) -> String {
        Phrase("\(peer.shown("address")) port \(peer.shown("port"))").text
    }

    private func show(candidates: [JSON], _ output: Output) throws {
        guard !candidates.isEmpty else { return }
        try output.text(.empty, Phrase("Found by mDNS:"))
        var table = Table([Phrase("INSTANCE"), Phrase("ADDRESS"), Phrase("OUR TOUR")])
        for candidate in candidates {
            table.add([
                .init(candidate.shown("instance")), .whole(address(candidate)),
                .init(candidate["matches"]?.flag == true ? Phrase("yes") : Phrase("no")),
            ])
        }
        try output.table(table)
    }
}
