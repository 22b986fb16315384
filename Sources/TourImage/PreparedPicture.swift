/// What a file's header says of the picture in it.
package struct PictureFacts: Hashable, Sendable {
    package let format: PictureFormat
    /// In pixels, the way it is looked at: turned as the camera says.
    package let width: Int
    package let height: Int
}

/// A picture that is ready to be sent: turned, scaled, and without what its camera wrote about place, time and owner.
package struct PreparedPicture: Hashable, Sendable {
    /// A new file that only this user reads; whoever asked for it removes it.
    package let path: String
    package let format: PictureFormat
    package let bytes: Int64
    /// In pixels, at most `Limits.pictureSideMax`.
    package let width: Int
    package let height: Int
    /// A small JPEG, at most `Limits.thumbnailBytesMax` bytes.
    package let thumbnail: [UInt8]
}
