import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourWords

/// `peers`
struct PeersCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: Phrase("The nodes this one is linked with, and those it has found."),
        discussion: Phrase(
            """
            With --json a line for each link, then one for each candidate (those have a key "instance").

            EXAMPLES
              tour-chat peers
            """))

    @OptionGroup var choice: TourChoice

    var task: any NodeTask { PeersTask(chosenTour: choice.tour) }
}

/// Shows the links, and the nodes that were discovered.
struct PeersTask: NodeTask {
    let chosenTour: String?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["peers"], query: [("tour", chosenTour)]))
        if output.json {
            return try ["peers", "candidates"].flatMap { answer[$0]?.list ?? [] }.forEach(output.object)
        }
        let peers = try Peers(answer: answer)
        try show(peers.peers, output)
        try show(candidates: peers.candidates, output)
    }

    private func show(_ peers: [Peers.Link], _ output: Output) throws {
        let head = [
            Phrase("NAME"), Phrase("ADDRESS"), Phrase("DIALLED BY"), Phrase("STATE"), Phrase("SINCE"),
            Phrase("DATAGRAMS"), Phrase("QUEUED"),
        ]
        try output.table(peers, head, none: Phrase("No links.")) { peer in
            let queued = Phrase("\(peer.queuedBytes) B")
            return [
                .init(peer.name, .bold), .whole(address(peer.address, peer.port)),
                .init(peer.direction == "out" ? Phrase("us") : Phrase("them")),
                .init(StatusWords.link(peer.state), peer.state == "open" ? .green : .yellow),
                .moment(peer.since),
                .init(PathWords.toPeer(peer), peer.datagrams == "blocked" ? .yellow : .plain),
                .init(peer.lagging ? Phrase("\(queued), lagging") : queued),
            ]
        }
    }

    private func address(_ host: String, _ port: Int) -> String {
        Phrase("\(host) port \(String(port))").text
    }

    private func show(candidates: [Peers.Seen], _ output: Output) throws {
        guard !candidates.isEmpty else { return }
        try output.text(.empty, Phrase("Found by mDNS:"))
        try output.table(candidates, [Phrase("INSTANCE"), Phrase("ADDRESS"), Phrase("OUR TOUR")]) { candidate in
            [
                .init(candidate.instance), .whole(address(candidate.address, candidate.port)),
                .init(candidate.matches ? Phrase("yes") : Phrase("no")),
            ]
        }
    }
}
