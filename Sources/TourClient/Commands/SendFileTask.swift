import TourAPI
import TourJSON
import TourWords

/// Sends a file or a picture.
struct SendFileTask: NodeTask, AboutTour {
    let chosenTour: String?
    let file: FileToSend
    let reply: IDArgument?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let request = try file.json(replyTo: reply?.text)
        let answer = try await PatienceLine.around(Phrase("Preparing \(file.path) …"), output) {
            try await client.call(.POST, tourPath("files"), request)
        }
        guard let sent: SentFile = try output.forPeople(answer) else { return }
        let line = try await SendingWords(sent.id, sent.status).line(in: inTour(client, output))
        let file = FileWords.words(sent.name, size: sent.size, caption: nil)
        try output.text(Phrase([line, file], separator: "  "))
        try AbsenceNote.stored.print(client, output)
    }
}

/// A file on this machine, as the user named it.
package struct FileToSend: Hashable, Sendable {
    /// As typed; it may be relative.
    package var path: String
    /// Whether to prepare and show it as a picture.
    package var isImage: Bool
    /// The sender's words with it; empty: none.
    package var caption: String

    package init(path: String, isImage: Bool, caption: String) {
        self.path = path
        self.isImage = isImage
        self.caption = caption
    }

    /// In the form that the local API takes.
    package func json(replyTo: String? = nil) throws(CommandFailure) -> JSON {
        var members = [
            JSONMember(name: "path", value: .text(try AbsolutePath.of(path))),
            JSONMember(name: "image", value: .flag(isImage)),
        ]
        if !caption.isEmpty { members.append(JSONMember(name: "caption", value: .text(caption))) }
        if let replyTo { members.append(JSONMember(name: "replyTo", value: .text(replyTo))) }
        return .object(members)
    }
}
