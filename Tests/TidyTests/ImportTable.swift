/// Which modules each target may import: the layers of the design, written down once more so that the compiler's
/// leniency (a target may import what its dependency depends on) does not erode them.
enum ImportTable {
    /// Our own targets and third-party modules. Only targets of layer 4 and up may also import `platform`.
    static let allowed: [String: Set<String>] = [
        "CSodium": [], "CAvahi": [], "CQRCode": [], "CZBar": [], "CPNG": [], "CProcess": [], "CDBus": [],
        "CLateLibrary": [], "CNetlink": [], "CISAL": [], "CExpat": [], "CCurl": [], "CPango": [], "CPostgres": [],
        "CCrypto": [], "CWords": [], "CPage": [], "CAdminPage": [], "CContract": [], "CZlib": [], "CVersion": [],
        "TourModel": ["CVersion"],
        "TourJSON": [],
        "TourWords": ["TourModel", "CWords"],
        "TourWire": ["TourModel", "SwiftProtobuf"],
        "TourCrypto": ["TourModel", "CSodium"],
        "TourLink": ["TourModel", "TourWire", "TourCrypto"],
        "TourGossip": ["TourModel", "TourWire", "TourCrypto"],
        "TourGroup": ["TourModel", "TourWire", "TourCrypto"],
        "TourBlob": ["TourModel", "TourWire", "TourCrypto", "CISAL"],
        "TourNotebook": ["TourModel", "CExpat"],
        "TourRuntime": ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup"],
        "TourStore": ["TourModel", "TourWire", "TourCrypto", "TourNotebook", "GRDB"],
        "TourPrint": ["TourModel", "TourWords", "CPango"],
        "TourCode": ["TourModel", "CQRCode", "CZBar"],
        "TourBus": ["CDBus"],
        "TourSupervision": ["ServiceLifecycle"],
        "TourKeyring": ["TourModel", "TourCrypto", "TourBus"],
        "TourDesktop": ["TourModel", "TourBus", "CProcess"],
        "TourHotspot": ["TourModel", "TourCrypto", "TourBus"],
        "TourPosition": ["TourModel", "NIOCore", "NIOPosix"],
        "TourImage": ["TourModel", "Subprocess", "SystemPackage"],
        "TourDiscovery": ["TourModel", "CAvahi", "Logging"],
        "TourTransport": ["TourModel", "TourWire", "TourCrypto", "TourLink", "NIOCore", "NIOPosix", "Logging"],
        "TourCurl": ["TourModel", "CCurl", "NIOHTTP1"],
        "TourMailbox": [
            "TourModel", "TourWire", "TourCrypto", "TourNotebook", "TourCurl", "CNetlink", "NIOCore", "NIOPosix",
            "NIOHTTP1",
        ],
        "TourNode": [
            "TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob", "TourNotebook",
            "TourRuntime", "TourStore", "TourKeyring", "TourPosition", "TourImage", "TourDiscovery", "TourTransport",
            "TourMailbox", "NIOCore", "NIOPosix", "Logging", "ServiceLifecycle",
        ],
        "TourPresentation": [
            "TourModel", "TourWords", "TourCrypto", "TourGroup", "TourNotebook", "TourStore", "TourKeyring",
            "TourPosition", "TourImage", "TourCode", "TourDesktop", "TourHotspot", "TourDiscovery", "TourMailbox",
            "TourNode",
        ],
        "TourWeb": [
            "TourModel", "TourJSON", "TourWords", "TourCrypto", "TourNotebook", "TourPrint", "TourCode", "TourDesktop",
            "TourHotspot", "TourTransport", "TourMailbox", "TourNode", "TourPresentation", "CPage", "CProcess",
            "CZlib", "Hummingbird",
            "HummingbirdCore", "HummingbirdTLS", "NIOSSL", "HTTPTypes", "NIOCore", "NIOPosix", "NIOHTTP1",
            "NIOHTTPTypes", "Logging", "ServiceLifecycle",
        ],
        "TourCommands": [
            "TourModel", "TourJSON", "TourWords", "TourNotebook", "TourPrint", "TourCode", "TourDesktop",
            "TourSupervision",
            "TourNode", "TourPresentation", "TourWeb", "CPNG", "CProcess", "ArgumentParser", "Logging",
            "ServiceLifecycle", "UnixSignals",
        ],
        "tour-chat": ["TourCommands"],
        "TourServer": [
            "TourModel", "TourJSON", "TourWire", "TourCrypto", "TourGroup", "TourNotebook", "TourPrint", "CAdminPage", "CContract", "CPostgres", "GRDB", "Hummingbird", "HummingbirdCore", "HummingbirdTLS", "HTTPTypes", "NIOSSL", "NIOCore", "NIOPosix", "NIOHTTP1", "NIOHTTPTypes", "Logging", "ServiceLifecycle", "TourCurl", "CCrypto",
        ],
        "tour-server": [
            "TourModel", "TourServer", "TourSupervision", "CProcess", "ArgumentParser", "Logging", "ServiceLifecycle",
            "UnixSignals",
        ],
        "TourSimulator": [
            "TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourRuntime",
        ],
        "tour-sim": ["TourModel", "TourSimulator", "ArgumentParser"],
    ]

