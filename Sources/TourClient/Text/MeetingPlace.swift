import TourPresentation
import TourWords

/// A place to meet, as people write it: coordinates, the receiver's position, or words. A time counts as words.
package enum MeetingPlace: Hashable, Sendable {
    case fix(PlaceArgument)
    case words(String)

    /// - Throws: for a text that looks like coordinates and is malformed.
    package init(_ text: String) throws(PlaceFault) {
        let isTime = MeetingTime.read(text) != .none
        self = !isTime && Self.isMeantAsCoordinates(text) ? .fix(try PlaceArgument(text)) : .words(text)
    }

    /// Coordinates are all that `WrittenPlace` reads, `gps`, one number alone, a decimal in front, or two numbers.
    /// `10, Downing Street` is words.
    private static func isMeantAsCoordinates(_ text: String) -> Bool {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        guard let first = fields.first else { return false }
        if first.lowercased() == "gps" || WrittenPlace.isMeant(in: text) { return true }
        guard isNumeric(first) else { return false }
        return first.contains(".") || fields.count == 1 || isNumeric(fields[1]) || fields[1].allSatisfy { $0 == " " }
    }

    private static func isNumeric(_ field: Substring) -> Bool {
        field.contains { $0.isASCII && $0.isNumber } && field.allSatisfy { "0123456789+-. ".contains($0) }
    }
}
