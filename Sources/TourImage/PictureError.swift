import SystemPackage
import TourModel
import TourWords

/// Why a file is not sent as a picture. Scope: that file. The words are for people and say what to do.
package enum PictureError: Fault, Hashable {
    /// A program that prepares pictures is not installed.
    case programMissing(PictureProgram)
    /// The file cannot be read, with the system's `errno`.
    case unreadable(code: Int32)
    /// A directory, a pipe or a device.
    case notAFile
    /// It has no bytes.
    case empty
    /// It has more than `PictureTool.fileBytesMax`.
    case tooLong(bytes: Int64)
    /// By its first bytes it is no JPEG, PNG, WebP or HEIC.
    case notAPicture
    /// By its header it has more than `PictureTool.pixelsMax`.
    case tooManyPixels(width: Int, height: Int)
    /// It is truncated, contradicts itself, or uses features that libvips does not know.
    case damaged
    /// The format's decoder is not installed.
    case noDecoder(PictureFormat)
    /// Decoding it needs more memory, time or space than `ChildBounds` allows.
    case tooCostly
    /// The prepared picture cannot be written, with the system's `errno`.
    case unwritable(code: Int32)
    /// The waiting task was cancelled.
    case cancelled

    package var scope: FaultScope { .record }

    package var code: String {
        switch self {
        case .programMissing: "picture-tool-missing"
        case .unreadable: "picture-unreadable"
        case .notAFile: "picture-no-file"
        case .empty: "picture-empty"
        case .tooLong: "picture-too-long"
        case .notAPicture: "picture-unknown-format"
        case .tooManyPixels: "picture-too-many-pixels"
        case .damaged: "picture-damaged"
        case .noDecoder: "picture-no-decoder"
        case .tooCostly: "picture-too-costly"
        case .unwritable: "picture-unwritable"
        case .cancelled: "picture-cancelled"
        }
    }

    package var phrase: Phrase {
        switch self {
        case .programMissing(let program): program.advice
        case .unreadable(let code): Phrase("the picture cannot be read: \(Errno(rawValue: code).description)")
        case .notAFile: Phrase("this is a directory or a device: name a file")
        case .empty: Phrase("the file is empty: there is no picture in it")
        case .tooLong(let bytes):
            Phrase(
                """
                the picture has \(bytes >> 20) MiB, and no more than \(PictureTool.fileBytesMax >> 20) MiB are \
                prepared: make it smaller, or send it as a file
                """)
        case .notAPicture: Phrase("this is no JPEG, PNG, WebP or HEIC picture: send it as a file")
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
            Phrase("the prepared picture cannot be written: \(Errno(rawValue: code).description)")
        case .cancelled: Phrase("the picture was not prepared: it was called off")
        }
    }
}
