/// The largest set of different numbers in a list that are already in ascending order: those that a sort need not move.
struct LongestRise {
    /// Their indexes in the list, ascending.
    let places: [Int]

    /// Uses patience sorting: n log n steps.
    init(of numbers: [Int]) {
        // For each length the end of the rise that ends lowest; then for each number the index of its predecessor in
        // its rise.
        var ends = [Int]()
        var before = [Int?](repeating: nil, count: numbers.count)
        for place in numbers.indices {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < numbers[place] { low = middle + 1 } else { high = middle }
            }
            before[place] = low > 0 ? ends[low - 1] : nil
            if low < ends.count { ends[low] = place } else { ends.append(place) }
        }
        var rise = [Int]()
        var next = ends.last
        while let place = next {
            rise.append(place)
            next = before[place]
        }
        places = rise.reversed()
    }
}
