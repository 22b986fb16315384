import Testing
import TourAPI
import TourModel
import TourNode
import TourNodeWords
import TourPresentation
import TourWords

/// Goal: people read who came and went, and by whom. Method: changes as values, and their sentences.
@Suite struct TourNoteWordsTests {
    @Test(
        arguments: [
            (.joined("Ben"), "Ben has joined."), (.manyJoined(9), "9 members have joined."),
            (.left("Carla"), "Carla has left."), (.removed("Ben", by: "Anna"), "Ben was removed by Anna."),
            (.removed("Ben", by: nil), "Ben was removed."), (.removedByUs("Ben"), "Ben was removed by you."),
            (.role("Ben", .rank(.admin)), "The role of Ben is admin now."),
            (.ownRole(.successor), "Your role is successor now."),
            (
                .ownRemoval("Walk", by: "Anna"),
                "You were removed from “Walk” by Anna. Ask a guide for a new code."
            ), (.closed("Walk"), "“Walk” is closed: nothing can be written."),
            (.straggler("Ben", minutes: 1, lastPlace: nil), "Ben has been out of reach for 1 minute."),
        ] as [(TourChange, String)])
    func changesAreSentences(change: TourChange, words: String) {
        #expect(change.phrase.english == words)
    }

    @Test func actsThatDoNotCountAreSaid() {
        #expect(VoidedAct.removal("Ben").phrase.english.hasPrefix("Your removal of Ben does not count"))
        #expect(VoidedAct.role(.guide, "Ben").phrase.english.hasPrefix("The role guide that you gave Ben"))
    }

    @Test func momentsAreSentences() {
        func words(_ moment: NodeMoment) -> String { moment.phrase(on: NamedSurface()).english }
        #expect(words(.locked).contains("[unlock]") && words(.twin("Walk")).contains("[doctor]"))
        #expect(words(.linked("Ben", tour: "Walk")) == "Linked with Ben in “Walk”.")
        #expect(words(.alone("Walk", seeksOthers: true)).contains("looking for the others"))
        #expect(words(.member(.left("Carla"))) == "Carla has left.")
    }
}
