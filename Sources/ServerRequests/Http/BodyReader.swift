import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerBase

/// Reads a request's whole body, within its bounds of size and time.
package enum BodyReader {
    /// - Parameter isStrict: whether the request must say that its body is JSON. The page of another site must be
    ///   unable to send a body unless the browser has asked for it first.
    /// - Throws: `unsupportedMediaType`, `tooLarge`, `timeout`; `badRequest` when the client disconnects.
    static func read(
        _ request: Request, as form: Route.Body, isStrict: Bool, within limit: Duration
    ) async throws(Failure) -> Data {
        guard case .json(let bytesMax) = form else { return Data() }
        let type = request.headers[.contentType]
        guard isStrict ? isJSON(type) : mayBeJSON(type), request.headers[.contentEncoding] == nil else {
            throw Failure(.unsupportedMediaType)
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bytesMax {
            throw Failure(.tooLarge)
        }
        let body = request.body
        return try await withTimeLimit(limit) { () throws(Failure) in
            var data = Data()
            do {
                for try await piece in body {
                    data.append(contentsOf: piece.readableBytesView)
                    if data.count > bytesMax { throw Failure(.tooLarge) }
                }
            } catch let failure as Failure {
                throw failure
            } catch {
                throw Failure(.badRequest)
            }
            return data
        }
    }

    /// Whether the media type is JSON, or says nothing: it is missing, or the one that URLSession and curl write where
    /// their user named none.
    package static func mayBeJSON(_ type: String?) -> Bool {
        ["", "application/x-www-form-urlencoded"].contains(name(of: type)) || isJSON(type)
    }

    /// Source: RFC 6838, section 4.2.8, for the suffix.
    private static func isJSON(_ type: String?) -> Bool {
        let name = name(of: type)
        return name == "application/json" || name.hasPrefix("application/") && name.hasSuffix("+json")
    }

    private static func name(of type: String?) -> String {
        (type ?? "").prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
    }

    /// - Throws: `timeout`, by when `work` was cancelled and has ended; whatever `work` throws.
    private static func withTimeLimit<Value: Sendable>(
        _ limit: Duration, _ work: @escaping @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let outcome = await withTaskGroup(of: Result<Value, Failure>.self) { tasks in
            tasks.addTask {
                do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
            }
            tasks.addTask {
                try? await Task.sleep(for: limit)
                return .failure(Failure(.timeout))
            }
            let first = await tasks.next() ?? .failure(Failure(.timeout))
            tasks.cancelAll()
            return first
        }
        return try outcome.get()
    }
}
