/// The line that `vipsheader` prints about a picture on its standard input: `4000x3000 uchar, 3 bands, srgb,
/// jpegload_source`.
package struct PictureHeader: Hashable, Sendable {
    /// Pixels, before turning.
    package let width: Int
    /// Pixels, before turning.
    package let height: Int
    /// The meaning of its numbers as colours.
    package let interpretation: Substring
    /// libvips' reader for it.
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

    /// Whether it has one channel, and perhaps an opacity.
    package var isGrey: Bool { interpretation == "b-w" || interpretation == "grey16" }
}
