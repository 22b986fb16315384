import CAvahi
import Glibc
import Synchronization

/// What others want of the discovery loop, and the way to wake it: the only state shared with Avahi's thread.
final class DiscoveryControl: Sendable {
    private struct Wishes {
        var advertisement: Advertisement?
        var isStopped = false
    }

    private let wishes = Mutex(Wishes())
    /// Readable after `wake`; -1 when the system had none to give.
    let descriptor: Int32

    init() { descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK)) }

    deinit { if descriptor >= 0 { close(descriptor) } }

    var advertisement: Advertisement? { wishes.withLock { $0.advertisement } }
    var isStopped: Bool { wishes.withLock { $0.isStopped } }

    func advertise(_ advertisement: Advertisement?) {
        wishes.withLock { $0.advertisement = advertisement }
        wake()
    }

    func stop() {
        wishes.withLock { $0.isStopped = true }
        wake()
    }

    /// Never blocks: a full counter is as good as one more.
    func wake() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Takes back all wakes so far.
    func settle() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
