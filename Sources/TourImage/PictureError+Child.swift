import Glibc

extension PictureError {
    /// - Parameter fault: how a program ended that worked on a picture of this format.
    init(_ fault: ChildFault, _ format: PictureFormat) {
        self =
            switch fault {
            case .failed(let words): Self.of(words, format)
            case .timedOut: .tooCostly
            case .killed(let signal): Self.of(signal)
            case .tooManyWords: .damaged
            case .cancelled: .cancelled
            case .notStarted: .programMissing(.limits)
            }
    }

    /// libvips reports errors in words only, without numbers.
    private static func of(_ words: String, _ format: PictureFormat) -> PictureError {
        if words.contains("No space left on device") { return .unwritable(code: ENOSPC) }
        if words.contains("memory") { return .tooCostly }
        let noDecoder = ["not in a known format", "undefined bits per pixel", "nsupported codec", "lugin"]
        return format == .heic && noDecoder.contains(where: words.contains) ? .noDecoder(format) : .damaged
    }

    /// A program that exceeds a limit ends by one of these signals; where memory is refused, some libraries abort.
    private static func of(_ signal: Int32) -> PictureError {
        [SIGXCPU, SIGXFSZ, SIGKILL, SIGABRT, SIGTRAP].contains(signal) ? .tooCostly : .damaged
    }
}
