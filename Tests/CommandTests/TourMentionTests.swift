import Testing
import TourCommands
import TourJSON
import TourWeb

/// Goal: an answer names its tour where more than one could be meant, and only there.
/// Method: lists of tours made by hand.
@Suite struct TourMentionTests {
    private static let going: JSON = ["name": "Rome", "active": true]
    private static let ended: JSON = ["name": "Oslo", "active": false]

    @Test func onlyToursThatGoOnCount() {
        #expect(!TourMention.isNeeded(among: []))
        #expect(!TourMention.isNeeded(among: [Self.going, Self.ended, Self.ended]))
        #expect(TourMention.isNeeded(among: [Self.going, Self.ended, Self.going]))
    }

    @Test func aNameDoesNotDriveTheTerminal() {
        #expect(TourMention.name(of: Self.going) == "Rome")
        #expect(!TourMention.name(of: ["name": "\u{1B}[2J"]).unicodeScalars.contains("\u{1B}"))
    }
}
