import ArgumentParser
import TourJSON
import TourPrint
import TourWords

/// `tour card`
struct TourCardCommand: CommandInTour {
    static let configuration = CommandConfiguration(
        commandName: "card",
        abstract: Phrase("Write a page for newcomers: the program, the network and the tour's code, to be printed."),
        discussion: Phrase(
            """
            One page as PDF: how to get the program, a QR code into the network that 'hotspot on' serves, and one into \
            the tour. The code is that of 'tour invite'; whoever has the page can join. Guides only.

            EXAMPLES
              tour-chat tour card --pdf welcome.pdf
              tour-chat tour card --pdf pocket.pdf --size card --language de
              tour-chat tour card --pdf sign.pdf --guests --language en,de,ja
            """))

    @OptionGroup var choice: TourChoice
    @Option(help: ArgumentHelp(Phrase("The file to write."), valueName: "file"), completion: .file())
    var pdf: String
    @Option(help: ArgumentHelp(Phrase("a4, or card: as large as a bank card (default: a4)."), valueName: "size"))
    var size: String?
    @Option(
        help: ArgumentHelp(
            Phrase("Its language: en, tr, de, es, fr, ar, ja (default: yours); several on a sign, with commas."),
            valueName: "lang"))
    var language: String?
    @Flag(help: ArgumentHelp(Phrase("A sign for guests, whose phones need no program, with the code of 'seats on'.")))
    var guests = false
    @OptionGroup var replacing: Replacing

    func perform(_ client: LocalClient, _ output: Output) async throws {
        try NewFile.check(pdf, mayReplace: replacing.force)
        var body = [JSONMember]()
        if let size { body.append(JSONMember(name: "size", value: .text(size))) }
        if guests { body.append(JSONMember(name: "guests", value: true)) }
        if let language {
            let words = language.split(separator: ",").map { JSON.text($0.filter { $0 != " " }) }
            body.append(JSONMember(name: "languages", value: .list(words)))
        }
        let bytes = try await client.bytes(.POST, tourPath("card"), .object(body))
        try await ExportTarget.fill(pdf) { try $0.write(bytes) }
        try output.done(
            ["path": .text(pdf), "bytes": .number(String(bytes.count))],
            Phrase("Written to \(pdf). Whoever has the page can join."))
    }
}
