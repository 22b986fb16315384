import ServerStorage
import Testing

/// The examples that Amazon publishes.
/// Source: Amazon S3, "Authenticating Requests: Using the Authorization Header", "Examples: Signature calculations".
@Suite struct S3SignatureTests {
    private static let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    private static let date = "20130524T000000Z"
    private static let host = "examplebucket.s3.amazonaws.com"

    private func signature(of request: S3Signature) -> String {
        let text = request.authorization(
            region: "us-east-1", accessKey: "AKIAIOSFODNN7EXAMPLE",
            secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        return String(text.split(separator: "=").last ?? "")
    }

    @Test func aRangeOfAnObject() {
        let request = S3Signature(
            "GET", "/test.txt", query: [],
            headers: [
                "host": Self.host, "range": "bytes=0-9", "x-amz-content-sha256": Self.empty, "x-amz-date": Self.date,
            ])
        #expect(signature(of: request) == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test func aList() {
        let request = S3Signature(
            "GET", "/", query: [("prefix", "J"), ("max-keys", "2")],
            headers: ["host": Self.host, "x-amz-content-sha256": Self.empty, "x-amz-date": Self.date])
        #expect(request.queryText == "max-keys=2&prefix=J")
        #expect(signature(of: request) == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test func slashesOfAPrefixAreEscaped() {
        let request = S3Signature("GET", "/", query: [("prefix", "a/b c~")], headers: [:])
        #expect(request.queryText == "prefix=a%2Fb%20c~")
    }
}
