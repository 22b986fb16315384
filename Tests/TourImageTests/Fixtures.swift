import Foundation

/// Small pictures that the tests cannot write themselves: 128 x 64 pixels, the left half (220, 30, 30), the right half
/// (30, 30, 220); and what cameras write into theirs.
enum Fixture {
    static let red: [UInt8] = [220, 30, 30]
    static let blue: [UInt8] = [30, 30, 220]

    static let png = PNGWriter(width: 128, height: 64).halves(red, blue)

    static let heic = decoded(
        """
        AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAUJtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAA
        AA5waXRtAAAAAAABAAAAImlsb2MAAAAAREAAAQABAAAAAAFmAAEAAAAAAAAAMQAAACNpaW5mAAAAAAABAAAAFWluZmUCAAAAAAEA
        AGh2YzEAAAAAwmlwcnAAAACkaXBjbwAAAHhodmNDAQNwAAAAAAAAAAAAHvAA/P34+AAADwMgAAEAGEABDAH//wNwAAADAJAAAAMA
        AAMAHroCQCEAAQArQgEBA3AAAAMAkAAAAwAAAwAeoBAgQWW6kkprm4EBAwIAAAMAAgAAAwACECIAAQAHRAHBcrAiQAAAABRpc3Bl
        AAAAAAAAAIAAAABAAAAAEHBpeGkAAAAAAwgICAAAABZpcG1hAAAAAAAAAAEAAQOBAoMAAAA5bWRhdAAAAC0oAa8TgOaocNP//aBR
        //AJnh+T3MtJ5vZQB//wo4I/qF4f/k0jlKx//vbYL8A=
        """)

    /// With EXIF data in it.
    static let webp = decoded(
        """
        UklGRlIBAABXRUJQVlA4WAoAAAAIAAAAfwAAPwAAVlA4IHIAAACwBQCdASqAAEAAPrVap06nJSOiJRZoAOAWiWcA0Tac/iSAELkl
        Bk2/pZaEl9FYCXsX0PmRzeAA/upl/+H+rr1rf/ziXAWGfQR4NQPJDnjqsbMbUVX/EP19LTJsIvUwCik4XWD5xeQNupGiyYXxy0AA
        AABFWElGugAAAEV4aWYAAElJKgAIAAAABgASAQMAAQAAAAEAAAAaAQUAAQAAAFYAAAAbAQUAAQAAAF4AAAAoAQMAAQAAAAIAAAAT
        AgMAAQAAAAEAAABphwQAAQAAAGYAAAAAAAAAOGMAAOgDAAA4YwAA6AMAAAYAAJAHAAQAAAAwMjEwAZEHAAQAAAABAgMAAKAHAAQA
        AAAwMTAwAaADAAEAAAD//wAAAqAEAAEAAACAAAAAA6AEAAEAAABAAAAAAAAAAA==
        """)

    private static func decoded(_ text: String) -> [UInt8] {
        Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(Array.init) ?? []
    }

    /// The same picture as a JPEG, made by libvips.
    static func jpeg(_ folder: PictureFolder) throws -> [UInt8] {
        let source = try folder.file("source.png", png)
        try PictureFolder.vips("copy", source, folder.path + "/in/made.jpg[Q=90]")
        return try PictureFolder.bytes(folder.path + "/in/made.jpg")
    }

    /// Puts into a JPEG what a camera tells of itself, its owner and the place: EXIF with the orientation 6 and a
    /// position, XMP, and a comment. Source: CIPA DC-008, JPEG's annex B.
    static func withCameraWords(_ jpeg: [UInt8]) -> [UInt8] {
        let name = Array("http://ns.adobe.com/xap/1.0/\0<x:xmpmeta owner='Camera owner'/>".utf8)
        let added =
            segment(0xE1, Array("Exif\0\0".utf8) + tiff) + segment(0xE1, name)
            + segment(0xFE, Array("by Camera owner".utf8))
        return jpeg.prefix(2) + added + jpeg.dropFirst(2)
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// Source: TIFF 6.0, section 2: a directory with the maker (0x10F), the orientation (0x112) and the place of
    /// another (0x8825), which has the reference (1) and the latitude (2).
    private static let tiff: [UInt8] = {
        func short(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
        func long(_ value: Int) -> [UInt8] { short(value >> 16) + short(value & 0xFFFF) }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            short(tag) + short(type) + long(count) + value
        }
        let first = short(3) + entry(0x10F, 2, 4, Array("Cam\0".utf8)) + entry(0x112, 3, 1, short(6) + short(0))
        let places = 8 + first.count + 12 + 4
        let place = short(2) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, long(places + 30)) + long(0)
        let latitude = [47, 1, 6, 1, 0, 1].flatMap(long)
        return Array("MM\0*".utf8) + long(8) + first + entry(0x8825, 4, 1, long(places)) + long(0) + place + latitude
    }()
}
