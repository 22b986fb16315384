extension String {
    /// Nothing that can be seen.
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}
