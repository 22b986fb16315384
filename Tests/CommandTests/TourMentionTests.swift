import Testing
import TourAPI
import TourClient
import TourJSON

/// Goal: an answer names its tour where more than one could be meant, and only there.
/// Method: lists of tours made by hand.
@Suite struct TourMentionTests {
    @Test func onlyToursThatGoOnCount() throws {
        let going: TourSummary = try answered(["name": "Rome", "active": true])
        let ended: TourSummary = try answered(["name": "Oslo", "active": false])
        #expect(!TourMention.isNeeded(among: []))
        #expect(!TourMention.isNeeded(among: [going, ended, ended]))
        #expect(TourMention.isNeeded(among: [going, ended, going]))
    }
}
