import TourModel
import TourNode
import TourWeb
import TourWords

/// Shares an item of the notebook, or ends that.
struct PublishTask: NodeTask, AboutTour {
    let chosenTour: String?
    let kind: SharedKind
    let id: String
    let isTakingBack: Bool

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer =
            try await isTakingBack
            ? client.call(.DELETE, tourPath("shared", id, query: [("type", kind.word)]))
            : client.call(.POST, tourPath("shared"), ["item": .text(id), "type": .text(kind.word)])
        if output.json { return try output.object(answer) }
        let title = output.foreign(answer.shown("title"), .bold)
        let version = answer["version"]?.integer ?? 1
        if isTakingBack {
            try output.text(Phrase("\(title) is no longer shared."))
        } else {
            try output.text(
                version > 1
                    ? Phrase("Shared with all: \(title), version \(version).") : Phrase("Shared with all: \(title)."))
        }
        try AbsenceNote.stored.print(client, output)
    }
}
