/// The look of a piece of text on a terminal.
package enum Style: Hashable, Sendable {
    case plain, bold, dim, red, green, yellow, cyan, reverse, redReverse
    /// A member's colour, 0 to 15: readable on dark and on light terminals.
    case member(Int)

    /// The text between the escape sequences of this style.
    package func around(_ text: String) -> String {
        guard let sequence else { return text }
        return "\u{1B}[\(sequence)m\(text)\u{1B}[0m"
    }

    private var sequence: String? {
        switch self {
        case .plain: nil
        case .bold: "1"
        case .dim: "2"
        case .red: "31"
        case .green: "32"
        case .yellow: "33"
        case .cyan: "36"
        case .reverse: "7"
        case .redReverse: "1;31;7"
        case .member(let index): "1;38;5;\(Self.palette[((index % 16) + 16) % 16])"
        }
    }

    /// Of the 256 colours, sixteen of middle lightness.
    private static let palette = [33, 160, 34, 166, 128, 37, 161, 100, 62, 130, 29, 168, 69, 136, 97, 31]
}
