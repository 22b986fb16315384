/// A program of the system that helps to prepare pictures and files.
package enum PictureProgram: String, Hashable, Sendable, CaseIterable {
    case header = "vipsheader"
    case thumbnail = "vipsthumbnail"
    case limits = "prlimit"
    case mediaType = "file"

    /// The Debian package that contains it.
    package var package: String {
        switch self {
        case .header, .thumbnail: "libvips-tools"
        case .limits: "util-linux"
        case .mediaType: "file"
        }
    }
}
