import TourModel

/// Limits for preparing a picture. A stranger's picture is input like any other.
extension Limits {
    /// A picture's file: photographs have 2 to 40 MB.
    package static let pictureBytesMax = 128 * 1024 * 1024
    /// Its pixels, by its header: the largest sensor in common phones has 108 million.
    package static let picturePixelsMax = 120_000_000
    /// The long side of a sent picture, in pixels: sharp on any phone's screen, and half a megabyte to a megabyte.
    package static let pictureSideMax = 2_560
    /// A sent picture is far smaller; a program that writes more is stopped.
    package static let picturePreparedBytesMax = 16 * 1024 * 1024
    /// The address space of a working program: 108 million pixels of a progressive JPEG need 700 MiB. A HEIC with as
    /// many needs more and is refused.
    package static let pictureAddressSpaceBytes = 1024 * 1024 * 1024
    /// Processor time of one program, in seconds: 108 million pixels need three on a laptop; the limit leaves a small
    /// computer twenty times as long.
    package static let pictureProcessorSeconds = 60
    /// The same on a clock, for a busy machine.
    package static let pictureTime: Duration = .seconds(90)
    /// Detecting a file's type takes milliseconds, and a file can be sent without its type.
    package static let mediaTypeTime: Duration = .seconds(5)
    /// Files that a program has open at a time, including its libraries while it loads them.
    package static let pictureOpenFilesMax = 64
    /// A program's output about a file: one line.
    package static let pictureWordsBytesMax = 4 * 1024
    /// A program's error messages: a few lines.
    package static let pictureComplaintBytesMax = 16 * 1024
    /// A thumbnail stays below this where possible: its event crosses radios with little capacity.
    package static let thumbnailBytesAim = 6 * 1024
    /// The first bytes of a file show its format.
    package static let pictureSignatureBytes = 12
}
