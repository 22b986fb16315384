import ArgumentParser
import TourAPI
import TourCode
import TourJSON
import TourModel
import TourWords

/// `seats`
struct SeatsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "seats",
        abstract: Phrase("Let guests in: phones without the program, by a QR code and their browser."),
        discussion: Phrase(
            """
            A guest scans the code, says a name, and is a member as any other. This device writes and reads for its \
            guests: it keeps their keys while they are with it, and everybody sees a guest with the device that it is \
            with. So only guides let guests in, and those whom a guide allows it. The guests' phones must be in the \
            same network, or in that of 'tour-chat hotspot on'.

            EXAMPLES
              tour-chat seats on
              tour-chat seats on --max 60
              tour-chat seats
              tour-chat seats status --qr
              tour-chat seats renew --uses 10 --hours 2
              tour-chat seats renew --since 20m
              tour-chat seats allow Ben
              tour-chat seats deny Ben
              tour-chat seats off
            """),
        subcommands: [
            SeatsStatus.self, SeatsOn.self, SeatsOff.self, SeatsRenew.self, SeatsAllow.self, SeatsDeny.self,
        ],
        defaultSubcommand: SeatsStatus.self)
}

/// `seats status`
struct SeatsStatus: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: Phrase("Show whether guests may come in, and who is here."))

    @OptionGroup var choice: TourChoice
    @Flag(help: ArgumentHelp(Phrase("Also show the code that lets guests in.")))
    var qr = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        guard let seats: SeatsView = try await output.forPeople(client.call(.GET, tourPath("seats"))) else { return }
        if qr { try SeatsWords.showCode(seats, output) }
        try SeatsWords.show(seats, output)
    }
}

/// `seats on`
struct SeatsOn: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: Phrase("Let guests in, and show the code for them."))

    @OptionGroup var choice: TourChoice
    @Option(
        help: ArgumentHelp(
            Phrase("The most guests at a time, 1 to 200 (default: as before, at first 30)."), valueName: "n"))
    var max: Int?

    var absence: NodeAccess.Absence { .refuse }
    /// How often to look whether the door for guests is open by now.
    private static let looksMax = 12

    func validate() throws {
        if let max, !(1...200).contains(max) {
            throw ValidationError(Phrase("--max wants a number from 1 to 200."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var order = [JSONMember(name: "on", value: true)]
        if let max { order.append(JSONMember(name: "max", value: .number(String(max)))) }
        var answer = try await client.call(.PUT, tourPath("seats"), .object(order))
        var looks = 0
        while try SeatsView(answer: answer).link == nil, looks < Self.looksMax {
            try await Task.sleep(for: .milliseconds(250))
            answer = try await client.call(.GET, tourPath("seats"))
            looks += 1
        }
        guard let seats: SeatsView = try output.forPeople(answer) else { return }
        try SeatsWords.showCode(seats, output)
        try SeatsWords.show(seats, output)
        try output.text(
            Phrase("This device writes and reads for its guests: it must be on and near them."),
            Phrase("'tour-chat seats off' ends that."))
    }
}

/// `seats off`
struct SeatsOff: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "off",
        abstract: Phrase("Let no guests in any more; those who are here go on at another device, if there is one."))

    @OptionGroup var choice: TourChoice

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.PUT, tourPath("seats"), ["on": false])
        try output.done(answer, Phrase("This device lets no guests in any more."))
    }
}

