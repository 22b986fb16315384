import ArgumentParser
import TourModel
import TourNode
import TourWeb

/// `tour invite`
struct TourInvite: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Show, make, list and revoke codes that let others join.",
        discussion: """
            Shows the code, its link with this node's addresses, and both as a QR code. Guides only. The code is \
            the same each time; --new, --expires and --uses make another one. A picture that is there already is \
            replaced with --force only.

            EXAMPLES
              tour-chat tour invite
              tour-chat tour invite --new
              tour-chat tour invite --expires 2h --uses 1
              tour-chat tour invite --png invite.png
              tour-chat tour invite --list
              tour-chat tour invite --revoke 3fa2c1
            """)

    @OptionGroup var global: GlobalOptions
    @OptionGroup var choice: TourChoice
    @Option(
        help: ArgumentHelp(
            "How long the code is good: 90s, 15m, 2h, 1d (default: until revoked).", valueName: "dur"))
    var expires: DurationArgument?
    @Option(help: ArgumentHelp("How many may join with it (default: any number).", valueName: "n"))
    var uses: Int?
    @Flag(help: "Make another code, though there is one without limits.")
    var new = false
    @Flag(help: "List the codes there are.")
    var list = false
    @Option(help: ArgumentHelp("Revoke the code with this id.", valueName: "id"))
    var revoke: String?
    @Option(help: ArgumentHelp("Also write the QR code to this PNG file.", valueName: "file"), completion: .file())
    var png: String?
    @OptionGroup var replacing: Replacing

    func validate() throws {
        if let uses, uses < 1 { throw ValidationError("--uses wants a number from 1.") }
        let makes = expires != nil || uses != nil || png != nil || new
        if list && (revoke != nil || makes) || revoke != nil && makes {
            throw ValidationError("--list, --revoke and the options of a new code exclude each other.")
        }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let png { try NewFile.check(png, mayReplace: replacing.force) }
        if list { return try await showAll(client, output) }
        if let revoke {
            let answer = try await client.call(.DELETE, tourPath("invites", revoke))
            return output.json ? try output.object(answer) : try output.text("Revoked. Nobody joins with it any more.")
        }
        var body = [JSONMember]()
        if let expires { body.append(JSONMember(name: "expiresSeconds", value: .number(String(expires.seconds)))) }
        if let uses { body.append(JSONMember(name: "uses", value: .number(String(uses)))) }
        if !new { body.append(JSONMember(name: "reuse", value: .flag(true))) }
        let invite = try await client.call(.POST, tourPath("invites"), .object(body))
        let code = try QRCode(invite.shown("link"))
        if let png { try PNGFile.write(code, to: png) }
        if output.json { return try output.object(invite) }
        let place = try await inTour(client, output)
        if !place.isEmpty { try output.text("The code\(place):", "") }
        try show(invite, code, output)
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }

    private func show(_ invite: JSON, _ code: QRCode, _ output: Output) throws {
        let size = TerminalSize.current
        if StandardStream.output.isTerminal && code.columns > size.columns {
            try output.text("(The QR code needs \(code.columns) columns; widen the terminal or use --png FILE.)")
        } else {
            try output.text(code.lines(colored: StandardStream.output.isTerminal).joined(separator: "\n"))
        }
        var table = Table()
        table.add(["Join code:", .whole(invite.shown("joinCode"), .bold)])
        table.add(["Link:", .whole(invite.shown("link"))])
        table.add(["Good for:", .init(goodFor(invite))])
        table.add(["Revoke:", .whole("tour-chat tour invite --revoke \(invite.shown("id").prefix(8))")])
        try output.text("")
        try output.table(table)
        if let png { try output.text("Written to \(png). Whoever has the picture can join.") }
    }

    private func goodFor(_ invite: JSON) -> String {
        let uses = invite["uses"]?.integer.map { $0 == 1 ? "one member" : "\($0) members" } ?? "any number of members"
        guard let end = Timestamp(invite.shown("expiresAt")) else { return uses + ", until revoked" }
        return "\(uses), until \(end.dateAndTime)"
    }

    private func showAll(_ client: LocalClient, _ output: Output) async throws {
        let invites = try await client.call(.GET, tourPath("invites"))["invites"]?.list ?? []
        if output.json { return try invites.forEach(output.object) }
        if invites.isEmpty { return try output.text("No codes. 'tour-chat tour invite' makes one.") }
        var table = Table(["ID", "STATE", "USED", "OF", "EXPIRES", "CODE"])
        for invite in invites {
            let state = invite.shown("state")
            let used = invite.shown("used") + (invite["overused"]?.flag == true ? " (passed on)" : "")
            table.add([
                .init(String(invite.shown("id").prefix(8)), .dim), .init(state, state == "open" ? .green : .dim),
                .init(used), .init(invite["uses"]?.integer.map { String($0) } ?? "any"),
                .init(Timestamp(invite.shown("expiresAt"))?.dateAndTime ?? "never"), .whole(invite.shown("code")),
            ])
        }
        try output.table(table)
        guard invites.contains(where: { $0["overused"]?.flag == true }) else { return }
        try output.text("Passed on: more tried than it has uses, those beyond are out. Revoke it and make a new one.")
    }
}
