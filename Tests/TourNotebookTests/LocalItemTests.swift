import Testing
import TourModel
import TourNotebook

/// Goal: an item on a device goes from edit to edit and from answer to answer by the rules, and nothing that somebody
/// wrote is forgotten on the way. Method: one item, each kind of answer, with and without an edit since it went out.
struct LocalItemTests {
    private static let id = NotebookID(high: 1, low: 2)

    private static func note(_ text: String) -> NotebookContent { .note(Note(title: "title", content: text)) }

    private static func served(_ text: String, _ version: Int64) -> NotebookItem {
        NotebookItem(id: id, content: note(text), version: version, createdAt: 10, updatedAt: 20)
    }

    /// One that the server has in this version.
    private static func synced(_ text: String, _ version: Int64) throws -> LocalItem {
        try #require(LocalItem(served(text, version)))
    }

    private static func edited(_ text: String, from version: Int64) throws -> LocalItem {
        var local = try synced("old", version)
        local.edit(note(text), now: 30)
        local.sent = local.version
        return local
    }

    @Test func editsCountUpFromWhatTheServerHas() throws {
        var local = try Self.synced("old", 4)
        #expect(!local.isPending && local.base == 4)
        local.edit(Self.note("old"), now: 30)
        #expect(!local.isPending && local.version == 4)
        local.edit(Self.note("new"), now: 30)
        local.edit(Self.note("newer"), now: 31)
        #expect(local.isPending && local.version == 6 && local.base == 4 && local.updatedAt == 31)
        local.edit(.stop(Stop(title: "another kind")), now: 32)
        #expect(local.content == Self.note("newer"))
    }

    @Test func whatNobodyHeardOfIsForgottenWhenItIsDeleted() throws {
        var local = LocalItem(new: Self.note("new"), id: Self.id, now: 30)
        #expect(local.isPending && local.version == 1 && local.base == 0)
        var unsent = local
        let isRemembered = unsent.delete(now: 31)
        #expect(!isRemembered)
        // It went out, whatever became of it.
        local.sent = 1
        let isTold = local.delete(now: 31)
        #expect(isTold && local.isDeleted && local.isPending && local.version == 2 && local.base == 0)
    }

    @Test func storedAsItWasSent() throws {
        var local = try Self.edited("mine", from: 4)
        local.settle(.stored, sent: Self.note("mine"), version: 5)
        #expect(!local.isPending && local.version == 5 && local.base == 5)
        var again = try Self.edited("mine", from: 4)
        again.edit(Self.note("mine again"), now: 31)
        again.settle(.stored, sent: Self.note("mine"), version: 5)
        #expect(again.isPending && again.version == 6 && again.base == 5)
        #expect(again.content == Self.note("mine again"))
    }

    @Test func overruledTakesTheServersVersion() throws {
        var local = try Self.edited("mine", from: 4)
        local.settle(.held(Self.served("theirs", 7)), sent: Self.note("mine"), version: 5)
        #expect(!local.isPending && local.version == 7 && local.content == Self.note("theirs"))
        // What was written since is not lost with what went out: it is sent above the server's version, as an edit that
        // has not seen it.
        var again = try Self.edited("mine", from: 4)
        again.edit(Self.note("mine again"), now: 31)
        again.settle(.held(Self.served("theirs", 7)), sent: Self.note("mine"), version: 5)
        #expect(again.isPending && again.version == 8 && again.base == 4)
        #expect(again.content == Self.note("mine again"))
    }

    @Test func theSameContentUnderAnotherVersionIsSeen() throws {
        var local = try Self.edited("mine", from: 4)
        local.edit(Self.note("mine again"), now: 31)
        local.settle(.held(Self.served("mine", 9)), sent: Self.note("mine"), version: 5)
        #expect(local.isPending && local.version == 10 && local.base == 9)
    }

    @Test func deletedMeanwhileStaysDeleted() throws {
        var local = try Self.edited("mine", from: 4)
        local.settle(.deleted, sent: Self.note("mine"), version: 5)
        #expect(local.isDeleted && !local.isPending)
        // What was written since goes to the server, which keeps it.
        var again = try Self.edited("mine", from: 4)
        again.edit(Self.note("mine again"), now: 31)
        again.settle(.deleted, sent: Self.note("mine"), version: 5)
        #expect(again.isPending && again.content == Self.note("mine again"))
        again.settle(.deleted, sent: Self.note("mine again"), version: 6)
        #expect(again.isDeleted && !again.isPending)
    }

