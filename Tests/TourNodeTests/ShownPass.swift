import Testing
import TourCrypto
import TourModel
import TourNode

extension TourNode {
    /// The pass in the code for guests that this node shows, as a phone that scans it has it.
    func shownPass() async throws -> [UInt8] {
        let entry = await seats.entry()
        let code = try #require(entry.flatMap { Base64URL.bytes(of: Array($0.utf8)) })
        return Array(code.suffix(SeatPass.secretBytes + SeatPage.keyBytes).prefix(SeatPass.secretBytes))
    }
}

/// The code of the error that the work ends with; "none" if it ends well.
func code(_ work: () async throws -> Void) async -> String {
    do {
        try await work()
        return "none"
    } catch {
        return (error as? NodeError)?.code ?? "\(error)"
    }
}
