import TourModel
import TourNode
import TourWeb

/// Shares an item of the notebook, or takes it back.
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
            try output.text("\(title) is no longer shared.")
        } else {
            try output.text("Shared with all: \(title)\(version > 1 ? ", version \(version)" : "").")
        }
        try AbsenceNote.stored.print(client, output)
    }
}
