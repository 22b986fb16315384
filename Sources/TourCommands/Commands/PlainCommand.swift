import ArgumentParser

/// The commands that programs call over and over, read without the parser of all command lines, which takes longer to
/// look at itself than the rest of such a command takes. It judges what is not plain, errors among it; that both read
/// the same from what is plain is tested.
package enum PlainCommand {
    /// - Returns: nil for another command, or words that are not plain.
    package static func read(_ arguments: [String]) -> (any AsyncParsableCommand)? {
        let words = arguments.dropFirst()
        switch arguments.first {
        case "send": return SendCommand.read(words)
        case "messages": return MessagesCommand.read(words)
        case "status": return StatusCommand.read(words)
        case "peers": return PeersCommand.read(words)
        case "members": return MembersCommand.read(words)
        default: return nil
        }
    }
}

extension SendCommand {
    fileprivate static func read(_ words: ArraySlice<String>) -> SendCommand? {
        guard let plain = PlainWords(words, options: ["--tour", "--reply"]), plain.texts.count == 1 else { return nil }
        var command = SendCommand()
        command.global = plain.global
        command.choice = plain.choice
        command.text = plain.texts[0]
        command.reply = nil
        if let reply = plain.value(of: "--reply") {
            guard let id = IDArgument(reply) else { return nil }
            command.reply = id
        }
        return command
    }
}

extension MessagesCommand {
    fileprivate static func read(_ words: ArraySlice<String>) -> MessagesCommand? {
        let options = ["--tour", "--since", "--limit", "--search"]
        guard let plain = PlainWords(words, options: options, flags: ["--follow", "--mark-read"]), plain.texts.isEmpty
        else { return nil }
        var command = MessagesCommand()
        command.global = plain.global
        command.choice = plain.choice
        command.follow = plain.has("--follow")
        command.markRead = plain.has("--mark-read")
        command.search = plain.value(of: "--search")
        command.since = nil
        if let since = plain.value(of: "--since") {
            guard let id = IDArgument(since) else { return nil }
            command.since = id
        }
        command.limit = nil
        if let limit = plain.value(of: "--limit") {
            guard let number = Int(limit), number >= 1 else { return nil }
            command.limit = number
        }
        return command
    }
}

/// A command that takes nothing but what every command about a tour takes.
private protocol BareCommand: CommandInTour {
    var global: GlobalOptions { get set }
    var choice: TourChoice { get set }
}

extension StatusCommand: BareCommand {}
extension PeersCommand: BareCommand {}
extension MembersCommand: BareCommand {}

extension BareCommand {
    fileprivate static func read(_ words: ArraySlice<String>) -> Self? {
        guard let plain = PlainWords(words, options: ["--tour"]), plain.texts.isEmpty else { return nil }
        var command = Self()
        command.global = plain.global
        command.choice = plain.choice
        return command
    }
}
