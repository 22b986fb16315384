import TourModel

/// What preparing a picture may cost. A picture that a stranger made is input like any other.
extension Limits {
    /// A picture's file: photographs have 2 to 40 MB.
    package static let pictureBytesMax = 128 * 1024 * 1024
    /// Its pixels, by its header: the largest sensor in common phones has 108 million.
    package static let picturePixelsMax = 120_000_000
    /// The long side of what is sent, in pixels: sharp on any screen of a phone, and half a megabyte to a megabyte.
    package static let pictureSideMax = 2_560
    /// What is sent is far smaller; a program that writes more is stopped.
    package static let picturePreparedBytesMax = 16 * 1024 * 1024
    /// The address space of a program at work: 108 million pixels of a progressive JPEG take 700 MiB. A HEIC of so many
    /// takes more and is refused.
    package static let pictureAddressSpaceBytes = 1024 * 1024 * 1024
    /// Processor time of one program, in seconds: 108 million pixels take three on a laptop, and a small computer has
    /// twenty times as long.
    package static let pictureProcessorSeconds = 60
    /// The same on a clock, where the machine has more to do.
    package static let pictureTime: Duration = .seconds(90)
    /// To tell what kind a file is takes milliseconds, and a file can be sent without.
    package static let mediaTypeTime: Duration = .seconds(5)
    /// Files that a program has open at a time, its libraries while it loads them among them.
    package static let pictureOpenFilesMax = 64
    /// What a program says of a file: one line.
    package static let pictureWordsBytesMax = 4 * 1024
    /// What it complains of: a few lines.
    package static let pictureComplaintBytesMax = 16 * 1024
    /// A thumbnail stays below this where it can: its event crosses a radio with little room.
    package static let thumbnailBytesAim = 6 * 1024
    /// A file is known by its first bytes.
    package static let pictureSignatureBytes = 12
}