    @Test func refusedStaysWithItsReason() throws {
        var local = try Self.edited("mine", from: 4)
        local.settle(.refused("no room"), sent: Self.note("mine"), version: 5)
        #expect(local.isPending && local.problem == "no room")
        local.edit(Self.note("shorter"), now: 31)
        #expect(local.problem == nil)
        local.settle(.refused("no room"), sent: Self.note("mine"), version: 5)
        #expect(local.problem == nil)
    }

    @Test func deletionsSettleUnlessItCameBack() throws {
        var local = try Self.synced("old", 4)
        _ = local.delete(now: 30)
        var revived = local
        local.settle(.stored, sent: nil, version: 5)
        #expect(local.isDeleted && !local.isPending)
        revived.edit(Self.note("after all"), now: 31)
        revived.settle(.stored, sent: nil, version: 5)
        #expect(revived.isPending && revived.content == Self.note("after all"))
    }

    @Test func whatComesIsTakenUnlessSomethingWaits() throws {
        var local = try Self.synced("old", 4)
        local.apply(Self.served("theirs", 5))
        #expect(local.version == 5 && local.content == Self.note("theirs") && local.updatedAt == 20)
        var edited = try Self.edited("mine", from: 4)
        edited.apply(Self.served("theirs", 9))
        #expect(edited.isPending && edited.content == Self.note("mine") && edited.base == 4)
        edited.applyDeletion()
        #expect(edited.content == Self.note("mine"))
        // The answer to it was lost, and here it comes back.
        edited.apply(Self.served("mine", 5))
        #expect(!edited.isPending && edited.base == 5)
        local.applyDeletion()
        #expect(local.isDeleted && !local.isPending)
    }

    @Test func aServerThatFellBackIsToldAgain() throws {
        var local = try Self.synced("new", 6)
        local.apply(Self.served("old", 4))
        #expect(local.isPending && local.content == Self.note("new"))
        var deleted = try Self.synced("old", 4)
        deleted.applyDeletion()
        deleted.apply(Self.served("old", 4))
        #expect(deleted.isDeleted && deleted.isPending)
    }

    @Test func whatNoServerSendsIsPassedOver() throws {
        var local = try Self.synced("old", 4)
        local.apply(Self.served("theirs", LocalItem.versionMax + 1))
        local.apply(Self.served("theirs", -1))
        local.apply(
            NotebookItem(
                id: Self.id, content: .note(Note(title: " ", content: "")), version: 9, createdAt: 0, updatedAt: 0))
        local.apply(
            NotebookItem(
                id: Self.id, content: .stop(Stop(title: "another kind")), version: 9, createdAt: 0, updatedAt: 0))
        #expect(local.version == 4 && local.content == Self.note("old") && !local.isPending)
        #expect(LocalItem(Self.served("theirs", 0)) == nil)
    }

    @Test func anUploadAddsItsAddressToWhatWasWrittenSince() throws {
        let address = "https://tours.example" + PlaceFile(id: NotebookID(high: 7, low: 7)).path
        let sent = SavedPlace(title: "place")
        var stored = sent
        stored.imageURLs = [address]
        let before = NotebookItem(id: Self.id, content: .place(sent), version: 3, createdAt: 1, updatedAt: 1)
        let after = NotebookItem(id: Self.id, content: .place(stored), version: 4, createdAt: 1, updatedAt: 1)
        var untouched = try #require(LocalItem(before))
        var edited = untouched
        untouched.settle(upload: after, sent: before.content, version: 3)
        #expect(untouched.content == after.content && untouched.version == 4 && !untouched.isPending)
        edited.edit(.place(SavedPlace(title: "renamed")), now: 30)
        edited.settle(upload: after, sent: before.content, version: 3)
        #expect(edited.content == .place(SavedPlace(title: "renamed", imageURLs: [address])))
        #expect(edited.isPending && edited.base == 4 && edited.version == 5)
    }
}
