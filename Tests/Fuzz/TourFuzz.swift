import CSanitizer
import Glibc

/// Feeds one of the harnesses with what libFuzzer makes up. The environment names the harness, since all arguments are
/// libFuzzer's; see Scripts/fuzz.
@main
enum TourFuzz {
    static func main() {
        guard let name = getenv("TOUR_FUZZ_TARGET").map({ String(cString: $0) }),
            let target = FuzzTarget(rawValue: name)
        else {
            let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: " ")
            stop("TOUR_FUZZ_TARGET names one of: \(names)", status: 2)
        }
        chosen = target
        isTelling = getenv("TOUR_FUZZ_TELL") != nil
        Scratch.removeAtExit()
        FixedChance.install()
        AllocationMeter.install()
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }

    // Written once, before libFuzzer's one thread starts.
    fileprivate nonisolated(unsafe) static var chosen: FuzzTarget?

    /// Whether what a node answers is shown, for whoever writes an input.
    nonisolated(unsafe) static var isTelling = false

    static func stop(_ text: String, status: Int32) -> Never {
        complain(text)
        _exit(status)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FixedChance.reset()
    TourFuzz.chosen?.run(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
