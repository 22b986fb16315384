import ServerBase

/// What the operator says of a bucket.
package struct S3Options: Sendable {
    /// `s3://BUCKET` or `s3://BUCKET/PREFIX`.
    package var place: String
    /// The address of the service, `https://HOST[:PORT]`.
    package var endpoint: String?
    /// The name of the region that requests are signed for.
    package var region: String
    /// A file of mode 0600 with the credentials, in the form of AWS's own; nil: the two keys below.
    package var credentialsFile: String?
    /// The name of the access key, where no file has it.
    package var accessKey: String?
    /// The secret of the access key, where no file has it.
    package var secretKey: String?

    /// - Parameter place: `s3://BUCKET` or `s3://BUCKET/PREFIX`.
    /// - Parameter endpoint: the address of the service.
    /// - Parameter region: the region that requests are signed for.
    package init(place: String, endpoint: String?, region: String) {
        self.place = place
        self.endpoint = endpoint
        self.region = region
    }
}

/// A bucket of an S3-compatible service, addressed by paths, with the credentials for it.
/// Source: Amazon S3, "API Reference"; "Path-style requests".
struct S3Place: Sendable {
    /// `https://HOST[:PORT]`, without a slash at the end.
    let endpoint: String
    /// `HOST[:PORT]`, as requests name it.
    let host: String
    let bucket: String
    /// Empty, or with a slash at the end.
    let prefix: String
    let region: String
    let accessKey: String
    let secretKey: String

    private static let credentialsBytesMax = 4_096

    /// - Throws: `unavailable`, with a sentence for the operator.
    init(_ options: S3Options) throws(Failure) {
        let placeForm = /s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(\/[A-Za-z0-9._\/-]*)?/
        guard let place = options.place.wholeMatch(of: placeForm) else {
            throw Self.wrong("--blobs wants s3://BUCKET or s3://BUCKET/PREFIX, not '\(options.place)'")
        }
        bucket = String(place.1)
        let names = (place.2 ?? "").split(separator: "/")
        guard !names.contains(".."), !names.contains(".") else {
            throw Self.wrong("--blobs wants a prefix without dots")
        }
        prefix = names.map { $0 + "/" }.joined()
        let addressForm = /(https?:\/\/)([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(:\d{1,5})?\/?/
        guard let endpoint = options.endpoint?.wholeMatch(of: addressForm) else {
            throw Self.wrong("--blobs wants --blobs-endpoint https://HOST too")
        }
        // A default port is left out of what is signed, as clients leave it out of their requests.
        let port = endpoint.3.map(String.init) ?? ""
        let isDefault = endpoint.1 == "https://" && port == ":443" || endpoint.1 == "http://" && port == ":80"
        host = endpoint.2.lowercased() + (isDefault ? "" : port)
        self.endpoint = endpoint.1 + host
        guard options.region.wholeMatch(of: /[A-Za-z0-9-]{1,64}/) != nil else {
            throw Self.wrong("--blobs-region is no name of a region: '\(options.region)'")
        }
        region = options.region
        var keys = (options.accessKey, options.secretKey)
        if let path = options.credentialsFile {
            keys = Self.keys(in: try PrivateFile.text(path, "credentials", bytesMax: Self.credentialsBytesMax))
        }
        guard let access = keys.0, let secret = keys.1, !access.isEmpty, !secret.isEmpty else {
            throw Self.wrong(
                "--blobs wants credentials: a file of mode 0600 with aws_access_key_id and aws_secret_access_key, "
                    + "named by --blobs-credentials, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment")
        }
        accessKey = access
        secretKey = secret
    }

    /// The two keys of a file such as `~/.aws/credentials`; of several sections those of the last.
    private static func keys(in text: String) -> (String?, String?) {
        var found = [String: String]()
        for line in text.split(whereSeparator: \.isNewline) {
            guard let pair = line.wholeMatch(of: /\s*(aws_[a-z_]+)\s*=\s*(\S+)\s*/) else { continue }
            found[String(pair.1)] = String(pair.2)
        }
        return (found["aws_access_key_id"], found["aws_secret_access_key"])
    }

    private static func wrong(_ cause: String) -> Failure { Failure(.unavailable, cause: cause) }
}
