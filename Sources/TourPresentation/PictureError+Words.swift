import Glibc
import TourImage
import TourWords

extension PictureProgram {
    /// The missing program, and how to install it.
    package var advice: Phrase { Phrase("\(rawValue) is not installed: sudo apt install \(package)") }
}

extension PictureError: SpokenFault {
    package func phrase(on surface: any Surface) -> Phrase {
        switch self {
        case .programMissing(let program): program.advice
        case .unreadable(let code): Phrase("the picture cannot be read: \(Self.reason(code))")
        case .notAFile: Phrase("this is a directory or a device: name a file")
        case .empty: Phrase("the file is empty: there is no picture in it")
        case .tooLong(let bytes):
            Phrase(
                """
                the picture has \(bytes >> 20) MiB, and no more than \(PictureTool.fileBytesMax >> 20) MiB are \
                prepared: make it smaller, or send it as a file
                """)
        case .notAPicture: Phrase("this is no JPEG, PNG, WebP or HEIC picture: send it as a file")
        case .moving: Phrase("the picture moves, and would stand still: send it as a file")
        case .tooManyPixels(let width, let height):
            Phrase(
                """
                the picture has \(width) x \(height) pixels, and no more than \
                \(PictureTool.pixelsMax / 1_000_000) million are prepared: make it smaller, or send it as a file
                """)
        case .damaged:
            Phrase("the picture is damaged, cut short or of an unusual kind: take another copy, or send it as a file")
        case .noDecoder(let format):
            Phrase(
                """
                libvips cannot read \(format.rawValue.uppercased()) on this machine: convert the picture to JPEG, \
                or send it as a file
                """)
        case .tooCostly:
            Phrase(
                """
                preparing the picture takes too much memory or time on this machine: make it smaller, or send it \
                as a file
                """)
        case .unwritable(let code):
            Phrase("the prepared picture cannot be written: \(Self.reason(code))")
        case .cancelled: Phrase("the picture was not prepared: it was called off")
        }
    }

    /// The system's own words.
    private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}
