/// The properties of a picture, from its file's header.
package struct PictureFacts: Hashable, Sendable {
    package let format: PictureFormat
    /// In pixels, as displayed: turned as the camera says.
    package let width: Int
    /// In pixels, as displayed.
    package let height: Int
}

/// A picture that is ready to be sent: turned, scaled, and without its camera's records of place, time and owner.
package struct PreparedPicture: Hashable, Sendable {
    /// The long side of a sent picture, in pixels: sharp on any phone's screen, and half a megabyte to a megabyte.
    package static let sideMax = 2_560
    /// A sent picture is far smaller; a program that writes more is stopped.
    static let bytesMax = 16 * 1024 * 1024
    /// A thumbnail stays below this where possible: its event crosses radios with little capacity.
    package static let thumbnailBytesAim = 6 * 1024

    /// A new file that only this user can read; the caller removes it.
    package let path: String
    package let format: PictureFormat
    /// The size of its file.
    package let bytes: Int64
    /// In pixels, at most `PreparedPicture.sideMax`.
    package let width: Int
    /// In pixels, at most `PreparedPicture.sideMax`.
    package let height: Int
    /// A small JPEG, at most `Limits.thumbnailBytesMax` bytes.
    package let thumbnail: [UInt8]
}
