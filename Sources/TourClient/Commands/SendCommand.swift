import ArgumentParser
import TourAPI
import TourModel
import TourWords

/// `send`
struct SendCommand: TaskCommand, ChoosesTour {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: Phrase("Send a message, a place, a file or a picture."),
        discussion: Phrase(
            """
            Answers when the message is stored; without a running node it is sent when one runs. With - each line of \
            standard input is a message, and each gets its line of answer, in order; blank lines are none. A text that \
            starts with a dash goes behind --. A location is in decimal degrees, north and east positive, with a label \
            if you like; gps asks gpsd, and is refused where the receiver has no fix now. A file goes as it is, up to \
            1 GiB; a picture is made smaller where it is large, and loses what the camera wrote into it (place, time, \
            model). Everybody gets the message at once, and the file as 'run --files' says there. With --guides \
            nobody but the guides can read a text, whatever else they let people write; a guide answers with \
            --alone NAME, which that person and all guides can read. Everybody's device knows that there was such a \
            word.

            EXAMPLES
              tour-chat send "We are at the fountain"
              tour-chat send "On my way" --reply 3fa2c1
              tail -f log.txt | tour-chat send -
              tour-chat send --location 48.8584,2.2945,"Eiffel Tower"
              tour-chat send --location gps
              tour-chat send --image photo.jpg --caption "The view from up here"
              tour-chat send --file tickets.pdf --reply 3fa2c1
              tour-chat send --guides "I am afraid of the boat"
              tour-chat send --alone Ben "We take the bus, you and I" --reply 3fa2c1
            """))

    @OptionGroup var choice: TourChoice
    @Argument(help: ArgumentHelp(Phrase("The text, or - for a message a line from standard input.")))
    var text: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(Phrase("Send a place instead of a text: LAT,LON or gps."), valueName: "place[,label]"),
        transform: PlaceArgument.parse)
    var location: PlaceArgument?
    @OptionGroup var receiver: GpsdOption
    @Option(
        help: ArgumentHelp(Phrase("Send a file instead of a text, as it is."), valueName: "file"), completion: .file())
    var file: String?
    @Option(
        help: ArgumentHelp(Phrase("Send a picture: JPEG, PNG, WebP or HEIC."), valueName: "file"), completion: .file())
    var image: String?
    @Option(help: ArgumentHelp(Phrase("What you say of the file or picture."), valueName: "text"))
    var caption: String?
    @Option(
        help: ArgumentHelp(Phrase("The message this answers: six or more digits of its id."), valueName: "id"),
        transform: IDArgument.parse)
    var reply: IDArgument?
    @Flag(help: ArgumentHelp(Phrase("Only the guides can read the text.")))
    var guides = false
    @Option(
        help: ArgumentHelp(Phrase("Only this member and the guides can read the text (guides)."), valueName: "member"))
    var alone: String?

    func validate() throws {
        guard [text != nil, location != nil, file != nil, image != nil].count(where: { $0 }) == 1 else {
            throw ValidationError(
                Phrase(
                    "Give a text, or - for standard input, or one of --location, --file and --image (with --caption)."))
        }
        guard caption == nil || file != nil || image != nil else {
            throw ValidationError(Phrase("--caption goes with --file or --image."))
        }
        guard !guides || alone == nil, (!guides && alone == nil) || (text != nil && text != "-") else {
            throw ValidationError(Phrase("--guides, or --alone, goes with one text."))
        }
        if file?.isEmpty ?? image?.isEmpty ?? false {
            throw ValidationError(Phrase("The name of the file is missing."))
        }
    }

    var task: any NodeTask {
        if let location {
            SendPlaceTask(chosenTour: choice.tour, place: location, receiver: receiver, reply: reply)
        } else if let path = file ?? image {
            SendFileTask(
                chosenTour: choice.tour,
                file: FileToSend(path: path, isImage: image != nil, caption: caption ?? ""), reply: reply)
        } else {
            SendTask(
                chosenTour: choice.tour, text: text ?? "", reply: reply, alone: guides ? SendTask.guidesWord : alone)
        }
    }
}

/// Sends a text, or one message for each line of standard input.
struct SendTask: NodeTask, AboutTour {
    let chosenTour: String?
    /// `-`: standard input.
    let text: String
    let reply: IDArgument?
    /// The reader whom alone it is for, as the node takes it; nil: everybody.
    var alone: String?

    /// The word that stands for all guides there.
    static let guidesWord = "guides"

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if text == "-" {
            let tour = try await inTour(client, output)
            try await LineSender(replyTo: reply?.text, tour: tour).run(client, tourPath("messages"), output)
            return try AbsenceNote.stored.print(client, output)
        }
        try Draft.check(text)
        try await send(Draft(text: text, replyTo: reply?.text, alone: alone), client, output)
    }
}

/// Sends a place.
struct SendPlaceTask: NodeTask, AboutTour {
    let chosenTour: String?
    let place: PlaceArgument
    let receiver: GpsdOption
    let reply: IDArgument?

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let fix = try await place.fix(client, receiver)
        try await send(Draft(text: place.label, replyTo: reply?.text, location: fix), client, output)
    }
}

extension AboutTour {
    /// Sends one message, and prints its status.
    fileprivate func send(_ draft: Draft, _ client: LocalClient, _ output: Output) async throws {
        let (answer, sent) = try await client.send(draft, tourPath("messages"))
        if output.json { return try output.object(answer) }
        let line = try await SendingWords(sent).line(in: inTour(client, output))
        try output.text(line)
        try AbsenceNote.stored.print(client, output)
    }
}

extension PlaceArgument {
    /// The place: as given, or from the receiver.
    func fix(_ client: LocalClient, _ receiver: GpsdOption) async throws -> Fix {
        if let fix = coordinate.flatMap({ Fix($0) }) { return fix }
        return try await client.ask(.GET, LocalPath.make(["position"], query: [("gpsd", receiver.address())]))
    }

    /// - Throws: `ValidationError`, worded for the user.
    static func parse(_ text: String) throws -> PlaceArgument {
        do throws(PlaceFault) { return try PlaceArgument(text) } catch {
            throw ValidationError(Phrase("'\(TerminalText.safe(text))': \(error.phrase)."))
        }
    }
}
