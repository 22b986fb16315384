import TourWords

/// A program of the system that takes part in preparing pictures and files.
package enum PictureProgram: String, Hashable, Sendable, CaseIterable {
    case header = "vipsheader"
    case thumbnail = "vipsthumbnail"
    case limits = "prlimit"
    case mediaType = "file"

    /// Debian's package that has it.
    package var package: String {
        switch self {
        case .header, .thumbnail: "libvips-tools"
        case .limits: "util-linux"
        case .mediaType: "file"
        }
    }

    /// For people: what is missing, and what brings it.
    package var advice: Phrase { Phrase("\(rawValue) is not installed: sudo apt install \(package)") }
}
