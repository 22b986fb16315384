import TourJSON
import TourWeb
import TourWords

extension JSON {
    /// A member's name; of a guest also the device that lets it in: everybody is to see who can read and write as it.
    /// - Parameters:
    ///   - name: as it is shown otherwise, safe for a terminal.
    ///   - key: where the device stands in this object.
    package func named(_ name: String, by key: String = "by") -> Phrase {
        guard let host = self[key]?["name"]?.text else { return Phrase(verbatim: name) }
        return Phrase("\(name) (by \(TerminalText.safe(host)))")
    }
}
