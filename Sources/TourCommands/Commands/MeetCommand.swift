import ArgumentParser
import TourModel
import TourNode
import TourWeb
import TourWords

/// `meet`
struct MeetCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "meet",
        abstract: Phrase("Where and when all meet, and who is on the way.").text,
        discussion: Phrase(
            """
            Guides set the meeting point with a place and a text; all are told as of an announcement, and the last one \
            counts. Everybody else says --on-my-way, --late or --lost. Without anything it shows the meeting point, \
            how long there is, and who answered what.

            EXAMPLES
              tour-chat meet 48.8584,2.2945,"Eiffel Tower" "At the north pillar" --at 14:30 --expires 2h
              tour-chat meet gps "Come to me"
              tour-chat meet 48.8584,2.2945 "At the kiosk" --photo kiosk.jpg
              tour-chat meet
              tour-chat meet --late --minutes 10
              tour-chat meet --clear
            """
        ).text)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Argument(
        help: ArgumentHelp(
            Phrase("LAT,LON[,LABEL] or gps[,LABEL]; behind -- if it starts with a dash."), valueName: "place"),
        transform: PlaceArgument.parse)
    var place: PlaceArgument?
    @Argument(help: ArgumentHelp(Phrase("What to tell all.")))
    var text: String?
    @Option(help: ArgumentHelp(Phrase("Meeting time: the next 14:30 by this computer's clock."), valueName: "hh:mm"))
    var at: ClockTimeArgument?
    @Option(help: ArgumentHelp(Phrase("Expires after this time: 90s, 15m, 2h, 1d."), valueName: "dur"))
    var expires: DurationArgument?
    @Option(help: ArgumentHelp(Phrase("A picture of the place."), valueName: "file"), completion: .file())
    var photo: String?
    @Flag(help: ArgumentHelp(Phrase("I'm on my way.")))
    var onMyWay = false
    @Flag(help: ArgumentHelp(Phrase("I'll be late.")))
    var late = false
    @Option(help: ArgumentHelp(Phrase("How many minutes late.")))
    var minutes: Int?
    @Flag(help: ArgumentHelp(Phrase("I can't find it (guides are told).")))
    var lost = false
    @Flag(help: ArgumentHelp(Phrase("There is no meeting point any more.")))
    var clear = false
    @OptionGroup var receiver: GpsdOption

    private var answer: String? { onMyWay ? "on-my-way" : late ? "late" : lost ? "lost" : nil }

    func validate() throws {
        guard [place != nil, onMyWay, late, lost, clear].count(where: { $0 }) <= 1 else {
            throw ValidationError(Phrase("Either a place, or one of --on-my-way, --late, --lost and --clear."))
        }
        guard (place == nil) == (text == nil) else {
            throw ValidationError(
                Phrase("A meeting point is a place and a text: 'tour-chat meet LAT,LON \"By the gate\"'."))
        }
        guard place != nil || (at == nil && expires == nil && photo == nil) else {
            throw ValidationError(Phrase("--at, --expires and --photo go with a place."))
        }
        guard minutes == nil || late else { throw ValidationError(Phrase("--minutes goes with --late.")) }
        if let minutes, !(1...1_440).contains(minutes) {
            throw ValidationError(Phrase("--minutes is a number from 1 to 1440, not \(minutes)."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let place, let text { return try await set(place, text, client, output) }
        if clear {
            let answer = try await client.call(.DELETE, tourPath("meeting"))
            if output.json { return try output.object(answer) }
            let sent = SendingWords(answer)
            return try output.text(Phrase("Cleared (\(sent.id), \(sent.status))."))
        }
        if let answer {
            var body = [JSONMember(name: "answer", value: .text(answer))]
            if let minutes { body.append(JSONMember(name: "minutes", value: .number(String(minutes)))) }
            let result = try await client.call(.POST, tourPath("meeting", "answer"), .object(body))
            if output.json { return try output.object(result) }
            return try output.text(Phrase("Told."))
        }
        let meeting = try await client.call(.GET, tourPath("meeting"))
        if output.json { return try output.object(meeting) }
        guard let meeting = meeting["meeting"], meeting != .null else {
            return try output.text(Phrase("No meeting point."))
        }
        try output.text(MeetingWords(meeting).lines)
    }

    private func set(_ place: PlaceArgument, _ text: String, _ client: LocalClient, _ output: Output) async throws {
        try Draft.check(text)
        let fix = try await place.fix(client, receiver)
        var body = [
            JSONMember(name: "latitude", value: fix["latitude"] ?? .null),
            JSONMember(name: "longitude", value: fix["longitude"] ?? .null),
            JSONMember(name: "text", value: .text(text)), JSONMember(name: "label", value: .text(place.label)),
        ]
        if let at {
            let time = Timestamp.text(microseconds: Int64(at.next(after: .now).seconds) * 1_000_000)
            body.append(JSONMember(name: "at", value: .text(time)))
        }
        if let expires { body.append(JSONMember(name: "expiresSeconds", value: .number(String(expires.seconds)))) }
        if let photo { body.append(JSONMember(name: "photo", value: .text(try AbsolutePath.of(photo)))) }
        let answer = try await client.call(.POST, tourPath("meeting"), .object(body))
        if output.json { return try output.object(answer) }
        try output.text(SendingWords(answer).told)
        try AbsenceNote.stored.print(client, output)
    }

}

extension ClockTimeArgument: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}
