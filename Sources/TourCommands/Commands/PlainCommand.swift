/// Reads the commands that programs call over and over without the parser of command lines, which takes longer to
/// reflect on itself than such a command takes to be answered. The parser handles everything else, errors included; a
/// test checks that both read plain words alike.
package enum PlainCommand {
    /// - Returns: nil for another command, or words that are not plain.
    package static func read(_ arguments: [String]) -> ReadyTask? {
        let words = arguments.dropFirst()
        switch arguments.first {
        case "send": return send(words)
        case "messages": return messages(words)
        case "status": return aboutTour(words) { StatusTask(chosenTour: $0) }
        case "peers": return aboutTour(words) { PeersTask(chosenTour: $0) }
        case "files": return aboutTour(words) { FilesTask(chosenTour: $0) }
        case "members": return aboutTour(words) { MembersTask(chosenTour: $0, here: nil) }
        default: return nil
        }
    }

    private static func send(_ words: ArraySlice<String>) -> ReadyTask? {
        let options = ["--tour", "--reply", "--file", "--image", "--caption"]
        guard let plain = PlainWords(words, options: options) else { return nil }
        var id: IDArgument?
        if let reply = plain.value(of: "--reply") {
            id = IDArgument(reply)
            if id == nil { return nil }
        }
        let files = [plain.value(of: "--file"), plain.value(of: "--image")].compactMap(\.self)
        guard files.count + plain.texts.count == 1 else { return nil }
        let tour = plain.value(of: "--tour")
        let caption = plain.value(of: "--caption")
        if let path = files.first {
            let file = FileToSend(path: path, isImage: plain.value(of: "--image") != nil, caption: caption ?? "")
            return ReadyTask(setting: plain.setting, task: SendFileTask(chosenTour: tour, file: file, reply: id))
        }
        guard caption == nil else { return nil }
        return ReadyTask(setting: plain.setting, task: SendTask(chosenTour: tour, text: plain.texts[0], reply: id))
    }

    private static func messages(_ words: ArraySlice<String>) -> ReadyTask? {
        let options = ["--tour", "--since", "--limit", "--search"]
        guard let plain = PlainWords(words, options: options, flags: ["--follow", "--mark-read"]), plain.texts.isEmpty
        else { return nil }
        var id: IDArgument?
        if let since = plain.value(of: "--since") {
            id = IDArgument(since)
            if id == nil { return nil }
        }
        var number: Int?
        if let limit = plain.value(of: "--limit") {
            number = Int(limit)
            guard let number, number >= 1 else { return nil }
        }
        let task = MessagesTask(
            chosenTour: plain.value(of: "--tour"), follow: plain.has("--follow"), since: id, limit: number,
            search: plain.value(of: "--search"), markRead: plain.has("--mark-read"))
        return ReadyTask(setting: plain.setting, task: task)
    }

    /// A command with no other arguments than every command about a tour.
    private static func aboutTour(_ words: ArraySlice<String>, _ task: (String?) -> any NodeTask) -> ReadyTask? {
        guard let plain = PlainWords(words, options: ["--tour"]), plain.texts.isEmpty else { return nil }
        return ReadyTask(setting: plain.setting, task: task(plain.value(of: "--tour")))
    }
}
