/// Short numbers for the latest messages: each keeps its number until as many newer messages have arrived as there
/// are numbers.
struct MessageNumbers {
    private static let count = 99

    private var ids: [Int: String] = [:]
    private var numbers: [String: Int] = [:]
    private var last = 0

    func number(of id: String) -> Int? { numbers[id] }

    func id(of number: Int) -> String? { ids[number] }

    /// Gives a new message the next number.
    mutating func give(_ id: String) {
        last = last % Self.count + 1
        if let before = ids.updateValue(id, forKey: last) { numbers[before] = nil }
        numbers[id] = last
    }
}
