import ArgumentParser
import Testing
import TourClient
import TourCommands

/// Goal: an option that would not be obeyed is refused, and what cannot be undone wants a word where nobody is asked.
/// Method: command lines, parsed as the program parses them.
@Suite struct UsageTests {
    private static func isRefused(_ words: [String]) -> Bool {
        do {
            _ = try TourChat.parseAsRoot(words)
            return false
        } catch {
            return TourChat.exitCode(for: error) == .validationFailure
        }
    }

    @Test(arguments: [
        "run", "join CODE", "join --nearby marble canoe --yes", "join --digits 12345678", "join 1234-5678", "name Anna",
        "doctor", "tour create Rome", "tour list", "tour use Rome", "backup file",
        "restore file", "wipe --yes", "lock", "unlock", "passphrase set",
        "login --email anna@tours.example", "login --email anna@tours.example --forgot --code 123456",
        "account", "account phone +905321234567 --code 123456", "account email anna@tours.example",
        "account end 3fa2c1", "account end --others", "account totp on", "account totp off --second-factor 123456",
        "account totp codes", "account export account.tar", "account password",
        "account organisation", "account organisation create Tours", "account organisation invite a@b.example",
        "account organisation accept --organisation 3 --code ABCD", "account organisation leave --yes",
        "account organisation share Rome", "account organisation handover Rome 17 --organisation Tours",
        "login --phone +905321234567 --code 123456", "logout", "page",
        "page tour-chat://join/X", "page --start", "desktop install", "desktop remove", "run --notify announcements",
    ])
    func whatIsAboutEverythingTakesNoTour(line: String) {
        let words = line.split(separator: " ").map { String($0) }
        #expect(!Self.isRefused(words))
        #expect(Self.isRefused(words + ["--tour", "Rome"]))
        #expect(Self.isRefused(GlobalArguments.normalized(["--tour", "Rome"] + words)))
    }

    @Test(arguments: [
        "chat", "send hello", "announce hello", "messages", "receipts 3fa2c1", "delete 3fa2c1", "export --format html",
        "status", "peers", "members", "role Ben guide", "remove Ben --yes", "tour show", "tour rename Oslo",
        "tour invite", "tour successor Ben --yes", "tour leave --yes", "tour close --yes",
        "tour recover --new-key --yes", "sync", "sync --watch", "archive invite --yes", "archive remove --yes",
        "send --file a", "send --image a --caption hello", "files", "files --fetch 3fa2c1", "save 3fa2c1 dir",
        "tour asks --follow", "tour admit amber falcon", "tour refuse 7", "tour asking off", "tour read-out --uses 30",
        "open 3fa2c1 --timeout 5m", "meet 1,2 Here --photo a.jpg",
    ])
    func whatIsAboutOneTourTakesIt(line: String) {
        let words = line.split(separator: " ").map { String($0) }
        #expect(!Self.isRefused(words + ["--tour", "Rome"]))
        #expect(!Self.isRefused(GlobalArguments.normalized(["--tour", "Rome"] + words)))
    }

    @Test(arguments: [
        "wipe", "remove Ben", "tour successor Ben", "tour leave", "tour close", "tour recover --nothing-since",
        "archive invite", "archive remove", "join --nearby", "account organisation leave",
        "account organisation remove 17", "account organisation end",
    ])
    func whatCannotBeUndoneWantsAWord(line: String) {
        // A program that wants JSON is asked nothing.
        let words = line.split(separator: " ").map { String($0) } + ["--json"]
        #expect(Self.isRefused(words))
        #expect(!Self.isRefused(words + ["--yes"]))
    }

    @Test(arguments: [
        ["Gate 14h30"], ["Gate", "17h"], ["Gate", "Bring bags at 5:30 pm"], ["--at", "17 Uhr", "Gate"],
        ["Gate 14h30", "Bring bags"], ["--stop", "Louvre", "17h"], ["gps,Tower", "Here at 14:00"],
        ["Gate 5h", "--at", "17:00"],
    ])
    func aMeetingHasTheTimeThatWasWritten(words: [String]) {
        #expect(!Self.isRefused(["meet"] + words))
    }

    @Test(arguments: [
        ["14h30"], ["half past five"], ["Gate 5h"], ["Gate", "at 5"], ["Gate", "Bring bags, noon"],
        ["--at", "5h", "Gate"],
        ["Gate 14:00 or 15:00"], ["Gate tomorrow 9:00", "Bring bags"], ["--stop", "Louvre", "half past 5"],
        ["gps", "14h30"], ["gps,Tower", "14 h 30 min"], ["17h Gate"],
    ])
    func aMeetingHasNoOtherTimeThanTheOneThatWasWritten(words: [String]) {
        #expect(Self.isRefused(["meet"] + words))
    }

