import Foundation
import TourModel
import TourWire

/// A file or picture as its author describes it: the archive holds nothing else of it.
/// Contract: `Protocol/Schema/openapi.yaml`.
struct ArchivedFile: Encodable {
    var name: String
    var media: String?
    /// Bytes.
    var size: UInt64
    var caption: String?
    /// Pixels.
    var width: UInt32?
    var height: UInt32?
    /// A JPEG picture.
    var thumbnail: Data?

    init(_ file: FileContent) {
        name = file.name
        media = file.media
        size = file.shape.size
        caption = file.caption
        width = file.width == 0 ? nil : file.width
        height = file.height == 0 ? nil : file.height
        thumbnail = file.thumbnail.map { Data($0) }
    }
}
