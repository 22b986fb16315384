import ArgumentParser
import TourAPI
import TourJSON
import TourModel
import TourPresentation
import TourWords

/// `meet`
struct MeetCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "meet",
        abstract: Phrase("Where and when all meet, and who is on the way."),
        discussion: Phrase(
            """
            Guides set the meeting point: words are enough, coordinates may stand before them. All are told as of an \
            announcement, and the last one counts. A time at the end, perhaps behind a comma, is the time to meet. \
            Everybody else says --on-my-way, --late or --lost. Without anything it shows the meeting point, how long \
            there is, and who answered what.

            EXAMPLES
              tour-chat meet Reception 14:00
              tour-chat meet Reception "Bring your bags" --at "in 15 min"
              tour-chat meet --stop Louvre --at +20
              tour-chat meet --member Ada "Come to Ada"
              tour-chat meet 48.8584,2.2945,"Eiffel Tower" "At the north pillar" --at 14:30 --expires 2h
              tour-chat meet gps "Come to me"
              tour-chat meet 48.8584,2.2945 "At the kiosk" --photo kiosk.jpg
              tour-chat meet
              tour-chat meet --late --minutes 10
              tour-chat meet --clear
            """))

    @OptionGroup var choice: TourChoice
    @Argument(
        help: ArgumentHelp(
            Phrase("Where: words, or LAT,LON[,LABEL] or gps[,LABEL]; behind -- if it starts with a dash."),
            valueName: "place"),
        transform: MeetingPlace.parse)
    var place: MeetingPlace?
    @Argument(help: ArgumentHelp(Phrase("What to tell all.")))
    var text: String?
    @OptionGroup var known: KnownPlaceOption
    @Option(
        help: ArgumentHelp(
            Phrase("Meeting time: 14:30 (the next one by this computer's clock), \"in 15 min\" or +15."),
            valueName: "time"),
        transform: MeetingTime.parse)
    var at: MeetingTime?
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
        let isSet = place != nil || known.isGiven
        guard [isSet, onMyWay, late, lost, clear].count(where: { $0 }) <= 1 else {
            throw ValidationError(Phrase("Either a place, or one of --on-my-way, --late, --lost and --clear."))
        }
        switch place {
        case .words(let words)? where words.isBlank: throw ValidationError(CommandFailure.emptyText.message)
        case .words? where text == nil && !known.isGiven && timeAlone != .none:
            throw ValidationError(Phrase("Say where before the time: 'tour-chat meet Reception 14:00'."))
        case .fix(let fix)? where (text == nil || timeAlone != .none) && fix.label.isEmpty:
            throw ValidationError(
                Phrase("Coordinates need a text beside them: 'tour-chat meet LAT,LON \"By the gate\"'."))
        case .fix? where known.isGiven, .words? where known.isGiven && text != nil:
            throw ValidationError(Phrase("Beside --stop, --place or --member stands what to tell all, and no place."))
        default: break
        }
        if said.time == .unclear {
            throw ValidationError(
                Phrase("It is not clear which time that is: write 14:00, in 15 min or +15, or give it with --at."))
        }
        guard isSet || (at == nil && expires == nil && photo == nil) else {
            throw ValidationError(Phrase("--at, --expires and --photo go with a place."))
        }
        guard !known.isStop || photo == nil else {
            throw ValidationError(Phrase("--photo does not go with --stop."))
        }
        guard minutes == nil || late else { throw ValidationError(Phrase("--minutes goes with --late.")) }
        if let minutes, !(1...1_440).contains(minutes) {
            throw ValidationError(Phrase("--minutes is a number from 1 to 1440, not \(minutes)."))
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if place != nil || known.isGiven { return try await set(client, output) }
        if clear {
            let answer = try await client.call(.DELETE, tourPath("meeting"))
            guard let message: SentMessage = try output.forPeople(answer) else { return }
            let sent = SendingWords(message)
            return try output.text(Phrase("Cleared (\(sent.id), \(sent.status))."))
        }
        if let answer {
            var body = [JSONMember(name: "answer", value: .text(answer))]
            if let minutes { body.append(JSONMember(name: "minutes", value: .number(String(minutes)))) }
            let result = try await client.call(.POST, tourPath("meeting", "answer"), .object(body))
            return try output.done(result, Phrase("Told."))
        }
        guard let body: MeetingBody = try await output.forPeople(client.call(.GET, tourPath("meeting"))) else { return }
        guard let meeting = body.meeting else { return try output.text(Phrase("No meeting point.")) }
        try output.text(MeetingWords(meeting).lines)
    }

    /// The text for everybody, the place, and the time. Without --at the last argument may be the time, or end in one.
    private var said: (label: String, text: String, time: MeetingTime.Reading) {
        let last = timeAlone
        let text = last == .none ? text : nil
        var label = ""
        var words = text ?? ""
        switch place {
        case .fix(let fix)?: (label, words) = text == nil ? ("", fix.label) : (fix.label, words)
        // Beside a known place the argument is the text, or the time.
        case .words(let place)?:
            (label, words) = text != nil ? (place, words) : ("", known.isGiven && last != .none ? "" : place)
        case nil: break
        }
        if let at { return (label, words, .time(at)) }
        guard last == .none else { return (label, words, last) }
        let inText = MeetingTime.split(words)
        guard inText.time == .none else { return (label, inText.words, inText.time) }
        let inLabel = MeetingTime.split(label)
        return (inLabel.words, words, inLabel.time)
    }

    /// The last argument, if it is a time: `meet Reception 14:00`.
    private var timeAlone: MeetingTime.Reading {
        guard at == nil else { return .none }
        if let text { return MeetingTime.read(text) }
        guard case .words(let words)? = place else { return .none }
        return MeetingTime.read(words)
    }

    private func set(_ client: LocalClient, _ output: Output) async throws {
        let said = said
        let moment = if case .time(let time) = said.time { time.moment(after: .now) } else { nil as Timestamp? }
        var body: [JSONMember] = []
        if let moment {
            let time = Timestamp.text(microseconds: Int64(moment.seconds) * 1_000_000)
            body.append(JSONMember(name: "at", value: .text(time)))
        }
        if let expires { body.append(JSONMember(name: "expiresSeconds", value: .number(String(expires.seconds)))) }
        if let photo { body.append(JSONMember(name: "photo", value: .text(try AbsolutePath.of(photo)))) }
        let answer: JSON
        if let stop = known.stop {
            body.append(JSONMember(name: "stop", value: .text(stop)))
            if !said.text.isBlank { body.append(JSONMember(name: "text", value: .text(said.text))) }
            answer = try await client.call(.POST, tourPath("meeting", "stop"), .object(body))
        } else {
            body += try await whereToMeet(said.label, said.text, client)
            answer = try await client.call(.POST, tourPath("meeting"), .object(body))
        }
        guard let message: SentMessage = try output.forPeople(answer) else { return }
        try output.text(SendingWords(message).told)
        if let moment {
            let left = DurationArgument.shown(seconds: moment.seconds - Timestamp.now.seconds)
            try output.text(Phrase("At \(moment.clockTime), in \(left)."))
        }
        try AbsenceNote.stored.print(client, output)
    }

    private func whereToMeet(_ label: String, _ text: String, _ client: LocalClient) async throws -> [JSONMember] {
        var (label, text) = (label, text)
        var coordinate: Coordinate?
        if case .fix(let place)? = place {
            coordinate = try await place.fix(client, receiver).coordinate
        } else if let found = try await known.find(client, member: { try await resolvedMember($0, client) }) {
            (label, text) = text.isBlank ? ("", found.title) : (found.title, text)
            coordinate = found.place
        }
        try Draft.check(text)
        var members = [JSONMember(name: "text", value: .text(text)), JSONMember(name: "label", value: .text(label))]
        if let coordinate {
            members.append(JSONMember(name: "latitude", value: .number(coordinate.latitudeText)))
            members.append(JSONMember(name: "longitude", value: .number(coordinate.longitudeText)))
        }
        return members
    }

    private func resolvedMember(_ name: String, _ client: LocalClient) async throws -> MemberSummary {
        try await client.ask(.GET, tourPath("members", name))
    }
}

extension MeetingPlace {
    /// - Throws: `ValidationError`, worded for the user.
    static func parse(_ text: String) throws -> MeetingPlace {
        do throws(PlaceFault) { return try MeetingPlace(text) } catch {
            throw ValidationError(Phrase("'\(TerminalText.safe(text))': \(error.phrase)."))
        }
    }
}

extension MeetingTime {
    /// - Throws: `ValidationError`, worded for the user.
    static func parse(_ text: String) throws -> MeetingTime {
        guard let time = MeetingTime(text) else {
            throw ValidationError(Phrase("That is no time to meet at: write 14:00, in 15 min or +15."))
        }
        return time
    }
}
