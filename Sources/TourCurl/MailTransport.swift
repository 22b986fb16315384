import TourModel

/// SMTP by libcurl.
/// Source: RFC 5321; RFC 3207 for STARTTLS; RFC 4954 for AUTH; RFC 6531 for other addresses than ASCII's.
package struct MailTransport: Sendable {
    private let authority: String?

    /// - Parameter authority: a PEM file with the certificates of authorities to trust instead of the system's.
    /// - Throws: `badAuthority` for a file that holds none, `noLibrary` where libcurl is not installed.
    package init(authority: String? = nil) throws(TransferError) {
        try TransferLoop.require(authority: authority)
        self.authority = authority
    }

    /// Returns once the mail server has taken the mail.
    package func send(_ mail: OutgoingMail) async throws(TransferError) {
        // The library waits for a mail server's last answers inside its own calls: on a thread of its own a slow one
        // delays nothing else, and nobody waits until it has said goodbye.
        let loop = TransferLoop(
            authority: authority, limits: TransferLimits(connect: mail.timeout, silence: mail.timeout))
        defer { loop.shut() }
        _ = try await loop.exchange(Transfer(mail))
    }
}
