import Glibc
import TourPresentation
import TourWords

/// A passphrase in a file.
enum SecretFile {
    /// The file's bytes without one line break at the end.
    static func read(_ path: String) throws(CommandFailure) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system(Phrase("cannot read the passphrase file \(path)"), errno: errno) }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: HiddenLineEditor.bytesMax)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw .system(Phrase("cannot read the passphrase file \(path)"), errno: errno) }
        bytes.removeSubrange(count...)
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        guard !bytes.isEmpty else {
            throw CommandFailure(
                code: "passphrase-empty", message: Phrase("the passphrase file \(path) is empty"),
                advice: .givePassphrase)
        }
        return bytes
    }
}
