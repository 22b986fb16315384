import ArgumentParser
import TourAPI
import TourCode
import TourJSON
import TourModel
import TourWords

/// `tour invite`
struct TourInvite: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: Phrase("Show, make, list and revoke codes that let others join."),
        discussion: Phrase(
            """
            Shows the code, its link with this node's addresses, and both as a QR code. Guides only. The code is \
            the same each time; --new, --expires, --uses and --unlimited make another one. A picture that is there \
            already is replaced with --force only.

            --revoke ends a code, and whoever came by it stays. With --since those are out who came by it from then \
            on, all at once: for a code that got into the wrong hands.

            EXAMPLES
              tour-chat tour invite
              tour-chat tour invite --new
              tour-chat tour invite --expires 2h --uses 1
              tour-chat tour invite --png invite.png
              tour-chat tour invite --list
              tour-chat tour invite --revoke 3fa2c1
              tour-chat tour invite --revoke 3fa2c1 --since 20m
              tour-chat tour invite --revoke 3fa2c1 --since "2026-06-01 14:30" --yes
            """))

    @OptionGroup var choice: TourChoice
    @Option(
        help: ArgumentHelp(
            Phrase("How long the code is good: 90s, 15m, 2h, 1d (default: 30 days)."), valueName: "dur"))
    var expires: DurationArgument?
    @Option(help: ArgumentHelp(Phrase("How many may join with it (default: 250)."), valueName: "n"))
    var uses: Int?
    @Flag(help: ArgumentHelp(Phrase("A code for any number of members, until revoked.")))
    var unlimited = false
    @Flag(help: ArgumentHelp(Phrase("Make another code, though there is one for everybody.")))
    var new = false
    @Flag(help: ArgumentHelp(Phrase("List the codes there are.")))
    var list = false
    @Option(help: ArgumentHelp(Phrase("Revoke the code with this id."), valueName: "id"))
    var revoke: String?
    @Option(
        help: ArgumentHelp(
            Phrase("With --revoke: whoever came by the code since then is out. So long ago, or when: 20m, 14:30."),
            valueName: "when"))
    var since: PastArgument?
    @Option(
        help: ArgumentHelp(Phrase("Also write the QR code to this PNG file."), valueName: "file"), completion: .file())
    var png: String?
    @OptionGroup var replacing: Replacing
    @OptionGroup var consent: Consent

    func validate() throws {
        if let uses, uses < 1 { throw ValidationError(Phrase("--uses wants a number from 1.")) }
        let makes = expires != nil || uses != nil || png != nil || new || unlimited
        if list && (revoke != nil || makes) || revoke != nil && makes {
            throw ValidationError(Phrase("--list, --revoke and the options of a new code exclude each other."))
        }
        if since != nil && revoke == nil { throw ValidationError(Phrase("--since says when for --revoke ID.")) }
        if since != nil { try consent.require(json: global.json, because: Phrase("A removal is for good")) }
    }

    func perform(_ client: LocalClient, _ output: Output) async throws {
        if let png { try NewFile.check(png, mayReplace: replacing.force) }
        if list { return try await showAll(client, output) }
        if let revoke { return try await end(revoke, client, output) }
        var body = [JSONMember]()
        if let expires { body.append(JSONMember(name: "expiresSeconds", value: .number(String(expires.seconds)))) }
        if let uses { body.append(JSONMember(name: "uses", value: .number(String(uses)))) }
        if unlimited { body.append(JSONMember(name: "unlimited", value: .flag(true))) }
        if !new { body.append(JSONMember(name: "reuse", value: .flag(true))) }
        let answer = try await client.call(.POST, tourPath("invites"), .object(body))
        let invite = try CreatedInvite(answer: answer)
        let code = try QRCode(invite.link)
        if let png { try PNGFile.write(code, to: png) }
        if output.json { return try output.object(answer) }
        if let tour = try await inTour(client, output) {
            try output.text(Phrase("The code in \(tour):"), .empty)
        }

        try show(invite, code, output)
        try AbsenceNote.nobodyCanJoin.print(client, output)
    }

    private func end(_ id: String, _ client: LocalClient, _ output: Output) async throws {
        if let since {
            let time = since.moment.dateAndTime
            let question = Phrase("Take everybody out for good who came by this code since \(time)?")
            guard try consent.covers(question, output) else { return }
        }
        let path = tourPath("invites", id, query: [("since", since?.moment.text)])
        guard let revoked: RevokedInvite = try await output.forPeople(client.call(.DELETE, path)) else { return }
        try output.text(Phrase("Revoked. Nobody joins with it any more."))
        guard since != nil else { return }
        let out = revoked.out
        try output.text(Phrase(out, one: "\(out) member is out.", other: "\(out) members are out."))
    }

    private func show(_ invite: CreatedInvite, _ code: QRCode, _ output: Output) throws {
        try output.code(code) { columns in
            Phrase("(The QR code needs \(columns) columns; widen the terminal or use --png FILE.)")
        }
        var table = Table(joinCode: invite.joinCode, link: invite.link)
        table.add([.init(Phrase("Good for:")), .init(goodFor(invite))])
        let revoking = "tour-chat tour invite --revoke \(invite.id.prefix(8))"
        table.add([.init(Phrase("Revoke:")), .whole(revoking)])
        try output.text(.empty)
        try output.table(table)
        if let png { try output.text(Phrase("Written to \(png). Whoever has the picture can join.")) }
    }

    private func goodFor(_ invite: CreatedInvite) -> Phrase {
        let end = invite.expiresAt.flatMap { Timestamp($0) }?.dateAndTime
        guard let uses = invite.uses else {
            return end.map { Phrase("any number of members, until \($0)") }
                ?? Phrase("any number of members, until revoked")
        }
        guard let end else {
            return uses == 1
                ? Phrase("one member, until revoked")
                : Phrase(uses, one: "\(uses) member, until revoked", other: "\(uses) members, until revoked")
        }
        return uses == 1
            ? Phrase("one member, until \(end)")
            : Phrase(uses, one: "\(uses) member, until \(end)", other: "\(uses) members, until \(end)")
    }

    private func showAll(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, tourPath("invites"))
        guard let list: InviteList = try output.forPeople(eachOf: answer) else { return }
        let head = [Phrase("ID"), Phrase("STATE"), Phrase("USED"), Phrase("OF"), Phrase("EXPIRES"), Phrase("CODE")]
        let none = Phrase("No codes. 'tour-chat tour invite' makes one.")
        try output.table(list.invites, head, none: none) { invite in
            let used = String(invite.used)
            return [
                .init(String(invite.id.prefix(8)), .dim),
                .init(StatusWords.invite(invite.state), invite.state == "open" ? .green : .dim),
                .init(invite.overused ? Phrase("\(used) (passed on)") : Phrase(verbatim: used)),
                invite.uses.map { .init(String($0)) } ?? .init(Phrase("any")),
                invite.expiresAt.map { .moment($0) } ?? .init(Phrase("never")), .whole(invite.code ?? ""),
            ]
        }
        guard list.invites.contains(where: \.overused) else { return }
        try output.text(
            Phrase("Passed on: more tried than it has uses, those beyond are out. Revoke it and make a new one."))
    }
}
