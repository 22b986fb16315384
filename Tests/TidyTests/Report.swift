import Testing

/// What a failed check says: how many places, and each on a line of its own.
func report(_ places: [String]) -> Comment {
    Comment(rawValue: "\(places.count) places\n" + places.joined(separator: "\n"))
}
