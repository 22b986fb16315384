import CISAL
import TourModel

/// Repair symbols for one block: any number of its symbols equal to that of its data symbols restores it. Systematic
/// Reed-Solomon over GF(256), polynomial 0x11d: repair symbol r has the coefficient 1 / (r XOR j) on data symbol j.
/// Source: `Protocol/11-blobs.md`, "Symbols".
package struct ErasureCode: Sendable {
    /// False where the library is missing: then this node neither sends nor follows casts.
    package static let isAvailable = isal_library_load("libisal.so.2")

    /// The number of data symbols: at least 1, below `Limits.castSymbolNumbersMax`.
    package let dataCount: Int

    package init(dataCount: Int) {
        precondition((1..<Limits.castSymbolNumbersMax).contains(dataCount), "a block has data and room for repair")
        precondition(Self.isAvailable, "nothing is coded without the library")
        self.dataCount = dataCount
    }

    /// Computes repair symbols.
    /// - Parameter numbers: from `dataCount`, below `Limits.castSymbolNumbersMax`.
    /// - Parameter data: the block's data symbols, concatenated.
    package func repairs(_ numbers: Range<Int>, of data: [UInt8]) -> [[UInt8]] {
        precondition(numbers.lowerBound >= dataCount && numbers.upperBound <= Limits.castSymbolNumbersMax)
        precondition(data.count == dataCount * Self.symbolBytes, "all data symbols, whole")
        guard !numbers.isEmpty else { return [] }
        var sources = data
        var result = [UInt8](repeating: 0, count: numbers.count * Self.symbolBytes)
        Self.multiply(numbers.flatMap(row), from: &sources, into: &result, at: Array(0..<numbers.count))
        return (0..<numbers.count).map { Array(result[Self.place($0)]) }
    }

    /// Restores the data symbols, concatenated.
    /// - Parameter symbols: by their numbers, `castSymbolBytes` each.
    /// - Returns: nil when there are fewer than `dataCount`.
    package func data(from symbols: [Int: [UInt8]]) -> [UInt8]? {
        let missing = (0..<dataCount).filter { symbols[$0] == nil }
        let repairs = symbols.keys.filter { $0 >= dataCount }.sorted().prefix(missing.count)
        guard repairs.count == missing.count else { return nil }
        // The data symbols present, zeros for the others, then the repair symbols.
        var sources = [UInt8]()
        sources.reserveCapacity((dataCount + missing.count) * Self.symbolBytes)
        for number in 0..<dataCount {
            sources += symbols[number] ?? [UInt8](repeating: 0, count: Self.symbolBytes)
        }
        guard !missing.isEmpty else { return sources }
        for number in repairs { sources += symbols[number] ?? [] }
        // The contribution of the missing symbols to each repair symbol: the repair symbol less the present ones.
        var rest = [UInt8](repeating: 0, count: missing.count * Self.symbolBytes)
        let rows = repairs.enumerated().flatMap { index, number in
            row(number) + missing.indices.map { $0 == index ? 1 : 0 }
        }
        Self.multiply(rows, from: &sources, into: &rest, at: Array(missing.indices))
        var square = repairs.flatMap { number in missing.map { Self.coefficient(number, $0) } }
        var inverse = [UInt8](repeating: 0, count: square.count)
        guard gf_invert_matrix(&square, &inverse, Int32(missing.count)) == 0 else { return nil }
        sources.removeLast(missing.count * Self.symbolBytes)
        Self.multiply(inverse, from: &rest, into: &sources, at: missing)
        return sources
    }

    private static var symbolBytes: Int { Limits.castSymbolBytes }

    private static func place(_ index: Int) -> Range<Int> { index * symbolBytes..<(index + 1) * symbolBytes }

    private static func coefficient(_ repair: Int, _ data: Int) -> UInt8 { gf_inv(UInt8(repair ^ data)) }

    /// The coefficients of one repair symbol.
    private func row(_ number: Int) -> [UInt8] { (0..<dataCount).map { Self.coefficient(number, $0) } }

    /// Multiplies a matrix by the symbols of `sources`, and writes the rows into the places of `target`.
    private static func multiply(
        _ matrix: [UInt8], from sources: inout [UInt8], into target: inout [UInt8], at places: [Int]
    ) {
        let columns = sources.count / symbolBytes
        var matrix = matrix
        var tables = [UInt8](repeating: 0, count: 32 * matrix.count)
        ec_init_tables(Int32(columns), Int32(places.count), &matrix, &tables)
        sources.withUnsafeMutableBufferPointer { source in
            target.withUnsafeMutableBufferPointer { target in
                var from = (0..<columns).map { index in source.baseAddress.map { $0 + place(index).lowerBound } }
                var into = places.map { index in target.baseAddress.map { $0 + place(index).lowerBound } }
                ec_encode_data(Int32(symbolBytes), Int32(columns), Int32(places.count), &tables, &from, &into)
            }
        }
    }
}
