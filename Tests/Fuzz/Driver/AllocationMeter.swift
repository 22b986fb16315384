import CSanitizer

/// How much memory a piece of work holds at once, as the sanitizer's allocator sees it.
enum AllocationMeter {
    // libFuzzer plays one input after the other, on one thread; the numbers are made without an initialiser, since the
    // hooks run inside of malloc.
    fileprivate nonisolated(unsafe) static var isOn = false
    // See above.
    fileprivate nonisolated(unsafe) static var held = 0
    // See above.
    fileprivate nonisolated(unsafe) static var peak = 0

    static func install() {
        let status = __sanitizer_install_malloc_and_free_hooks(
            { _, size in AllocationMeter.add(size) },
            { start in
                guard AllocationMeter.isOn, let start else { return }
                AllocationMeter.held -= __sanitizer_get_allocated_size(start)
            })
        if status == 0 { FuzzDriver.stop("the allocator takes no hooks", status: 2) }
    }

    private static func add(_ size: Int) {
        guard isOn else { return }
        held += size
        if held > peak { peak = held }
    }

    /// - Returns: what the work made, and the most bytes that were allocated during it and not freed.
    static func measure<Value>(_ work: () -> Value) -> (value: Value, peak: Int) {
        (held, peak, isOn) = (0, 0, true)
        defer { isOn = false }
        let value = work()
        return (value, peak)
    }
}