/// `seats renew`
struct SeatsRenew: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "renew",
        abstract: Phrase("Make a new code; the old one lets nobody in any more, and guests who are in stay."))

    @OptionGroup var choice: TourChoice
    @Option(help: ArgumentHelp(Phrase("How many it lets in, 1 to 1000 (default: 30)."), valueName: "n"))
    var uses: Int?
    @Option(
        help: ArgumentHelp(
            Phrase("How many hours it is good, 1 to 720, if the tour does not end before (default: 720)."),
            valueName: "n"))
    var hours: Int?
    @Option(
        help: ArgumentHelp(
            Phrase("Guests who came to this device since then are out. So long ago, or when: 20m, 14:30."),
            valueName: "when"))
    var since: PastArgument?
    @OptionGroup var consent: Consent

    var absence: NodeAccess.Absence { .refuse }

    func validate() throws {
        if let uses, !(1...1_000).contains(uses) {
            throw ValidationError(Phrase("--uses wants a number from 1 to 1000."))
        }
        if let hours, !(1...720).contains(hours) {
            throw ValidationError(Phrase("--hours wants a number from 1 to 720."))
        }
        if since != nil { try consent.require(json: global.json, because: Phrase("A removal is for good")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let since {
            let time = since.moment.dateAndTime
            let question = Phrase("Take out for good all guests who came to this device since \(time)?")
            guard try consent.covers(question, output) else { return }
        }
        var order = [JSONMember]()
        if let uses { order.append(JSONMember(name: "uses", value: .number(String(uses)))) }
        if let hours { order.append(JSONMember(name: "seconds", value: .number(String(hours * 3_600)))) }
        let path = tourPath("seats", "pass", query: [("since", since?.moment.text)])
        let answer = try await client.call(.POST, path, .object(order))
        guard let seats: SeatsView = try output.forPeople(answer) else { return }
        try SeatsWords.showCode(seats, output)
        try SeatsWords.show(seats, output)
    }
}

/// Says whether a member may let guests in.
protocol GuestPermission: CommandOnMember {
    var isAllowed: Bool { get }
    /// What holds for the member of this name from here on.
    func outcome(for name: String) -> Phrase
}

extension GuestPermission {
    var act: [String] { ["seats", "hosts"] }
    var details: [JSONMember] { [JSONMember(name: "allowed", value: .flag(isAllowed))] }

    func report(
        _ seats: SeatsView, on member: MemberAnswer, in tour: String?, _ client: LocalClient, _ output: Output
    ) async throws {
        try output.text(outcome(for: output.styled(member.title, .bold)))
        try AbsenceNote.stored.print(client, output)
    }
}

/// `seats allow`
struct SeatsAllow: GuestPermission {
    static let configuration = CommandConfiguration(
        commandName: "allow",
        abstract: Phrase("Allow a member to let guests in, whose device then writes and reads for them."))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    var isAllowed: Bool { true }

    func question(about member: MemberAnswer, in tour: String?) -> Phrase {
        tour.map { Phrase("Allow \(member.description) to let guests into \($0)?") }
            ?? Phrase("Allow \(member.description) to let guests in?")
    }

    func outcome(for name: String) -> Phrase { Phrase("\(name) may let guests in.") }
}

/// `seats deny`
struct SeatsDeny: GuestPermission {
    static let configuration = CommandConfiguration(
        commandName: "deny",
        abstract: Phrase("Let a member bring no guests in any more; the guests there go out with that."))

    @OptionGroup var choice: TourChoice
    @OptionGroup var target: MemberArgument
    @OptionGroup var consent: Consent

    func validate() throws { try consent.require(json: global.json, because: Phrase("A removal is for good")) }

    var isAllowed: Bool { false }

    func question(about member: MemberAnswer, in tour: String?) -> Phrase {
        tour.map { Phrase("Take out all guests of \(member.description) in \($0), for good?") }
            ?? Phrase("Take out all guests of \(member.description), for good?")
    }

    func outcome(for name: String) -> Phrase { Phrase("\(name) may let no guests in any more.") }
}

/// How seats are shown.
enum SeatsWords {
    /// The code, and its address as text.
    static func showCode(_ seats: SeatsView, _ output: Output) throws {
        guard let link = seats.link else {
            guard seats.on else { return }
            return try output.text(Phrase("There is no code yet: this device is in no network, or its port is taken."))
        }
        // A machine without the library for codes still has the text.
        if let code = try? QRCode(link) {
            try output.code(code) { Phrase("(The QR code needs \($0) columns; widen the terminal.)") }
            try output.text(.empty)
        }
        try output.text(Phrase("For guests: \(output.styled(output.foreign(link), .bold))"))
        if let plain = seats.plainLink {
            try output.text(Phrase("For phones that do not find that name: \(output.foreign(plain))"))
        }
        guard let digits = seats.digits else {
            return try output.text(
                Phrase(
                    "Too many wrong digits were typed: only the code lets in. 'tour-chat seats renew' makes new ones."
                ))
        }
        let address = String((seats.plainLink ?? link).prefix { $0 != "#" })
        let grouped = "\(digits.prefix(4)) \(digits.suffix(4))"
        try output.text(
            Phrase("Or typed: \(output.foreign(address)) and the digits \(output.styled(grouped, .bold))"))
    }

    /// Whether guests may come in, who is here, and who else lets some in.
    static func show(_ seats: SeatsView, _ output: Output) throws {
        if seats.on {
            let (left, most) = (seats.usesLeft, seats.max)
            let time = DurationArgument.shown(seconds: Int(seats.secondsLeft))
            try output.text(
                Phrase(
                    left, one: "The code lets in \(left) guest more, for \(time); there are \(most) places.",
                    other: "The code lets in \(left) guests more, for \(time); there are \(most) places."))
        } else if seats.mayGive {
            try output.text(Phrase("This device lets no guests in: 'tour-chat seats on' changes that."))
        } else {
            try output.text(Phrase("This device lets no guests in: a guide must allow it, by 'tour-chat seats allow'."))
        }
        if !seats.guests.isEmpty {
            try output.table(seats.guests, [Phrase("GUEST"), Phrase("ID"), Phrase("HERE")]) { guest in
                [
                    .init(MemberName(guest.name).whole, .bold), .init(String(guest.memberID.prefix(8)), .dim),
                    .init(guest.here ? Phrase("yes") : Phrase("no"), guest.here ? .green : .dim),
                ]
            }
        }
        guard !seats.hosts.isEmpty else { return }
        try output.table(seats.hosts, [Phrase("LETS GUESTS IN"), Phrase("ID"), Phrase("GUESTS")]) { host in
            [
                .init(MemberName(host.name).whole, host.mayGive ? .plain : .dim),
                .init(String(host.memberID.prefix(8)), .dim), .init(String(host.guests)),
            ]
        }
    }
}
