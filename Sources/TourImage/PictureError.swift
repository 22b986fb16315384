import SystemPackage
import TourModel

/// Why a file is not sent as a picture. Scope: that file.
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
    /// Its pictures follow each other, and a prepared one would stand still.
    case moving
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

    package var code: String { told.code }
    package var english: String { told.english }

    private var told: (code: String, english: String) {
        switch self {
        case .programMissing(let program): ("picture-tool-missing", "\(program.rawValue) is not installed")
        case .unreadable(let code): ("picture-unreadable", "the file cannot be read (code \(code))")
        case .notAFile: ("picture-no-file", "no regular file")
        case .empty: ("picture-empty", "the file is empty")
        case .tooLong(let bytes): ("picture-too-long", "the file has \(bytes) bytes, more than are prepared")
        case .notAPicture: ("picture-unknown-format", "no JPEG, PNG, WebP or HEIC")
        case .moving: ("picture-moving", "several pictures that follow each other")
        case .tooManyPixels(let width, let height):
            ("picture-too-many-pixels", "\(width) x \(height) pixels are more than are prepared")
        case .damaged: ("picture-damaged", "damaged, cut short or of an unusual kind")
        case .noDecoder(let format): ("picture-no-decoder", "libvips has no decoder for \(format.rawValue)")
        case .tooCostly: ("picture-too-costly", "decoding takes too much memory, time or space")
        case .unwritable(let code): ("picture-unwritable", "the prepared picture cannot be written (code \(code))")
        case .cancelled: ("picture-cancelled", "cancelled")
        }
    }
}
