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
    package var english: String {
        switch self {
        case .programMissing(let program): "\(program.rawValue) is not installed"
        case .unreadable(let code): "the file cannot be read (code \(code))"
        case .notAFile: "no regular file"
        case .empty: "the file is empty"
        case .tooLong(let bytes): "the file has \(bytes) bytes, more than are prepared"
        case .notAPicture: "no JPEG, PNG, WebP or HEIC"
        case .tooManyPixels(let width, let height): "\(width) x \(height) pixels are more than are prepared"
        case .damaged: "damaged, cut short or of an unusual kind"
        case .noDecoder(let format): "libvips has no decoder for \(format.rawValue)"
        case .tooCostly: "decoding takes too much memory, time or space"
        case .unwritable(let code): "the prepared picture cannot be written (code \(code))"
        case .cancelled: "cancelled"
        }
    }
}
