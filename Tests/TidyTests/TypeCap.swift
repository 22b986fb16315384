/// How large a type may be. `exceptions` (TypeExceptions.swift) names the types that are larger.
struct TypeCap {
    static let lines = 800
    static let properties = 20
    static let files = 5

    let module: String
    let type: String
    /// Nil in these three: as every other type.
    let lines: Int?
    let properties: Int?
    let files: Int?
    let reason: String

    init(
        _ module: String, _ type: String, lines: Int? = nil, properties: Int? = nil, files: Int? = nil, reason: String
    ) {
        self.module = module
        self.type = type
        self.lines = lines
        self.properties = properties
        self.files = files
        self.reason = reason
    }

    /// What is wrong, a sentence for each type: too large, or with an exception that is more than it needs.
    static func faults(of sizes: [TypeSize], exceptions: [TypeCap]) -> [String] {
        let known = Set(sizes.map { "\($0.module)/\($0.name)" })
        let caps = Dictionary(exceptions.map { ("\($0.module)/\($0.type)", $0) }) { first, _ in first }
        let gone = exceptions.filter { !known.contains("\($0.module)/\($0.type)") }
            .map { "\($0.module)/\($0.type): no such type; remove its exception" }
        return gone + sizes.compactMap { fault(of: $0, cap: caps["\($0.module)/\($0.name)"]) }
    }

    private static func fault(of size: TypeSize, cap: TypeCap?) -> String? {
        let figures = [
            (size.lines, lines, cap?.lines), (size.properties, properties, cap?.properties),
            (size.files, files, cap?.files),
        ]
        let isTooLarge = figures.contains { actual, all, own in actual > own ?? all }
        // A figure is to come down with the type, but need not follow every line.
        let isTooGenerous = figures.contains { actual, all, own in
            own.map { actual <= all || $0 - actual > $0 / 20 } ?? false
        }
        guard isTooLarge || isTooGenerous else { return nil }
        let found =
            "\(size.module)/\(size.name) has \(size.lines) lines, \(size.properties) stored properties and "
            + "\(size.files) extension files"
        if size.lines <= lines, size.properties <= properties, size.files <= files {
            return "\(found): remove its exception"
        }
        let advice = isTooLarge ? "make it smaller, or let the exception be" : "less than its exception allows; write"
        return "\(found): \(advice)\n    \(entry(for: size))"
    }

    /// The line of the table that allows what a type has.
    static func entry(for size: TypeSize) -> String {
        var text = "\"\(size.module)\", \"\(size.name)\","
        if size.lines > lines { text += " lines: \(number(size.lines))," }
        if size.properties > properties { text += " properties: \(size.properties)," }
        if size.files > files { text += " files: \(size.files)," }
        return text
    }

    private static func number(_ value: Int) -> String {
        guard value >= 1_000 else { return "\(value)" }
        let rest = "\(value % 1_000)"
        return "\(value / 1_000)_" + String(repeating: "0", count: 3 - rest.count) + rest
    }
}
