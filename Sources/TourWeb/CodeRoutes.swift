import Foundation
import Hummingbird
import NIOCore
import TourCode
import TourNode

// QR codes, drawn and read: browsers on Linux can do neither by themselves.
enum CodeRoutes {
    static func add(to api: RouterGroup<BasicRequestContext>) {
        api.post("qr") { request, _ in
            struct Body: Decodable { var text: String }
            let text = try await request.json(Body.self).text
            return try Answer.json(try await TourNode.besideTheLoop { try QRDrawing(text) })
        }
        api.post("scan") { request, _ in
            guard let width = request.query("width").flatMap({ Int($0) }),
                let height = request.query("height").flatMap({ Int($0) }), QRScanner.fits(width: width, height: height)
            else { throw CodeError.badFrame }
            let pixels = try await request.frame(bytes: width * height)
            let texts = try await TourNode.besideTheLoop {
                try QRScanner.texts(in: pixels, width: width, height: height)
            }
            return try Answer.json(["texts": texts])
        }
    }
}

/// A code as the page draws it: the modules without the quiet zone, a text of `0` and `1` (dark) for each row.
private struct QRDrawing: Encodable {
    let size: Int
    let rows: [String]

    init(_ text: String) throws(CodeError) {
        let code = try QRCode(text)
        size = code.side
        let inside = QRCode.quietZone..<QRCode.quietZone + code.side
        rows = inside.map { row in
            inside.reduce(into: "") { $0 += code.isDark(row: row, column: $1) ? "1" : "0" }
        }
    }
}

extension Request {
    /// A body of exactly this many bytes.
    /// - Throws: `badFrame`.
    fileprivate func frame(bytes count: Int) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for try await chunk in body {
            guard bytes.count + chunk.readableBytes <= count else { throw CodeError.badFrame }
            bytes += chunk.readableBytesView
        }
        guard bytes.count == count else { throw CodeError.badFrame }
        return bytes
    }
}
