import ArgumentParser
import TourJSON
import TourModel
import TourWords

/// The location, for items with a place.
struct WhereOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(Phrase("Where it is: LAT,LON or gps."), valueName: "place"), transform: PlaceArgument.parse)
    var at: PlaceArgument?
    @OptionGroup var receiver: GpsdOption

    func validate() throws {
        guard at?.label.isEmpty ?? true else {
            throw ValidationError(Phrase("--at takes LAT,LON or gps: what the place is called is its title."))
        }
    }

    /// As an address: `geo:48.8584,2.2945`; nil: not given.
    func address(_ client: LocalClient) async throws -> String? {
        guard let at else { return nil }
        return "geo:\(try await at.fix(client, receiver).coordinate)"
    }
}

/// Pictures and a file of a saved place.
struct AttachmentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(Phrase("A picture: JPEG, PNG, WebP, HEIC or GIF. Can be given again."), valueName: "file"),
        completion: .file())
    var image: [String] = []
    @Option(help: ArgumentHelp(Phrase("A file, as it is."), valueName: "file"), completion: .file())
    var file: String?

    func validate() throws {
        if image.contains("") || file == "" { throw ValidationError(Phrase("The name of the file is missing.")) }
    }

    func add(to fields: inout ItemFields) throws {
        if !image.isEmpty { fields.set("pictures", .list(try image.map { .text(try AbsolutePath.of($0)) })) }
        fields.set("file", try file.map { JSON.text(try AbsolutePath.of($0)) })
    }
}
