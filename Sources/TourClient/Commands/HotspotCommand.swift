import ArgumentParser
import TourAPI
import TourCode
import TourJSON
import TourWords

/// `hotspot`
struct HotspotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hotspot",
        abstract: Phrase("Serve a Wi-Fi network of your own, for where there is none that lets devices meet."),
        discussion: Phrase(
            """
            NetworkManager does it, on this machine's Wi-Fi card. While it serves a network, the card is in no other: \
            'hotspot off' lets it go back. The name and the password stay the same until you change them, so that the \
            devices of the group come back by themselves. The network is no way into the tour: that takes its code.

            EXAMPLES
              tour-chat hotspot on
              tour-chat hotspot on --name "Tour Rome" --password "seven old bridges"
              tour-chat hotspot status
              tour-chat hotspot off
            """),
        subcommands: [HotspotOn.self, HotspotOff.self, HotspotStatus.self])
}

/// `hotspot on`
struct HotspotOn: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "on", abstract: Phrase("Serve a network, and show how to enter it."))

    @OptionGroup var global: GlobalOptions
    @Option(help: ArgumentHelp(Phrase("The network's name (default: as before, else made up)."), valueName: "name"))
    var name: String?
    @Option(
        help: ArgumentHelp(
            Phrase("Its password, of 8 to 63 letters (default: as before, else made up)."), valueName: "password"))
    var password: String?
    @Option(
        help: ArgumentHelp(Phrase("2.4 or 5 GHz: 2.4 reaches further, 5 is faster (default: 2.4)."), valueName: "ghz"))
    var band: String?
    @Flag(help: ArgumentHelp(Phrase("Secure it by WPA3, which devices from before 2019 lack.")))
    var wpa3 = false

    func perform(_ client: LocalClient, _ output: Output) async throws {
        var body = [JSONMember]()
        if let name { body.append(JSONMember(name: "name", value: .text(name))) }
        if let password { body.append(JSONMember(name: "password", value: .text(password))) }
        if let band { body.append(JSONMember(name: "band", value: .text(band))) }
        if wpa3 { body.append(JSONMember(name: "security", value: "wpa3")) }
        let order = JSON.object(body)
        let answer = try await PatienceLine.around(Phrase("The network is starting…"), output) {
            try await client.call(.PUT, LocalPath.make(["hotspot"]), order)
        }
        guard let hotspot: TourAPI.HotspotStatus = try output.forPeople(answer) else { return }
        try HotspotWords.show(hotspot, output)
        if let left = hotspot.replaces {
            let (interface, left) = (hotspot.interface ?? "", output.foreign(left))
            try output.text(Phrase("\(interface) left “\(left)” for it; 'tour-chat hotspot off' lets it go back."))
        }
        try output.text(Phrase("Into the tour it takes its own code: 'tour-chat tour invite'."))
        if let link = await Self.guestLink(client) {
            try output.text(Phrase("Phones without the program come in at \(link)."))
        }
    }

    /// Where guests come in, if this device lets any in. A network needs no tour: then there is none.
    private static func guestLink(_ client: LocalClient) async -> String? {
        let seats: SeatsView? = try? await client.ask(.GET, LocalPath.make(["tours", "-", "seats"]))
        return seats?.on == true ? seats?.link : nil
    }
}

/// `hotspot off`
struct HotspotOff: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "off", abstract: Phrase("End the network; the card goes back to what it was in."))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await PatienceLine.around(Phrase("The network is ending…"), output) {
            try await client.call(.DELETE, LocalPath.make(["hotspot"]))
        }
        try output.done(answer, Phrase("Your network is off."))
    }
}

/// `hotspot status`
struct HotspotStatus: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: Phrase("Show whether the network is on, and how to enter it."))

    @OptionGroup var global: GlobalOptions

    func perform(_ client: LocalClient, _ output: Output) async throws {
        let answer = try await client.call(.GET, LocalPath.make(["hotspot"]))
        guard let hotspot: TourAPI.HotspotStatus = try output.forPeople(answer) else { return }
        switch hotspot.state {
        case "on": return try HotspotWords.show(hotspot, output)
        case "starting": return try output.text(Phrase("The network is starting…"))
        default: break
        }
        try output.text(Phrase("Your network is off."))
        if let problem = hotspot.problem {
            try output.text(Phrase(verbatim: output.foreign(problem.message)))
        } else if let left = hotspot.replaces {
            let (interface, left) = (hotspot.interface ?? "", output.foreign(left))
            try output.text(Phrase("To serve it, \(interface) would leave “\(left)”."))
        }
    }
}

/// How a network is shown.
enum HotspotWords {
    /// As a QR code, and as text.
    static func show(_ hotspot: TourAPI.HotspotStatus, _ output: Output) throws {
        // A machine without the library for codes still has the text; and NetworkManager may not tell the password.
        if let text = hotspot.code, let code = try? QRCode(text) {
            try output.code(code) { Phrase("(The QR code needs \($0) columns; widen the terminal.)") }
            try output.text(.empty)
        }
        var table = Table()
        table.add([.init(Phrase("Network:")), .whole(hotspot.name ?? "", .bold)])
        table.add([.init(Phrase("Password:")), .whole(hotspot.password ?? "", .bold)])
        table.add([.init(Phrase("Card:")), .whole(hotspot.interface ?? "")])
        try output.table(table)
    }
}
