import TourModel

extension String {
    /// Whether nothing in it is visible.
    package var isBlank: Bool { looksEmpty }
}
