/// The most numbers of a list, all different, that stand in ascending order already: what need not be moved to sort it.
struct LongestRise {
    /// Where they stand in the list, ascending.
    let places: [Int]

    /// By patience sorting: n log n steps.
    init(of numbers: [Int]) {
        // Of all rises of one length so far, where the one ends that ends lowest; and what stands before each place.
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
