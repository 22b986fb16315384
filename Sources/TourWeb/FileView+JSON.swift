import TourJSON
import TourNode

extension FileView {
    /// Writes the known fields into an object.
    func write(_ object: inout JSONObjectWriter) {
        object.text("name", name)
        if let media { object.text("media", media) }
        object.number("size", size)
        if let caption { object.text("caption", caption) }
        if let width { object.number("width", width) }
        if let height { object.number("height", height) }
        object.flag("complete", complete)
        object.number("have", have)
        if let thumbnail { object.text("thumbnail", thumbnail) }
    }
}
