/// Something that the user can do, which advice names.
package enum UserAction: Hashable, Sendable, CaseIterable {
    /// Make a tour.
    case createTour
    /// Enter a tour with a code.
    case joinTour
    /// End the tour for everybody.
    case closeTour
    /// Leave the tour.
    case leaveTour
}
