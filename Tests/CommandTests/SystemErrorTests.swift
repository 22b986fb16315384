import Glibc
import Testing
import TourClient
import TourWords

/// Goal: what the system refuses is said in words that people read, in their language.
/// Method: the error numbers that they meet, and one that nobody does.
@Suite struct SystemErrorTests {
    @Test(arguments: [EACCES, ENOENT, ENOTDIR, EISDIR, EROFS, ENAMETOOLONG, ENOSPC, EMFILE, EADDRINUSE])
    func whatHappensIsTranslated(code: Int32) {
        let words = SystemError.words(code)
        #expect(words.said(in: .german) != words.english)
    }

    @Test func anythingElseIsTheSystemsWord() {
        #expect(SystemError.words(EPIPE).english == "Broken pipe")
    }
}
