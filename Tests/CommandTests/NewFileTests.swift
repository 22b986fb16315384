import Glibc
import Testing
import TourClient

/// Goal: no command writes over a file unless it was told to.
/// Method: a real file, a dangling link and a free name under /tmp.
@Suite struct NewFileTests {
    @Test func whatIsThereStays() throws {
        var template = Array("/tmp/tour-commands-XXXXXX".utf8CString)
        let made = mkdtemp(&template)
        try #require(made != nil)
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let file = directory + "/trip.backup"
        let link = directory + "/link"
        defer {
            unlink(file)
            unlink(link)
            rmdir(directory)
        }
        #expect(throws: Never.self) { try NewFile.check(file, mayReplace: false) }
        close(open(file, O_WRONLY | O_CREAT, 0o600))
        symlink("/nowhere/at/all", link)
        for path in [file, link] {
            let failure = #expect(throws: CommandFailure.self) { try NewFile.check(path, mayReplace: false) }
            #expect(failure?.code == "file-exists")
            #expect(throws: Never.self) { try NewFile.check(path, mayReplace: true) }
        }
    }
}
