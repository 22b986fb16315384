/// The modules without a clock, task, lock, file or socket: layers 1 to 3, and the simulator. `TourKit`, their face for
/// other apps, draws keys as well. What each module may import at all stands in Package.swift (see
/// Scripts/support/imports.py).
enum PureModules {
    static let names: Set<String> = [
        "TourModel", "TourJSON", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob",
        "TourNotebook", "TourAPI",
        "TourWords", "TourRuntime", "TourSimulator",
    ]

    /// What they import beside each other: libraries that compute.
    static let libraries: Set<String> = ["SwiftProtobuf", "CSodium", "CISAL", "CExpat", "CZlib", "CWords", "CVersion"]

    /// Single files that import more, each with the reason.
    static let exceptions: [String: Set<String>] = [
        // The generated messages have fields of type Data, and this file is where they meet our types.
        "Sources/TourWire/ProtobufBridge.swift": ["FoundationEssentials"],
        "Sources/TourWire/mesh.pb.swift": ["Foundation", "FoundationEssentials"],
        // Atomic counters of the slots for locked memory: no lock, and nothing that a machine could see.
        "Sources/TourCrypto/Primitives/SecretArena.swift": ["Synchronization"],
    ]

    /// Whether this file may import that module.
    static func allow(_ module: String, in file: SourceFile) -> Bool {
        names.contains(module) || libraries.contains(module) || exceptions[file.path]?.contains(module) ?? false
    }
}
