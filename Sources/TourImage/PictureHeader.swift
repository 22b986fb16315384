/// The line in which `vipsheader` tells of a picture on its standard input:
/// `4000x3000 uchar, 3 bands, srgb, jpegload_source`.
package struct PictureHeader: Hashable, Sendable {
    package let width: Int
    package let height: Int
    /// How its numbers mean colours.
    package let interpretation: Substring
    /// What libvips reads it with.
    package let loader: Substring

    package init?(_ words: [UInt8]) {
        let line = String(decoding: words.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        let parts = line.split(separator: ", ")
        guard parts.count == 4, let size = parts[0].split(separator: " ").dropLast().last else { return nil }
        let sides = size.split(separator: "x").map { Int($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1], width > 0, height > 0 else { return nil }
        (self.width, self.height) = (width, height)
        (interpretation, loader) = (parts[2], parts[3])
    }

    /// One channel, and perhaps an opacity.
    package var isGrey: Bool { interpretation == "b-w" || interpretation == "grey16" }
}
