import CSanitizer
import FuzzSupport
import Glibc

/// Feeds one of the harnesses with what libFuzzer makes up. The environment names the harness, since all arguments are
/// libFuzzer's; see Scripts/fuzz.
package enum FuzzDriver {
    /// - Parameter targets: the harnesses of this program, by the names that the folders of Corpus have.
    package static func run<Target: FuzzTarget>(_ targets: Target.Type) -> Never {
        guard let name = getenv("TOUR_FUZZ_TARGET").map({ String(cString: $0) }), let target = Target(rawValue: name)
        else {
            let names = Target.allCases.map(\.rawValue).joined(separator: " ")
            stop("TOUR_FUZZ_TARGET names one of: \(names)", status: 2)
        }
        chosen = { target.run($0) }
        FixedChance.install()
        AllocationMeter.install()
        var count = CommandLine.argc
        var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
        exit(LLVMFuzzerRunDriver(&count, &arguments, testOneInput))
    }

    // Written once, before libFuzzer's one thread starts.
    fileprivate nonisolated(unsafe) static var chosen: ([UInt8]) -> Void = { _ in }

    static func stop(_ text: String, status: Int32) -> Never {
        complain(text)
        _exit(status)
    }
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    FixedChance.reset()
    FuzzDriver.chosen(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
