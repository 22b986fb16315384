import CVersion

/// Which program this is.
package enum ProgramVersion {
    /// The version, by https://semver.org. This is its one place: `Scripts/release` changes it.
    package static let number = "0.1.0"

    /// The first digits of the commit that the program was built from, with `+` where its sources had changed; nil
    /// where the build knew none, as in unpacked sources, and in programs other than ours, such as tests.
    package static var commit: String? {
        let text = String(cString: program_commit_or_empty())
        return text.isEmpty ? nil : text
    }

    /// What `--version` says: `0.1.0 (0813d4c7)`.
    package static var text: String { commit.map { "\(number) (\($0))" } ?? number }
}
