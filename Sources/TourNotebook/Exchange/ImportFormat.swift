/// The format of a file that is imported; the raw values are those of the local API.
package enum ImportFormat: String, CaseIterable, Sendable {
    case json, csv, gpx, kml, kmz, html

    /// By the ending of a file's name; nil for another one.
    package init?(file: String) {
        guard let dot = file.lastIndex(of: ".") else { return nil }
        let ending = file[dot...].dropFirst().lowercased()
        self.init(rawValue: ["htm": "html", "tsv": "csv"][ending] ?? ending)
    }
}
