import TourCurl

extension Failure {
    /// A part of the server that speaks to other machines cannot be set up.
    /// - Parameter part: its name for the operator: `--sms twilio`.
    package init(_ error: TransferError, settingUp part: String) {
        let cause =
            error.kind == .noLibrary
            ? "libcurl.so.4 is missing, which \(part) needs: install the package libcurl4" : "\(part): \(error)"
        self.init(.unavailable, cause: cause)
    }
}
