import CPNG
import Glibc
import TourCode
import TourWords

/// A QR code as a picture.
package enum PNGFile {
    private static let pixelsPerModule = 8
    private static let isLibraryLoaded = png_library_load("libpng16.so.16")

    /// Grey, 8 bits, 8 pixels a module. Only the file's owner can read it: anybody who has it can join.
    package static func write(_ code: QRCode, to path: String) throws(CommandFailure) {
        guard isLibraryLoaded else {
            throw CommandFailure(code: "png", message: Phrase("cannot write \(path): libpng16.so.16 is not installed"))
        }
        let width = code.columns * pixelsPerModule
        var pixels = [UInt8](repeating: 255, count: width * width)
        for row in 0..<width {
            for column in 0..<width
            where code.isDark(row: row / pixelsPerModule, column: column / pixelsPerModule) {
                pixels[row * width + column] = 0
            }
        }
        var image = png_image()
        image.version = png_uint_32(PNG_IMAGE_VERSION)
        image.width = png_uint_32(width)
        image.height = png_uint_32(width)
        image.format = 0  // PNG_FORMAT_GRAY
        defer { png_image_free(&image) }
        guard png_image_write_to_file(&image, path, 0, pixels, Int32(width), nil) != 0 else {
            throw CommandFailure(code: "png", message: Phrase("cannot write \(path): \(message(of: &image))"))
        }
    }

    private static func message(of image: inout png_image) -> String {
        withUnsafeBytes(of: &image.message) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}
