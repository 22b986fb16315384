import TourModel
import TourPresentation
import TourWords

/// A place as people write it, such as `LAT,LON[,LABEL]` (see `WrittenPlace`), or `gps[,LABEL]`.
package struct PlaceArgument: Hashable, Sendable {
    /// Nil: the receiver's position.
    package let coordinate: Coordinate?
    /// Empty: none.
    package let label: String

    /// The receiver's position, without a label.
    package static let receiver = PlaceArgument(coordinate: nil, label: "")

    private init(coordinate: Coordinate?, label: String) {
        self.coordinate = coordinate
        self.label = label
    }

    /// - Throws: what is wrong with the text, and how a place is written.
    package init(_ text: String) throws(PlaceFault) {
        let parts = text.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
        if parts[0].lowercased() == "gps" {
            coordinate = nil
            label = parts.count > 1 ? try Self.label(parts[1]) : ""
            return
        }
        guard let written = WrittenPlace(text) else { throw Self.fault(of: text) }
        let rest = written.rest.drop { $0.isWhitespace }
        coordinate = written.coordinate
        label = rest.first == "," ? try Self.label(rest.dropFirst()) : String(rest)
    }

    /// Why it is no place.
    private static func fault(of text: String) -> PlaceFault {
        // `48,8584,2,2945` has a comma where a decimal has its point.
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        if fields.count > 2, fields.allSatisfy({ String($0).isDecimal }) {
            return PlaceFault(Phrase("more than two numbers: a decimal has a point, not a comma"))
        }
        guard fields.count > 1 else {
            return PlaceFault(Phrase("a latitude and a longitude are needed, with a comma between"))
        }
        do throws(PlaceFault) {
            try check(fields[0], .latitude)
            try check(fields[1], .longitude)
        } catch {
            return error
        }
        return PlaceFault(Phrase("that is no place on the Earth"))
    }

    private static func label(_ text: Substring) throws(PlaceFault) -> String {
        guard !String(text).isBlank else {
            throw PlaceFault(Phrase("there is a comma, and no label behind it"))
        }
        return String(text)
    }

    private static func check(_ text: Substring, _ axis: Axis) throws(PlaceFault) {
        let written = text.drop { $0 == " " }
        guard !written.isEmpty else { throw PlaceFault(axis.missing) }
        guard String(written).isDecimal, let degrees = Double(written) else {
            throw PlaceFault(axis.noNumber(TerminalText.safe(String(written))))
        }
        guard abs(degrees) <= axis.most else { throw PlaceFault(axis.tooFar(String(written))) }
    }

    private enum Axis {
        case latitude, longitude

        var most: Double { self == .latitude ? 90 : 180 }

        var missing: Phrase {
            self == .latitude ? Phrase("the latitude is missing") : Phrase("the longitude is missing")
        }

        func noNumber(_ written: String) -> Phrase {
            self == .latitude
                ? Phrase("the latitude “\(written)” is no decimal number of degrees")
                : Phrase("the longitude “\(written)” is no decimal number of degrees")
        }

        func tooFar(_ written: String) -> Phrase {
            self == .latitude
                ? Phrase("a latitude is from -90 to 90 degrees, and \(written) is not")
                : Phrase("a longitude is from -180 to 180 degrees, and \(written) is not")
        }
    }
}

/// Why a text is no place.
package struct PlaceFault: Error, CustomStringConvertible {
    package let phrase: Phrase

    package var description: String { phrase.english }

    fileprivate init(_ reason: Phrase) {
        phrase = Phrase(
            """
            \(reason). Write LAT,LON in decimal degrees, north and east positive, and a label if you like: \
            48.8584,2.2945,"Eiffel Tower"; -33.8568,151.2153
            """)
    }
}

extension String {
    /// An optional sign, digits, and optionally a point and digits: no exponent, no hexadecimal, no word.
    fileprivate var isDecimal: Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = utf8[...]
        if rest.first == UInt8(ascii: "-") || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
        let parts = rest.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(digits.contains) }
    }
}
