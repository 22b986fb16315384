import FoundationEssentials
import TourAPI
import TourModel
import TourWire

extension FileView {
    package init(_ file: FileContent, _ progress: FileProgress?) {
        self.init(
            name: file.name, media: file.media, size: file.shape.size, caption: file.caption,
            width: file.width == 0 ? nil : file.width, height: file.height == 0 ? nil : file.height,
            thumbnail: file.thumbnail.map { Data($0).base64EncodedString() }, complete: progress?.complete ?? false,
            have: progress?.have ?? 0)
    }
}
