import TourAPI
import TourWords

/// The words about a guest.
package enum GuestWords {
    /// A member's name; of a guest also the device that lets it in: everybody is to see who can read and write as it.
    /// - Parameter name: as it is shown otherwise, safe for a terminal.
    package static func named(_ name: String, _ host: GuestHost?) -> Phrase {
        guard let host else { return Phrase(verbatim: name) }
        return Phrase("\(name) (guest of \(TerminalText.safe(host.name)))")
    }
}
