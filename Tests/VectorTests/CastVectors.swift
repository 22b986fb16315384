import Testing
import TourBlob
import TourCrypto
import TourModel
import TourWire

/// `cast.json`.
enum CastVectors {
    static func cast(_ vector: VectorCase) throws -> String? {
        switch try vector.text("kind") {
        case "symbol": try symbol(vector)
        case "again": try again(vector)
        case "datagram": return try datagram(vector)
        case "asks": return try asks(vector)
        default: throw VectorCase.Missing(field: "a kind of case")
        }
        return nil
    }

    private static func block(_ dataSymbols: Int, zeros: Int = 0) -> [UInt8] {
        let count = dataSymbols * Limits.castSymbolBytes - zeros
        return (0..<count).map { UInt8(truncatingIfNeeded: 31 * $0 + $0 / 256) } + [UInt8](repeating: 0, count: zeros)
    }

    private static func symbol(_ vector: VectorCase) throws {
        let dataSymbols = try vector.count("dataSymbols")
        let number = try vector.count("number")
        let code = ErasureCode(dataCount: dataSymbols)
        let whole = block(dataSymbols, zeros: try vector.count("zeros"))
        #expect(try code.repairs(number..<number + 1, of: whole) == [vector.bytes("symbol")])
        // A block whose symbol j has a one at byte j, and zeros else, shows the coefficients.
        var ones = [UInt8](repeating: 0, count: whole.count)
        for column in 0..<dataSymbols { ones[column * Limits.castSymbolBytes + column] = 1 }
        let row = try #require(code.repairs(number..<number + 1, of: ones).first)
        #expect(try Array(row.prefix(dataSymbols)) == vector.bytes("row"))
    }

    private static func again(_ vector: VectorCase) throws {
        let dataSymbols = try vector.count("dataSymbols")
        let whole = block(dataSymbols)
        var repairs = try vector.byteLists("symbols")[...]
        var symbols: [Int: [UInt8]] = [:]
        for number in try vector.numbers("numbers").map({ Int($0) }) {
            let start = number * Limits.castSymbolBytes
            symbols[number] =
                number < dataSymbols ? Array(whole[start..<start + Limits.castSymbolBytes]) : repairs.popFirst()
        }
        #expect(ErasureCode(dataCount: dataSymbols).data(from: symbols) == whole)
    }

    private static func datagram(_ vector: VectorCase) throws -> String? {
        let key = SecretBytes(try vector.bytes("epochKey"))
        let epoch = try #require(EpochKey(id: .none, key: key))
        let seal = CastSeal(epoch: epoch, blob: try vector.id("blob"), caster: try vector.id("caster"))
        let datagram = try vector.bytes("datagram")
        guard let symbol = seal.open(datagram) else { return CryptoError.decryptionFailed.code }
        #expect(CastSeal.tag(of: datagram) == seal.tag)
        #expect(try symbol.block == vector.count("block"))
        #expect(try symbol.number == vector.count("number"))
        #expect(symbol.bytes == block(1))
        #expect(seal.seal(symbol) == datagram)
        return nil
    }

    private static func asks(_ vector: VectorCase) throws -> String? {
        let bytes = try vector.bytes("message")
        do {
            let message = try LinkMessage.decode(bytes)
            #expect(message?.encode() == bytes)
            guard case .castAsks? = message else { throw VectorCase.Missing(field: "asks") }
        } catch let error as WireError {
            return error.code
        }
        return nil
    }
}
