import CProcess
import Glibc

/// A thread for blocking work.
enum OwnThread {
    private final class Work {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// - Returns: false where the system cannot start a thread.
    static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let work = Unmanaged.passRetained(Work(run))
        var thread = pthread_t()
        let result = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, work.toOpaque())
        if result != 0 { work.release() }
        return result == 0
    }
}

/// Wakes a thread that waits for a descriptor.
final class WakeBell: Sendable {
    private let descriptor: Int32

    /// - Returns: nil when there are no more descriptors.
    init?() {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard descriptor >= 0 else { return nil }
    }

    deinit { close(descriptor) }

    /// Call from any thread.
    func ring() { eventfd_write(descriptor, 1) }

    func silence() {
        var count: eventfd_t = 0
        eventfd_read(descriptor, &count)
    }

    /// Waits until the bell rings, or the other descriptor is readable or hung up.
    func wait(with other: Int32?) {
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let other { watched.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
        poll(&watched, nfds_t(watched.count), -1)
    }
}
