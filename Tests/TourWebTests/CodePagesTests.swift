import Testing
import TourWeb

// Goal: only code that the program's file holds unchanged is given back.
// Method: lines as the system writes them.
@Suite struct CodePagesTests {
    @Test func codeOfTheProgramIsFound() {
        let program = "55a0b2c34000-55a0b4d66000 r-xp 00a34000 fe:00 1311 /usr/bin/tour chat"
        #expect(CodePages.codeRange(of: program, from: "/usr/bin/tour chat") == 0x55a0_b2c3_4000..<0x55a0_b4d6_6000)
        let padded = "7f0-7f8 r-xp 00000000 fe:00 12                         /a (deleted)"
        #expect(CodePages.codeRange(of: padded, from: "/a (deleted)") == 0x7f0..<0x7f8)
    }

    @Test(arguments: [
        "55a0b2000000-55a0b2c34000 r--p 00000000 fe:00 1311 /usr/bin/tour-chat",
        "55a0b4d67000-55a0b76b0000 rw-p 02b66000 fe:00 1311 /usr/bin/tour-chat",
        "55a0b4d67000-55a0b76b0000 rwxp 02b66000 fe:00 1311 /usr/bin/tour-chat",
        "7f0000-7f8000 r-xp 00000000 fe:00 12 /usr/lib/libc.so.6",
        "7f0-7f8 r-xp 0 fe:00 12 /usr/bin/tour-chat2",
        "7ffd1000-7ffd2000 r-xp 00000000 00:00 0                          [vdso]",
        "7f0000-7f8000 r-xp 00000000 00:00 0", "7f8-7f0 r-xp 0 fe:00 12 /usr/bin/tour-chat",
        "x-y r-xp 0 fe:00 12 /usr/bin/tour-chat",
        "7f0 r-xp 0 fe:00 12 /usr/bin/tour-chat", "", "r-xp",
    ]) func nothingElseIs(line: String) {
        #expect(CodePages.codeRange(of: line, from: "/usr/bin/tour-chat") == nil)
    }
}
