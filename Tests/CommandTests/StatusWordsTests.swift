import Testing
import TourClient
import TourWords

/// Goal: numbers stand beside the form of the noun that belongs to them.
/// Method: one and several, in languages that tell them apart.
@Suite struct StatusWordsTests {
    @Test func membersAreCounted() {
        #expect(StatusWords.standing(of: "Rome", members: 1).english == "Tour Rome, 1 member.")
        #expect(StatusWords.standing(of: "Rome", members: 2).english == "Tour Rome, 2 members.")
        #expect(StatusWords.standing(of: "Rom", members: 1).said(in: .german) == "Tour Rom, 1 Mitglied.")
        #expect(StatusWords.standing(of: "Rom", members: 3).said(in: .german) == "Tour Rom, 3 Mitglieder.")
    }
}
