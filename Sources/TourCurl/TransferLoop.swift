import CCurl
import Foundation
import Synchronization
import TourModel

/// A thread that carries out exchanges by libcurl, all of a transport's at once, so that they share connections. It
/// starts with the first exchange and ends some seconds after the last: between two syncs nothing is held open.
final class TransferLoop: Sendable {
    private static let isAvailable = curl_library_load("libcurl.so.4") && curl_transfer_prepare() == CURLE_OK

    /// More than the authorities of any system.
    private static let authorityBytesMax = 4 * 1024 * 1024
    private static let idleTime = Duration.seconds(5)
    private static let stackBytes = 256 * 1024

    private enum Order {
        case start(Transfer)
        case resume(Transfer)
        case end(Transfer)

        var transfer: Transfer {
            switch self {
            case .start(let transfer), .resume(let transfer), .end(let transfer): transfer
            }
        }
    }

    /// A list of libcurl's transfers. Only the thread uses it, except for waking the thread, which libcurl allows.
    private struct Handle: @unchecked Sendable {
        let pointer: UnsafeMutableRawPointer
    }

    private struct State {
        var orders = [Order]()
        /// While the thread runs and can be woken.
        var handle: Handle?
        var isRunning = false
        var isClosed = false
        var closers = [CheckedContinuation<Void, Never>]()
    }

    private let authority: String?
    private let limits: TransferLimits
    private let state = Mutex(State())

    /// - Parameter authority: a PEM file of the authorities to trust instead of the system's.
    init(authority: String?, limits: TransferLimits) {
        self.authority = authority
        self.limits = limits
    }

    /// - Throws: `noLibrary`, or `badAuthority` for a file that holds no certificate.
    static func require(authority: String?) throws(TransferError) {
        guard isAvailable else { throw TransferError(.noLibrary) }
        if let authority, !holdsCertificate(authority) { throw TransferError(.badAuthority) }
    }

    /// Whether a PEM file holds at least one certificate.
    private static func holdsCertificate(_ path: String) -> Bool {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: authorityBytesMax)
        else { return false }
        let parts = String(decoding: data, as: UTF8.self).components(separatedBy: "-----BEGIN CERTIFICATE-----")
        return parts.dropFirst().contains { part in
            guard let end = part.range(of: "-----END CERTIFICATE-----") else { return false }
            let text = part[..<end.lowerBound].filter { !$0.isWhitespace }
            return Data(base64Encoded: String(text))?.isEmpty == false
        }
    }

    /// Carries out a transfer; cancelling the task ends it.
    func exchange(
        _ transfer: Transfer, _ receive: @Sendable ([UInt8]) async -> Void = { _ in }
    ) async throws(TransferError) -> Reply {
        let feeder = transfer.pieces.map { pieces in
            Task {
                var number = 0
                while !Task.isCancelled {
                    let piece = await pieces.piece(number)
                    await transfer.feed(piece, self)
                    guard piece != nil else { return }
                    number += 1
                }
            }
        }
        defer { feeder?.cancel() }
        let outcome = await withTaskCancellationHandler {
            start(transfer)
            while let part = await transfer.part(self) { await receive(part) }
            return await transfer.outcome()
        } onCancel: {
            // Before the loop ends the transfer, since it may be busy for a while.
            transfer.finish(TransferError(.cancelled), status: 0)
            end(transfer)
        }
        return try outcome.get()
    }

    private func start(_ transfer: Transfer) { add(.start(transfer)) }

    /// There is more to send, or room for more.
    func resume(_ transfer: Transfer) { add(.resume(transfer)) }

    /// Nobody awaits the transfer any more.
    private func end(_ transfer: Transfer) { add(.end(transfer)) }

    /// Ends all transfers, and then the thread; no transfer starts any more.
    func shut() {
        state.withLock { state in
            state.isClosed = true
            Self.wake(state)
        }
    }

    /// As `shut`, and waits until all transfers have ended.
    func close() async {
        shut()
        await withCheckedContinuation { closer in
            let isOver = state.withLock { state in
                if state.isRunning { state.closers.append(closer) }
                return !state.isRunning
            }
            if isOver { closer.resume() }
        }
    }

    private func add(_ order: Order) {
        let (mustStart, isClosed) = state.withLock { state in
            if state.isClosed, !state.isRunning { return (false, true) }
            state.orders.append(order)
            Self.wake(state)
            defer { state.isRunning = true }
            return (!state.isRunning, false)
        }
        if isClosed { order.transfer.finish(TransferError(.cancelled), status: 0) }
        guard mustStart else { return }
        let thread = Thread { [self] in work() }
        thread.name = "curl"
        thread.stackSize = Self.stackBytes
        thread.start()
    }

    private static func wake(_ state: State) {
        if let handle = state.handle { curl_multi_wakeup(handle.pointer) }
    }

    // MARK: The thread

    private func work() {
        // A dead connection is an error of its transfer, no signal.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        guard let multi = curl_multi_init() else { return leave(.broken) }
        if let most = limits.connectionsMax { curl_transfer_set_connections_max(multi, most) }
        state.withLock { $0.handle = Handle(pointer: multi) }
        carryOut(multi)
        curl_multi_cleanup(multi)
    }

    /// Works until there has been nothing to do for a while, or the loop is closed.
    private func carryOut(_ multi: UnsafeMutableRawPointer) {
        var running = RunningTransfers(multi: multi, authority: authority, limits: limits)
        var idleSince = ContinuousClock.now
        while true {
            switch next(isIdle: running.isEmpty && ContinuousClock.now - idleSince >= Self.idleTime) {
            case .idle: return
            case .closed:
                // The library's clean-up must not delay the waiting tasks.
                running.cancelAll()
                leave(.cancelled)
                return running.removeAll()
            case .work(let orders):
                for order in orders { Self.carry(out: order, &running) }
                running.go()
                if !running.isEmpty { idleSince = .now }
                running.wait()
            }
        }
    }

    private enum Next {
        case work([Order])
        case idle
        case closed
    }

    private func next(isIdle: Bool) -> Next {
        state.withLock { state in
            if state.isClosed {
                state.handle = nil
                return .closed
            }
            guard isIdle, state.orders.isEmpty else {
                defer { state.orders = [] }
                return .work(state.orders)
            }
            // A transfer that arrives now starts another thread.
            (state.handle, state.isRunning) = (nil, false)
            return .idle
        }
    }

    /// Ends the thread, for good or for want of memory: fails all waiting transfers.
    private func leave(_ problem: TransferError.Kind) {
        let (left, closers) = state.withLock { state in
            defer { (state.orders, state.closers, state.isRunning) = ([], [], false) }
            return (state.orders, state.closers)
        }
        for order in left { order.transfer.finish(TransferError(problem), status: 0) }
        for closer in closers { closer.resume() }
    }

    private static func carry(out order: Order, _ running: inout RunningTransfers) {
        switch order {
        case .start(let transfer): running.start(transfer)
        case .resume(let transfer): running.resume(transfer)
        case .end(let transfer): running.end(transfer)
        }
    }
}
