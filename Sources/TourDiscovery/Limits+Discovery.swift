import TourModel

extension Limits {
    /// The most tags in one record. Source: `Protocol/02-discovery.md`.
    package static let discoveryTagsMax = 5
    /// The most tags of tours that a node announces for askers. Source: `Protocol/14-asking.md`.
    package static let askTagsMax = 4
}
