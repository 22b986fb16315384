/// Why a document is not printed.
package enum PrintError: Error, Hashable, Sendable {
    /// Scope: this computer. Pango, Cairo or any font is missing.
    case unavailable
    /// Scope: this document. More text or pages than `PrintLimits` allows.
    case tooLong
    /// Scope: this attempt. Cairo's words, in English.
    case failed(reason: String)
}
