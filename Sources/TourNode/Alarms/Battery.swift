import Foundation

/// The battery of this device, as the system reports it.
enum Battery {
    private static let supplies = "/sys/class/power_supply"

    /// In percent; nil where the device has no battery, or the system does not report its charge.
    static func percent() -> Int? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: supplies)) ?? []
        for name in names.sorted() {
            let folder = "\(supplies)/\(name)"
            guard text("\(folder)/type") == "Battery", text("\(folder)/scope") != "Device",
                let percent = text("\(folder)/capacity").flatMap({ Int($0) }), (0...100).contains(percent)
            else { continue }
            return percent
        }
        return nil
    }

    private static func text(_ path: String) -> String? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
