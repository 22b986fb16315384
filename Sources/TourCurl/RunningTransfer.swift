import CCurl
import NIOHTTP1
import TourModel

/// A transfer with its handle, which libcurl's callbacks receive.
final class RunningTransfer {
    let transfer: Transfer
    let handle: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?
    private let begin = ContinuousClock.now
    /// When a byte was last sent or received.
    private var lastByte = ContinuousClock.now
    /// The library's words about the error.
    private let words = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))

    init(_ transfer: Transfer, _ handle: UnsafeMutableRawPointer) {
        self.transfer = transfer
        self.handle = handle
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    }

    deinit {
        curl_easy_cleanup(handle)
        curl_slist_free_all(lines)
        words.deallocate()
    }

    static func of(_ handle: UnsafeMutableRawPointer?) -> RunningTransfer? {
        guard let handle, let owner = curl_transfer_owner(handle) else { return nil }
        return Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    }

    // MARK: The request

    /// - Returns: false where the library rejects an option.
    func configure() -> Bool {
        let owner = Unmanaged.passUnretained(self).toOpaque()
        let isPrepared =
            curl_transfer_set_text(handle, CURLOPT_ERRORBUFFER, words) == CURLE_OK
            && curl_transfer_set_owner(handle, owner) == CURLE_OK
            && curl_transfer_set_sinks(handle, onHead, onBody) == CURLE_OK
            && set([(CURLOPT_NOSIGNAL, 1), (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))])
            // No proxy: only the machine that was named may see the tokens.
            && set([(CURLOPT_PROXY, "")])
        guard isPrepared else { return false }
        return switch transfer.content {
        case .request(let outgoing): configure(outgoing)
        case .mail(let mail): configure(mail)
        }
    }

    private func configure(_ outgoing: OutgoingRequest) -> Bool {
        set([
            (CURLOPT_FOLLOWLOCATION, 0), (CURLOPT_PATH_AS_IS, 1), (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
        ])
            && set([
                (CURLOPT_PROTOCOLS_STR, "http,https"), (CURLOPT_URL, outgoing.address),
                (CURLOPT_CUSTOMREQUEST, outgoing.method.rawValue),
            ]) && setBody(outgoing) && setHeaders(outgoing)
    }

    private func configure(_ mail: OutgoingMail) -> Bool {
        // The path is the name by which the server is greeted: without one the library tells this machine's first.
        var texts: [(CURLoption, String)] = [
            (CURLOPT_PROTOCOLS_STR, "smtp,smtps"), (CURLOPT_URL, mail.address + "/" + mail.hello),
            (CURLOPT_MAIL_FROM, mail.sender),
        ]
        if let login = mail.login {
            texts.append((CURLOPT_USERNAME, login.user))
            switch login.secret {
            case .password(let password):
                texts += [(CURLOPT_PASSWORD, password), (CURLOPT_LOGIN_OPTIONS, "AUTH=PLAIN;AUTH=LOGIN")]
            case .token(let token):
                texts += [
                    (CURLOPT_XOAUTH2_BEARER, token), (CURLOPT_LOGIN_OPTIONS, "AUTH=OAUTHBEARER;AUTH=XOAUTH2"),
                ]
            }
        }
        if mail.requiresTLS, !set([(CURLOPT_USE_SSL, curl_transfer_tls_only)]) { return false }
        return set([(CURLOPT_UPLOAD, 1)]) && set(texts)
            && setSource(length: Int64(mail.message.count)) && setList(CURLOPT_MAIL_RCPT, [mail.recipient])
    }

    private func set(_ numbers: [(CURLoption, Int)]) -> Bool {
        numbers.allSatisfy { curl_transfer_set_long(handle, $0.0, $0.1) == CURLE_OK }
    }

    private func set(_ texts: [(CURLoption, String)]) -> Bool {
        texts.allSatisfy { curl_transfer_set_text(handle, $0.0, $0.1) == CURLE_OK }
    }

    private func setSource(length: Int64) -> Bool {
        curl_transfer_set_size(handle, CURLOPT_INFILESIZE_LARGE, curl_off_t(length)) == CURLE_OK
            && curl_transfer_set_source(handle, onSource) == CURLE_OK
    }

    private func setBody(_ outgoing: OutgoingRequest) -> Bool {
        if outgoing.pieces != nil || outgoing.isSentOnce {
            // On a new connection: pieces sent on a dead one could not be sent again.
            guard set([(CURLOPT_FRESH_CONNECT, 1)]) else { return false }
        }
        if let pieces = outgoing.pieces { return set([(CURLOPT_UPLOAD, 1)]) && setSource(length: pieces.length) }
        if outgoing.method == .HEAD { return set([(CURLOPT_NOBODY, 1)]) }
        guard !outgoing.body.isEmpty || [.POST, .PUT, .PATCH].contains(outgoing.method) else { return true }
        let size = curl_off_t(outgoing.body.count)
        return curl_transfer_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, size) == CURLE_OK
            && (outgoing.body + [0]).withUnsafeBytes { bytes in
                let text = bytes.bindMemory(to: CChar.self).baseAddress
                return curl_transfer_set_text(handle, CURLOPT_COPYPOSTFIELDS, text) == CURLE_OK
            }
    }

    private func setHeaders(_ outgoing: OutgoingRequest) -> Bool {
        // Suppresses headers that the library would add by itself, unless the outgoing sets them.
        // A header without a value is written with a semicolon.
        var said = outgoing.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" } + ["Expect:"]
        for name in ["Content-Type", "Accept"] where !outgoing.headers.contains(name: name) { said.append("\(name):") }
        return setList(CURLOPT_HTTPHEADER, said)
    }

    private func setList(_ option: CURLoption, _ texts: [String]) -> Bool {
        for text in texts {
            // A line break in a header would make it two headers, and in an address two commands.
            guard !text.utf8.contains(where: { $0 < 0x20 }), let more = curl_slist_append(lines, text) else {
                return false
            }
            lines = more
        }
        return curl_transfer_set_list(handle, option, lines) == CURLE_OK
    }

    // MARK: The answer

    /// A callback was called, so bytes were transferred.
    func stir() { lastByte = .now }

    /// Whether the peer has neither sent nor accepted a byte for this long. Time spent waiting for our side does not
    /// count.
    func isSilent(for time: Duration) -> Bool {
        if transfer.waitsForUs { stir() }
        return ContinuousClock.now - lastByte > time
    }

    /// Whether the head of the answer should have come by now.
    var isLate: Bool {
        guard case .request(let outgoing) = transfer.content, let timeout = outgoing.headTimeout, status < 200 else {
            return false
        }
        return ContinuousClock.now - begin > timeout
    }

    var status: Int { curl_transfer_status(handle) }

    func finish(_ result: CURLcode) {
        transfer.finish(result == CURLE_OK ? nil : fault(result), status: status)
    }

    private func fault(_ result: CURLcode) -> TransferError {
        let kind: TransferError.Kind =
            switch result {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT: .unreachable
            case CURLE_OPERATION_TIMEDOUT: .timeout
            case CURLE_SSL_CACERT_BADFILE: .badAuthority
            case CURLE_PEER_FAILED_VERIFICATION: .certificate
            case CURLE_SSL_CONNECT_ERROR: hasBrokenOff ? .broken : .certificate
            default: .broken
            }
        let words = said.isEmpty ? String(cString: curl_easy_strerror(result)) : said
        return TransferError(kind, words, isRefusal: isRefusal(result))
    }

    /// Whether a mail server's last word is about this mail: about its sender or recipient, or about its content. 530
    /// is about the account at that server.
    /// Source: RFC 5321, section 4.2.1; RFC 4954, section 6.
    private func isRefusal(_ result: CURLcode) -> Bool {
        guard case .mail = transfer.content, (500..<600).contains(status), status != 530 else { return false }
        return result == CURLE_SEND_ERROR || transfer.hasSent
    }

    private var said: String { String(cString: words) }

    /// A connection that broke off during the handshake proves nothing about the peer.
    private var hasBrokenOff: Bool {
        ["SSL_ERROR_SYSCALL", "unexpected eof", "reset by peer"].contains { said.contains($0) }
    }
}

private let onHead: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return running.transfer.head(line) ? line.count : 0
}

private let onBody: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
    return switch running.transfer.receive(part, status: running.status) {
    case .all: part.count
    case .later: Int(CURL_WRITEFUNC_PAUSE)
    case .no: 0
    }
}

private let onSource: curl_transfer_sink = { bytes, size, count, owner in
    guard let bytes, let owner else { return 0 }
    let running = Unmanaged<RunningTransfer>.fromOpaque(owner).takeUnretainedValue()
    running.stir()
    let room = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
    return switch running.transfer.fill(room) {
    case .bytes(let count): count
    case .later: Int(CURL_READFUNC_PAUSE)
    case .cutShort: Int(CURL_READFUNC_ABORT)
    }
}