    /// Help with status 0 would look as if the text had been sent. All commands: each takes words, or has to refuse.
    @Test(arguments: TourChat.commandWords.filter { $0 != "help" })
    func aTextWithADashIsNeverHelp(command: String) {
        let texts = [
            "-5 degrees tonight", "-5 degrees", "-the 5th", "-help us", "-help", "- three hours", "-hotel", "-h5",
            "-1h",
            "-h 2", "--helpful", "--the 5th", "--help us", "---h", "-version h", "-ch",
        ]
        let words = command.split(separator: " ").map { String($0) }
        for text in texts {
            #expect(Self.isRefused(GlobalArguments.normalized(words + [text])), "\(text)")
            #expect(Self.isRefused(GlobalArguments.normalized(words + ["x", text])), "x \(text)")
        }
    }

    @Test(arguments: [
        ["send", "--location", "-33.8,151.2,By the harbour"], ["send", "--location=-33.8,151.2,The harbour"],
        ["places", "add", "Harbour", "--at", "-33.8,151.2"], ["send", "--", "-5 degrees tonight"],
        ["announce", "--", "-h"], ["roll", "call", "--", "-the bus"], ["name", "--", "-hans"],
        ["send", "\u{2212}5 degrees tonight"], ["send", "–the bus"], ["send", "-\u{301}h"],
    ])
    func aTextWithADashIsTakenWhereItMayStand(words: [String]) {
        #expect(Self.isHelp(words) == false)
    }

    @Test(arguments: [["-h"], ["send", "-h"], ["tour", "create", "-h"], ["send", "x", "--help"], ["--json", "-h"]])
    func helpIsShownToThoseWhoAskForIt(words: [String]) {
        #expect(Self.isHelp(words) == true)
    }

    /// Nil: the words are refused. All commands but the parser's help are asynchronous.
    private static func isHelp(_ words: [String]) -> Bool? {
        (try? TourChat.parseAsRoot(GlobalArguments.normalized(words))).map { !($0 is any AsyncParsableCommand) }
    }

    @Test(arguments: ["backup file", "export --format csv --out file", "tour invite --png file"])
    func whatWritesAFileTakesForce(line: String) {
        #expect(!Self.isRefused(line.split(separator: " ").map { String($0) } + ["--force"]))
    }

    @Test(arguments: [
        "login", "login --email a@b.example --phone 1", "login --email a@b.example --code 1",
        "login --phone 1 --password-file f", "login --email a@b.example --forgot --password-file f",
        "login --email a@b.example --new-password-file f", "account end", "account end 3fa --others",
        "account email", "account phone", "account export", "account organisation create",
        "account organisation accept --code ABCD", "account organisation accept --code ABCD --organisation Tours",
        "account organisation role 17", "account organisation role 17 creator", "account organisation withdraw x",
        "login --phone 1 --server tours.example", "run --mailbox tours.example",
        "run --mailbox-ca file", "login --phone 1 --server off",
    ])
    func whatCannotBeMeantOfAServerIsRefused(line: String) {
        #expect(Self.isRefused(line.split(separator: " ").map { String($0) }))
    }

    @Test(arguments: [
        "send", "send hello --file a", "send --file a --image b", "send --location 1,2 --image b",
        "send hello --caption x", "send --caption x", "files --fetch 3fa2c1 --drop 3fa2c1", "files --fetch 3fa",
        "files 3fa2c1", "save", "save 3fa", "save 3fa2c1 --timeout 0s", "save 3fa2c1 a b", "open", "open 3fa2c1 dir",
        "meet --photo a.jpg", "run --files sometimes", "run --files",
    ])
    func whatCannotBeMeantOfAFileIsRefused(line: String) {
        #expect(Self.isRefused(line.split(separator: " ").map { String($0) }))
    }

    @Test func anEmptyNameIsNoFile() {
        #expect(Self.isRefused(["send", "--file", ""]) && Self.isRefused(["send", "--image", ""]))
    }

    @Test(arguments: [
        "run --files small", "run --files always", "run --files ask", "run --files wifi-only", "save 3fa2c1",
    ])
    func whatIsFetched(line: String) {
        #expect(!Self.isRefused(line.split(separator: " ").map { String($0) }))
    }

    @Test(arguments: ["run --mailbox off", "run --mailbox https://tours.example --mailbox-ca file"])
    func serverOfANode(line: String) {
        #expect(!Self.isRefused(line.split(separator: " ").map { String($0) }))
    }
}
