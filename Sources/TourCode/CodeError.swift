import TourModel

/// Why a text was not encoded, or a picture not searched for codes.
package enum CodeError: Fault, Hashable {
    /// The library that draws codes is not installed.
    case noDrawer
    /// The text is empty, contains a null character, or is longer than a code can hold.
    case badText
    /// The library that reads codes is not installed.
    case noScanner
    /// The number of bytes does not fit this width and height, or the picture is smaller than a code or larger than a
    /// frame may be.
    case badFrame

    package var scope: FaultScope {
        switch self {
        case .noDrawer, .noScanner: .node
        case .badText, .badFrame: .record
        }
    }

    package var code: String {
        switch self {
        case .noDrawer, .badText: "qr-code"
        case .noScanner: "no-scanner"
        case .badFrame: "bad-frame"
        }
    }
}
