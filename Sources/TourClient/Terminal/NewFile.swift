import ArgumentParser
// The module that declares `stat`, this one or Glibc, depends on the order in which the compiler meets them.
import CDispatch
import Glibc
import TourPresentation
import TourWords

/// A file that a command is about to write.
package enum NewFile {
    /// - Throws: when something has that name already, unless it may be replaced.
    package static func check(_ path: String, mayReplace: Bool) throws(CommandFailure) {
        guard !mayReplace else { return }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        throw CommandFailure(
            code: "file-exists", message: Phrase("there is a file \(path) already"), advice: .replaceFile)
    }
}

/// For commands that write a file.
struct Replacing: ParsableArguments {
    @Flag(help: ArgumentHelp(Phrase("Replace a file of that name.")))
    var force = false
}
