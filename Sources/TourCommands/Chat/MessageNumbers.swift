/// Short numbers for the latest messages: each keeps its own until as many newer ones have come as there are numbers.
struct MessageNumbers {
    private static let count = 99

    private var ids: [Int: String] = [:]
    private var numbers: [String: Int] = [:]
    private var last = 0

    func number(of id: String) -> Int? { numbers[id] }

    func id(of number: Int) -> String? { ids[number] }

    /// The next number, for a new message.
    mutating func give(_ id: String) {
        last = last % Self.count + 1
        if let before = ids.updateValue(id, forKey: last) { numbers[before] = nil }
        numbers[id] = last
    }
}
