import Testing
import TourBlob
import TourModel

/// Goal: any symbols that are as many as the data give the data again; fewer give nothing.
/// Method: random losses of blocks of all lengths that occur, seeds fixed.
struct ErasureCodeTests {
    private func block(_ dataSymbols: Int, _ rng: inout SplitMix64) -> [UInt8] {
        (0..<dataSymbols * Limits.castSymbolBytes).map { _ in UInt8(truncatingIfNeeded: rng.next()) }
    }

    private func symbols(_ whole: [UInt8], of code: ErasureCode, through last: Int) -> [[UInt8]] {
        let data = (0..<code.dataCount).map {
            Array(whole[$0 * Limits.castSymbolBytes..<($0 + 1) * Limits.castSymbolBytes])
        }
        return data + code.repairs(code.dataCount..<last + 1, of: whole)
    }

    @Test(arguments: [1, 2, 3, 17, 55, 56]) func anySymbolsAreEnough(dataSymbols: Int) {
        var rng = SplitMix64(seed: UInt64(dataSymbols))
        let code = ErasureCode(dataCount: dataSymbols)
        let whole = block(dataSymbols, &rng)
        let all = symbols(whole, of: code, through: Limits.castSymbolNumbersMax - 1)
        for _ in 0..<20 {
            let chosen = all.indices.shuffled(using: &rng).prefix(dataSymbols)
            let some = Dictionary(uniqueKeysWithValues: chosen.map { ($0, all[$0]) })
            #expect(code.data(from: some) == whole)
            let few = some.filter { $0.key != chosen.first }
            #expect(code.data(from: few) == nil)
        }
    }

    @Test func moreThanEnoughIsNoHarm() {
        var rng = SplitMix64(seed: 7)
        let code = ErasureCode(dataCount: 20)
        let whole = block(20, &rng)
        let all = symbols(whole, of: code, through: 60)
        let some = Dictionary(uniqueKeysWithValues: all.enumerated().filter { $0.offset % 2 == 0 }.map { ($0, $1) })
        #expect(code.data(from: some) == whole)
    }

    @Test func noRepairsAreNone() {
        var rng = SplitMix64(seed: 8)
        #expect(ErasureCode(dataCount: 4).repairs(4..<4, of: block(4, &rng)).isEmpty)
    }
}
