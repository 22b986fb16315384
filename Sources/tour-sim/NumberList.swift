import ArgumentParser

/// Numbers as typed: `8,50,200`.
struct NumberList: ExpressibleByArgument {
    let numbers: [Int]

    init(_ numbers: [Int]) { self.numbers = numbers }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
        let numbers = parts.compactMap { $0 }
        guard numbers.count == parts.count, Set(numbers).count == numbers.count else { return nil }
        self.numbers = numbers.sorted()
    }

    var defaultValueDescription: String { numbers.map(String.init).joined(separator: ",") }
}
