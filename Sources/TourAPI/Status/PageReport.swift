import TourModel

/// The page and what this machine can do for it. Source: `Protocol/Schema/local-api.yaml`, `Page`.
package struct PageReport: Encodable, JSONObject {
    /// The uses for which this machine has the libraries and programs.
    package struct Features: Encodable, JSONObject {
        /// Can read codes in the camera's pictures.
        package var scan: Bool
        /// Can draw codes.
        package var qr: Bool
        /// Can make PDF files.
        package var print: Bool
        /// Can prepare pictures for sending.
        package var pictures: Bool
    }

    package var version: String
    package var features: Features
    package var languages: [String]
    /// With its token, to be opened as it is; nil where no page is served.
    @Nullable package var address: String?
}

/// Opens the page once.
package struct PageEntry: Encodable, JSONObject {
    package var address: String
}
