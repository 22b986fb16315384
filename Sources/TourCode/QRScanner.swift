import CZBar

/// Finds QR codes in grey pictures, as a camera takes them.
package enum QRScanner {
    /// Modules on a side of the smallest code: a picture with fewer pixels shows none. Source: ISO/IEC 18004, section
    /// 5.1.
    package static let sideMin = 21
    /// The longest side of a picture, in pixels.
    package static let sideMax = 1_920
    /// A picture of 1920×1080 in either orientation.
    package static let pixelsMax = 1_920 * 1_080
    /// How many codes are read from one picture.
    static let textsMax = 16
    /// The library's name for one grey byte a pixel. Source: zbar.h, "fourcc".
    private static let grey = "Y800".utf8.reversed().reduce(UInt(0)) { $0 << 8 | UInt($1) }

    /// Whether codes can be read on this machine.
    package static let isAvailable = code_reader_library_load("libzbar.so.0")

    /// Whether this may be a picture's size: to be checked before its bytes are read.
    package static func fits(width: Int, height: Int) -> Bool {
        let sides = sideMin...sideMax
        return sides.contains(width) && sides.contains(height) && width * height <= pixelsMax
    }

    /// The texts of all codes in a picture, each once, in no particular order; takes some 10 ms. Invalid UTF-8 is
    /// repaired.
    /// - Parameter pixels: row by row from the top, 0 is black.
    /// - Throws: `badFrame`, `noScanner`.
    package static func texts(in pixels: [UInt8], width: Int, height: Int) throws(CodeError) -> [String] {
        guard fits(width: width, height: height), pixels.count == width * height else { throw .badFrame }
        guard isAvailable, let scanner = zbar_image_scanner_create() else { throw .noScanner }
        defer { zbar_image_scanner_destroy(scanner) }
        // We need no other kinds of codes, and their decoders would be one more risk.
        zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        // The library must not announce codes on the bus.
        zbar_image_scanner_request_dbus(scanner, 0)
        guard let image = zbar_image_create() else { throw .noScanner }
        defer { zbar_image_destroy(image) }
        zbar_image_set_format(image, grey)
        zbar_image_set_size(image, UInt32(width), UInt32(height))
        return pixels.withUnsafeBytes { bytes in
            // The bytes stay ours.
            zbar_image_set_data(image, bytes.baseAddress, UInt(bytes.count), nil)
            guard zbar_scan_image(scanner, image) > 0 else { return [] }
            return texts(of: image)
        }
    }

    private static func texts(of image: OpaquePointer) -> [String] {
        var texts: [String] = []
        var next = zbar_image_first_symbol(image)
        while let symbol = next, texts.count < textsMax {
            next = zbar_symbol_next(symbol)
            guard let data = zbar_symbol_get_data(symbol) else { continue }
            let bytes = UnsafeRawBufferPointer(start: data, count: Int(zbar_symbol_get_data_length(symbol)))
            let text = String(decoding: bytes, as: UTF8.self)
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
        }
        return texts
    }
}
