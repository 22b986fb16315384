import TourModel
import TourWire

/// An act of a guest, ready to be sealed.
package enum SeatContent: Sendable {
    /// - Parameter blob: the picture that it names, which is in the store.
    case content(Content, BlobID?)
    case leave
}
