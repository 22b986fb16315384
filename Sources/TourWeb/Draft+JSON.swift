import TourAPI
import TourJSON
import TourModel
import TourWords

extension Draft {
    /// - Throws: `bad-request`, `bad-location`.
    init(request: JSON) throws(WebError) {
        do { self = try Draft.read(request) } catch {
            if error.member == "type" {
                throw WebError(
                    "bad-request", Phrase("The type of a message to send is “text”, “announcement” or “location”."))
            }
            throw error.member.hasPrefix("location") ? WebError(location: error) : .badDraft
        }
    }
}

extension Fix {
    /// - Throws: `bad-location`.
    init(request: JSON?) throws(WebError) {
        do { self = try Fix.read(request ?? .null) } catch { throw WebError(location: error) }
    }
}

extension WebError {
    static let badDraft = WebError(
        "bad-request", Phrase("The request's JSON is not what this address takes."))

    /// `bad-location`.
    fileprivate init(location error: ContractError) {
        let isInaccurate = ["accuracyMetres", "fixedAt"].contains { error.member.hasSuffix($0) }
        self.init(
            "bad-location",
            isInaccurate
                ? Phrase("The accuracy or the time of a location cannot be right.")
                : Phrase("A location has a latitude from -90 to 90 and a longitude from -180 to 180 degrees."))
    }
}
