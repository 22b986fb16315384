import ArgumentParser
import TourAPI
import TourJSON
import TourWords

/// `tour recover`
struct TourRecover: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "recover",
        abstract: Phrase("Decide for a tour whose data here is a copy, when too few members come in reach."),
        discussion: Phrase(
            """
            A restored or copied node waits for the others: they hold what was written since. Two of them must have \
            said what they hold, since one alone could hide the last of it; where the tour has only one other member, \
            that one is enough. If they cannot come, you decide. --nothing-since: nothing was written with your key \
            after the copy was made. If that is wrong, \
            others see two histories of you, refuse the later one, and you have to join again. --new-key: your old \
            key is given up, and you join again with a code; whoever made the tour gives up its rights with it. Asks \
            first when at a terminal; elsewhere it wants --yes.

            EXAMPLES
              tour-chat tour recover --nothing-since
              tour-chat tour recover --nothing-since --yes
              tour-chat tour recover --new-key --tour "Rome 2026"
            """))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Nothing was written after the copy was made.")))
    var nothingSince = false
    @Flag(help: ArgumentHelp(Phrase("Give the old key up and join again.")))
    var newKey = false
    @OptionGroup var consent: Consent

    func validate() throws {
        try consent.require(json: global.json, because: Phrase("What is decided here stays so"))
        guard nothingSince != newKey else {
            throw ValidationError(
                Phrase("Say one of --nothing-since and --new-key; 'tour-chat doctor' shows what is amiss."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let tour: TourDetails = try await client.ask(.GET, tourPath())
        let name = output.foreign(tour.name)
        let loss = try await newKey ? RightsLoss(tour, client.ask(.GET, tourPath("members"))) : nil
        let question =
            newKey
            ? Phrase("Give up your key in '\(name)', for good?")
            : Phrase("Was nothing written in '\(name)' after the copy was made?")
        if !consent.isGiven, let loss { try output.text(loss.words) }
        guard try consent.covers(question, output) else { return }
        let answer = try await client.call(
            .POST, tourPath("recovery"), ["way": .text(newKey ? "new-key" : "nothing-since")])
        if output.json { return try output.object(answer) }
        try output.text(
            newKey
                ? Phrase("Given up. Join again with a code: tour-chat join CODE")
                : Phrase("You can write in \(name) again."))
        if consent.isGiven, let loss { try output.text(loss.words) }
    }
}
