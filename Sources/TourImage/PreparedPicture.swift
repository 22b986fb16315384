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
    /// A new file that only this user can read; the caller removes it.
    package let path: String
    package let format: PictureFormat
    /// The size of its file.
    package let bytes: Int64
    /// In pixels, at most `Limits.pictureSideMax`.
    package let width: Int
    /// In pixels, at most `Limits.pictureSideMax`.
    package let height: Int
    /// A small JPEG, at most `Limits.thumbnailBytesMax` bytes.
    package let thumbnail: [UInt8]
}
