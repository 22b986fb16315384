/// The format of a file that is imported; the raw values are those of the local API.
package enum ImportFormat: String, CaseIterable, Sendable {
    case json, csv, gpx, kml, kmz, html

    /// The format that the ending of a file's name says; nil for another one.
    package init?(file: String) {
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let ending = file[dot...].dropFirst().lowercased()
        self.init(rawValue: ["htm": "html", "tsv": "csv"][ending] ?? ending)
    }
}
