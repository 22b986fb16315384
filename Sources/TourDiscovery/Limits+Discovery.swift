import TourModel

extension Limits {
    /// The most tags in one record. Source: `Protocol/02-discovery.md`.
    package static let discoveryTagsMax = 5
}