    /// Layers 1 to 3 and the simulator: no clock, task, lock, file or socket.
    static let pure: Set<String> = [
        "TourModel", "TourJSON", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob",
        "TourNotebook",
        "TourWords", "TourRuntime", "TourSimulator",
    ]

    /// What comes with the toolchain and reaches the system.
    static let platform: Set<String> = [
        "CDispatch", "Dispatch", "Foundation", "FoundationEssentials", "Glibc", "Synchronization",
    ]

    /// Single files that may import more than their target, each with the reason.
    static let exceptions: [String: Set<String>] = [
        // The generated messages have fields of type Data, and this file is where they meet our types.
        "Sources/TourWire/ProtobufBridge.swift": ["FoundationEssentials"],
        "Sources/TourWire/mesh.pb.swift": ["Foundation", "FoundationEssentials"],
        // Atomic counters of the slots for locked memory: no lock, and nothing that a machine could see.
        "Sources/TourCrypto/Primitives/SecretArena.swift": ["Synchronization"],
        // Where Foundation is imported too, the compiler takes `stat` for a declaration of this module.
        "Sources/TourServer/Blobs/FileTree.swift": ["CoreFoundation"],
        "Sources/TourServer/Backup/ServerRestore.swift": ["CoreFoundation"],
        "Sources/TourServer/Settings/SettingsFile.swift": ["CoreFoundation"],
        "Sources/TourServer/Storage/ServerDirectory.swift": ["CoreFoundation"],
        "Tests/TourServerTests/BackupTests.swift": ["CoreFoundation"],
    ]

    /// Whether this file may import that module.
    static func allows(_ module: String, in file: SourceFile) -> Bool {
        if allowed[file.target]?.contains(module) ?? false { return true }
        if exceptions[file.path]?.contains(module) ?? false { return true }
        return platform.contains(module) && !pure.contains(file.target)
    }

    /// The modules that a line of code imports, as (line from 1, module).
    static func imports(of file: SourceFile) -> [(line: Int, module: String)] {
        let attributes = /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?/
        let kinds = /(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?/
        return file.codeLines.enumerated().compactMap { index, line in
            guard line.contains("import"), let start = line.prefixMatch(of: attributes) else { return nil }
            let rest = line[start.range.upperBound...]
            guard let keyword = rest.prefixMatch(of: /import\s+/) else { return nil }
            let named = rest[keyword.range.upperBound...]
            guard let kind = named.prefixMatch(of: kinds) else { return nil }
            let module = named[kind.range.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            return (index + 1, String(module))
        }
    }
}
