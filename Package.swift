// swift-tools-version: 6.2
import PackageDescription

/// Settings of every target here: the tools version implies Swift 6 mode, and warnings are errors.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
]

/// Links the Swift runtime into the program, which then runs without a toolchain and uses less memory. Equal code is
/// kept once. Symbols that are bound or looked up at each start cost every command time, so the C++ library that the
/// runtime needs is linked in too (the folder holds a linker script of its name, since the toolchain itself asks for
/// it), and symbols that nothing outside needs are not exported.
let standalone = LinkerSetting.unsafeFlags([
    "-L\(Context.packageDirectory)/Scripts/support/link", "-Xclang-linker", "-static-libgcc",
    "-Xlinker", "--no-export-dynamic", "-use-ld=lld", "-Xlinker", "--icf=safe", "-Xlinker", "-z", "-Xlinker",
    "pack-relative-relocs", "-static-stdlib",
    "-lCoreFoundation", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU",
])

/// Lays the functions that a node calls while it runs side by side, by a list that `Scripts/bench instructions --order`
/// makes: pages of code that nothing runs need not be in memory (`Documentation/decisions/011-function-order.md`).
/// SwiftPM does not see a change of the list: the program is linked anew with the next change of the sources.
let ordered = LinkerSetting.unsafeFlags(
    [
        "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Scripts/support/link/tour-chat.order",
        "-Xlinker", "--no-warn-symbol-ordering",
    ], .when(configuration: .release))

/// Everything but `TourKit` and what it needs: the programs, the server, the simulator. A package that depends on this
/// one for the library leaves the trait out (`traits: []`), and neither fetches nor compiles what they alone use
/// (`Documentation/decisions/013-tourkit.md`).
let programs: Set<String> = ["Programs"]

/// A product that only the programs use.
func program(_ product: String, of package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: programs))
}

let nioCore = program("NIOCore", of: "swift-nio")
let nioPosix = program("NIOPosix", of: "swift-nio")
let subprocess = program("Subprocess", of: "swift-subprocess")
let systemPackage = program("SystemPackage", of: "swift-system")
let nioHTTP1 = program("NIOHTTP1", of: "swift-nio")
let protobuf = Target.Dependency.product(name: "SwiftProtobuf", package: "swift-protobuf")
let grdb = program("GRDB", of: "GRDB.swift")
let logging = program("Logging", of: "swift-log")
let lifecycle = program("ServiceLifecycle", of: "swift-service-lifecycle")
let unixSignals = program("UnixSignals", of: "swift-service-lifecycle")
let hummingbird = program("Hummingbird", of: "hummingbird")
let hummingbirdCore = program("HummingbirdCore", of: "hummingbird")
let httpTypes = program("HTTPTypes", of: "swift-http-types")
let nioHTTPTypes = program("NIOHTTPTypes", of: "swift-nio-extras")
let arguments = program("ArgumentParser", of: "swift-argument-parser")

// Every version is exact, also those of indirect dependencies: a build of these sources includes nothing that was
// published since. Package.resolved could not ensure that, since it is not in the repository: it records locations and
// revisions, which differ where packages come from mirrors. The content of a version is the same everywhere: its hash
// is in Scripts/support/dependencies.txt, and Scripts/check-dependencies compares the sources with it before they are
// compiled.
//
// Where another package depends on this one by its version, SwiftPM and Xcode have the sources in a folder `checkouts`.
// There the library's only dependency is a range, since its app may need another version of the same package.
let isCheckedOut = Context.packageDirectory.split(separator: "/").dropLast().last == "checkouts"
let swiftProtobuf =
    isCheckedOut
    ? Package.Dependency.package(url: "https://github.com/apple/swift-protobuf", "1.39.0"..<"2.0.0")
    : Package.Dependency.package(url: "https://github.com/apple/swift-protobuf", exact: "1.39.0")

/// The indirect dependencies, each with one of its products, which `pins` names.
let indirect: [(package: String, version: Version, product: String)] = [
    ("swift-algorithms", "1.2.1", "Algorithms"),
    ("swift-asn1", "1.7.4", "SwiftASN1"),
    ("swift-async-algorithms", "1.1.4", "AsyncAlgorithms"),
    ("swift-atomics", "1.3.0", "Atomics"),
    ("swift-certificates", "1.21.1", "X509"),
    ("swift-collections", "1.6.0", "Collections"),
    ("swift-configuration", "1.4.0", "Configuration"),
    ("swift-crypto", "4.5.2", "Crypto"),
    ("swift-distributed-tracing", "1.7.3", "Tracing"),
    ("swift-http-structured-headers", "1.7.0", "StructuredFieldValues"),
    ("swift-http-types", "1.8.0", "HTTPTypes"),
    ("swift-metrics", "2.13.0", "Metrics"),
    ("swift-nio-extras", "1.35.2", "NIOExtras"),
    ("swift-nio-http2", "1.46.0", "NIOHTTP2"),
    ("swift-nio-ssl", "2.37.6", "NIOSSL"),
    ("swift-nio-transport-services", "1.28.0", "NIOTransportServices"),
    ("swift-numerics", "1.1.1", "Numerics"),
    ("swift-service-context", "1.5.1", "ServiceContextModule"),
]

/// Products for a platform that this package is not built for, so that no build contains them: SwiftPM warns of a
/// dependency that no target uses.
let pins: [Target.Dependency] = (indirect.map { ($0.package, $0.product) } + [("async-http-client", "AsyncHTTPClient")])
    .map { .product(name: $0.1, package: $0.0, condition: .when(platforms: [.windows], traits: programs)) }

/// A library of this package, optimised for size in release builds: code is most of the memory of an idle node, and a
/// node that wakes for one message finds little of its code in the processor's caches, so optimising for speed would
/// gain nothing. Each function has a section of its own, so that the linker can order them. Imports only
/// point down the list below, and `Scripts/support/imports.py` holds each file to what its target names.
func library(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(
        name: name, dependencies: dependencies,
        swiftSettings: strict + [
            .unsafeFlags(["-Osize", "-Xfrontend", "-function-sections"], .when(configuration: .release))
        ])
}

/// Tests of the code as it is released. The tests themselves are not optimised, and are compiled in one pass, which
/// halves their build time.
///
/// - Parameter isOptimised: for tests that themselves compute a lot.
func tests(_ name: String, _ dependencies: [Target.Dependency], isOptimised: Bool = false) -> Target {
    let quick = SwiftSetting.unsafeFlags(["-Onone", "-no-emit-module-separately-wmo"], .when(configuration: .release))
    let settings = isOptimised ? [] : [quick]
    return .testTarget(name: name, dependencies: dependencies, swiftSettings: strict + settings)
}

/// With TOUR_FUZZ set the package consists of `tour-fuzz`, `tour-fuzz-node` and the modules that they feed with random
/// bytes, all of them instrumented (see Scripts/fuzz).
let fuzzing = Context.environment["TOUR_FUZZ"] != nil

let package = Package(
    name: "tour-chat",
    // Those of `TourKit`: `Synchronization` needs these. The programs run on Linux alone.
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "TourKit", targets: ["TourKit"]),
        .executable(name: "tour-chat", targets: ["tour-chat"]),
        .executable(name: "tour-sim", targets: ["tour-sim"]),
        .executable(name: "tour-server", targets: ["tour-server"]),
    ],
    traits: [
        .trait(name: "Programs", description: "What only tour-chat, tour-server, tour-sim and their tests use."),
        .default(enabledTraits: programs),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
        swiftProtobuf,
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", exact: "1.0.2", traits: []),
        .package(url: "https://github.com/apple/swift-system", exact: "1.8.1"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // Without its reader of configurations: the program has its own.
        .package(url: "https://github.com/hummingbird-project/hummingbird", exact: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", exact: "2.13.0"),
        // Indirect: hummingbird's own tests use it.
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
    ] + indirect.map { .package(url: "https://github.com/apple/\($0.package)", exact: $0.version) },
    targets: [
        // 0: system libraries
        // For iOS there is no such library: a target of this name with an XCFramework takes this one's place there
        // (`Documentation/decisions/013-tourkit.md`).
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium",
            providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CProcess"),
        // Which commit a program is built from: the plugin writes it into the programs alone.
        .systemLibrary(name: "CVersion"),
        .plugin(name: "Commit", capability: .buildTool(), path: "Scripts/support/commit_plugin"),
        // Libraries that the program loads at run time, where it uses them: most commands need none.
        .target(name: "CLateLibrary"),
        .target(name: "CAvahi", dependencies: ["CLateLibrary"]),
        .target(name: "CDBus", dependencies: ["CLateLibrary"]),
        .target(name: "CQRCode", dependencies: ["CLateLibrary"]),
        .target(name: "CZBar", dependencies: ["CLateLibrary"]),
        .target(name: "CPNG", dependencies: ["CLateLibrary"]),
        .target(name: "CISAL", dependencies: ["CLateLibrary"]),
        .target(name: "CExpat", dependencies: ["CLateLibrary"]),
        .target(name: "CCurl", dependencies: ["CLateLibrary"]),
        .target(name: "CCertificate", dependencies: ["CLateLibrary"]),
        .target(name: "CPango", dependencies: ["CLateLibrary"]),
        .target(name: "CPostgres", dependencies: ["CLateLibrary"]),
        .target(name: "CCrypto", dependencies: ["CLateLibrary"]),
        // Files that are embedded in the program byte for byte.
        .target(name: "CWords", exclude: ["catalogues"]),
        .target(name: "CPage", exclude: ["page", "guest"]),
        .target(name: "CAdminPage", exclude: ["page"]),
        .target(name: "CContract"),
        .systemLibrary(name: "CNetlink"),
        // 1
        library("TourModel", ["CVersion"]),
        library("TourJSON", []),
        library("TourWords", ["TourModel", "CWords"]),
        library("TourGzip", ["CZlib", nioCore]),
        // 2
        library("TourWire", ["TourModel", protobuf]),
        library("TourCrypto", ["TourModel", "CSodium"]),
        // 3: pure machines
        library("TourLink", ["TourModel", "TourWire", "TourCrypto"]),
        library("TourGossip", ["TourModel", "TourWire", "TourCrypto"]),
        library("TourGroup", ["TourModel", "TourWire", "TourCrypto"]),
        library("TourBlob", ["TourModel", "TourWire", "TourCrypto", "CISAL"]),
        library("TourNotebook", ["TourModel", "CExpat", "CZlib"]),
        library("TourAPI", ["TourModel", "TourJSON", "TourNotebook"]),
        // 3 as well: the machine of one tour, composed of the others
        library("TourRuntime", ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup"]),
        // 4: the face of the pure machines for other apps
        library(
            "TourKit", ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourRuntime"]),
        // 4
        library("TourStore", ["TourModel", "TourWire", "TourCrypto", "TourNotebook", grdb]),
        library("TourPrint", ["TourModel", "TourWords", "CPango"]),
        library("TourCode", ["TourModel", "CQRCode", "CZBar"]),
        library("TourBus", ["CDBus"]),
        library("TourSupervision", [lifecycle]),
        library("TourTLS", ["CCertificate", "CProcess", hummingbirdCore, nioCore, nioPosix, logging]),
        library("TourKeyring", ["TourModel", "TourCrypto", "TourBus"]),
        library("TourDesktop", ["TourModel", "TourBus", "CProcess"]),
        library("TourHotspot", ["TourModel", "TourCrypto", "TourBus"]),
        library("TourPosition", ["TourModel", nioCore, nioPosix]),
        library("TourImage", ["TourModel", subprocess, systemPackage]),
        library("TourDiscovery", ["TourModel", "CAvahi", logging]),
        library("TourTransport", ["TourModel", "TourWire", "TourCrypto", "TourLink", nioCore, nioPosix, logging]),
        library("TourCurl", ["TourModel", "CCurl", nioHTTP1]),
        library(
            "TourMailbox",
            [
                "TourModel", "TourAPI", "TourWire", "TourCrypto", "TourNotebook", "TourCurl", "CNetlink", nioCore,
                nioPosix, nioHTTP1,
            ]),
        // 5
        library(
            "TourPresentation",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourCrypto", "TourNotebook", "TourPrint", "TourCode",
                "TourKeyring", "TourDesktop", "TourHotspot", "TourPosition", "TourImage", "TourDiscovery",
                "TourMailbox",
            ]),
        library(
            "TourNode",
            [
                "TourModel", "TourAPI", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob",
                "TourNotebook", "TourRuntime", "TourStore", "TourKeyring", "TourPosition", "TourImage",
                "TourDiscovery", "TourTransport", "TourMailbox", nioCore, nioPosix, logging, lifecycle,
            ]),
        // 6
        library(
            "TourClient",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourNotebook", "TourPrint", "TourCode", "TourDesktop",
                "TourMailbox", "TourPresentation", "CPNG", "CProcess", arguments, unixSignals,
            ]),
        library(
            "TourNodeWords",
            [
                "TourModel", "TourAPI", "TourWords", "TourNotebook", "TourStore", "TourImage", "TourDiscovery",
                "TourMailbox", "TourNode", "TourPresentation",
            ]),
        library(
            "TourWeb",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourCrypto", "TourNotebook", "TourPrint", "TourCode",
                "TourDesktop", "TourHotspot", "TourTransport", "TourMailbox", "TourNode", "TourPresentation",
                "TourNodeWords", "TourGzip", "CNetlink", "CPage", "CProcess", hummingbird, hummingbirdCore, httpTypes,
                nioCore, nioPosix, nioHTTP1, nioHTTPTypes, logging, lifecycle, "TourTLS",
            ]),
        // 7
        library(
            "TourCommands",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourDesktop", "TourSupervision", "TourNode",
                "TourPresentation", "TourNodeWords", "TourWeb", "TourClient", "CProcess", arguments, logging, lifecycle,
                unixSignals,
            ]),
        .executableTarget(
            name: "tour-chat", dependencies: ["TourCommands"], swiftSettings: strict,
            linkerSettings: [standalone, ordered], plugins: ["Commit"]),
        // 6 and 7: the server beside the mesh, which imports no module of the node. The three modules of its subjects
        // know nothing of each other, and are compiled side by side.
        library("ServerBase", ["TourModel", "TourCurl", "TourTLS", httpTypes, logging]),
        library(
            "ServerStorage",
            [
                "ServerBase", "TourModel", "TourWire", "TourCrypto", "TourGroup", "TourCurl", "CPostgres", grdb,
                httpTypes, nioPosix, nioHTTP1, logging,
            ]),
        library(
            "ServerRequests",
            [
                "ServerBase", "ServerStorage", "TourModel", "TourCrypto", "TourGzip", "TourNotebook", "TourCurl",
                "TourTLS", "CCrypto", hummingbird, hummingbirdCore, httpTypes, nioCore, nioPosix, nioHTTP1,
                nioHTTPTypes, logging, lifecycle,
            ]),
        library(
            "ServerAccounts",
            [
                "ServerBase", "ServerStorage", "ServerRequests", "TourModel", "TourCrypto", "TourCurl", httpTypes,
                nioHTTP1, logging,
            ]),
        library(
            "ServerNotebook",
            [
                "ServerBase", "ServerStorage", "ServerRequests", "TourModel", "TourCrypto", "TourNotebook", "TourPrint",
                hummingbirdCore, httpTypes, nioCore,
            ]),
        library(
            "ServerTours",
            [
                "ServerBase", "ServerStorage", "ServerRequests", "TourModel", "TourJSON", "TourWire", "TourCrypto",
                "TourGroup", "TourNotebook", hummingbirdCore, httpTypes, nioCore, logging,
            ]),
        library(
            "TourServer",
            [
                "ServerBase", "ServerStorage", "ServerRequests", "ServerAccounts", "ServerNotebook", "ServerTours",
                "TourModel", "TourCrypto", "TourGroup", "TourNotebook", "TourPrint", "TourTLS", "CAdminPage",
                "CContract", hummingbird, hummingbirdCore, httpTypes, nioCore, nioPosix, logging, lifecycle,
            ]),
        .executableTarget(
            name: "tour-server",
            dependencies: [
                "ServerBase", "ServerStorage", "ServerRequests", "ServerAccounts", "ServerTours", "TourServer",
                "TourModel", "TourSupervision", "CProcess", logging, lifecycle, arguments, unixSignals,
            ] + pins,
            swiftSettings: strict, linkerSettings: [standalone], plugins: ["Commit"]),
        // side: the machines of layers 1-3 under a virtual clock
        library(
            "TourSimulator",
            ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourRuntime"]),
        .executableTarget(
            name: "tour-sim", dependencies: ["TourModel", "TourSimulator", arguments], swiftSettings: strict,
            plugins: ["Commit"]),
        // the fuzzers' harnesses of a whole node; a test replays their stored inputs
        .target(
            name: "FuzzSupport", dependencies: ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGroup"],
            path: "Tests/Fuzz/Support", swiftSettings: strict),
        .target(
            name: "NodeHarnesses",
            dependencies: [
                "FuzzSupport", "TourModel", "TourJSON", "TourWire", "TourCrypto", "TourGroup", "TourNotebook",
                "TourStore", "TourMailbox", "TourNode", "TourWeb", grdb, nioHTTP1, logging, "TourCurl",
            ],
            path: "Tests/Fuzz/Node", swiftSettings: strict),
        // tests
        tests("FuzzInputTests", ["FuzzSupport", "NodeHarnesses"]),
        tests("TidyTests", [], isOptimised: true),
        tests("TourModelTests", ["TourModel"]),
        tests("TourJSONTests", ["TourJSON"]),
        tests("TourWordsTests", ["TourWords"]),
        tests("TourWireTests", ["TourModel", "TourWire", protobuf]),
        tests("TourCryptoTests", ["TourModel", "TourCrypto"]),
        tests("TourLinkTests", ["TourModel", "TourWire", "TourCrypto", "TourLink", "CSodium"]),
        tests("TourGroupTests", ["TourModel", "TourWire", "TourCrypto", "TourGroup"]),
        tests("TourGossipTests", ["TourModel", "TourWire", "TourCrypto", "TourGossip", "TourGroup"]),
        tests("TourNotebookTests", ["TourModel", "TourNotebook"]),
        tests("TourPrintTests", ["TourPrint"]),
        tests("TourCodeTests", ["TourModel", "TourCode", "CZBar"]),
        tests("TourBlobTests", ["TourModel", "TourWire", "TourCrypto", "TourBlob"]),
        tests("TourBusTests", ["TourBus", "CDBus"]),
        tests("TourTLSTests", ["TourTLS", hummingbird, hummingbirdCore, nioCore, nioPosix, logging, lifecycle]),
        tests("TourSupervisionTests", ["TourSupervision", logging, lifecycle]),
        tests("TourKeyringTests", ["TourModel", "TourKeyring"]),
        tests("TourDesktopTests", ["TourModel", "TourDesktop"]),
        tests("TourHotspotTests", ["TourModel", "TourBus", "TourHotspot"]),
        tests("TourPositionTests", ["TourModel", "TourPosition", nioCore, nioPosix]),
        tests("TourStoreTests", ["TourModel", "TourCrypto", "TourNotebook", "TourStore", grdb]),
        tests("TourImageTests", ["TourModel", "TourImage"]),
        tests("TourDiscoveryTests", ["TourModel", "TourDiscovery", logging]),
        tests(
            "TourMailboxTests",
            [
                "TourModel", "TourAPI", "TourWire", "TourCrypto", "TourGroup", "TourCurl", "TourMailbox", nioCore,
                nioPosix, nioHTTP1,
            ]),
        tests(
            "TourRuntimeTests",
            ["TourModel", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourRuntime"]),
        tests("TourKitTests", ["TourKit"]),
        tests(
            "TourNodeTests",
            [
                "TourModel", "TourAPI", "TourStore", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup",
                "TourMailbox", "TourNotebook", "TourPosition", "TourRuntime", "TourNode", grdb, nioCore, nioPosix,
                logging,
            ]),
        tests(
            "TourPresentationTests",
            [
                "TourModel", "TourAPI", "TourWords", "TourNotebook", "TourStore", "TourKeyring", "TourPosition",
                "TourImage", "TourCode", "TourDesktop", "TourHotspot", "TourDiscovery", "TourMailbox", "TourNode",
                "TourPresentation", "TourNodeWords", "TourClient",
            ]),
        tests(
            "TourWebTests",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourWire", "TourCrypto", "TourNotebook", "TourPrint",
                "TourCode", "TourHotspot", "TourNode", "TourPresentation", "TourWeb", "CSodium", httpTypes, nioCore,
                logging,
            ]),
        tests(
            "TourServerTests",
            [
                "ServerBase", "ServerStorage", "ServerRequests", "ServerAccounts", "ServerNotebook", "ServerTours",
                "TourServer", "TourModel", "TourWire", "TourCrypto", "TourGroup", "TourNotebook", "TourCurl",
                "TourGzip",
                "TourStore", "TourMailbox", "CPostgres", hummingbird, httpTypes, nioCore, nioPosix, nioHTTP1, logging,
                lifecycle,
            ]),
        tests(
            "VectorTests",
            [
                "TourModel", "TourAPI", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob",
                "TourNotebook", "TourDiscovery", "TourRuntime", "TourNode",
            ]),
        tests("SimulationTests", ["TourModel", "TourWire", "TourCrypto", "TourGossip", "TourGroup", "TourSimulator"]),
        tests(
            "CommandTests",
            [
                "TourModel", "TourJSON", "TourAPI", "TourWords", "TourNotebook", "TourCode", "TourNode",
                "TourPresentation", "TourNodeWords", "TourClient", "TourCommands", arguments,
            ]),
    ]
)

/// With TOUR_ONLY naming targets, the package consists of these and what they depend on: Scripts/check builds no more
/// than a change requires.
if let only = Context.environment["TOUR_ONLY"] { reduce(to: only.split(separator: ",").map(String.init)) }

/// Removes all targets but these and what they depend on.
@MainActor func reduce(to names: [String]) {
    var needed: Set<String> = [], open = names
    while let name = open.popLast() {
        let target = package.targets.first { $0.name == name }
        guard needed.insert(name).inserted, let target else { continue }
        for case .byNameItem(let next, _) in target.dependencies { open.append(next) }
        for case .plugin(let next, _) in target.plugins ?? [] { open.append(next) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll { !needed.contains($0.name) }
}

if fuzzing {
    let instruments = strict + [.unsafeFlags(["-sanitize=fuzzer,address", "-parse-as-library"])]
    // libFuzzer's own code is linked into the programs only; the modules under test are just instrumented.
    let linked = [LinkerSetting.unsafeFlags(["-sanitize=fuzzer,address"])]
    func program(_ name: String, _ dependencies: [Target.Dependency], in folder: String) -> Target {
        .executableTarget(
            name: name, dependencies: ["FuzzDriver", "FuzzSupport"] + dependencies, path: "Tests/Fuzz/\(folder)",
            swiftSettings: instruments, linkerSettings: linked)
    }
    package.targets += [
        .systemLibrary(name: "CSanitizer", path: "Tests/Fuzz/Driver/CSanitizer"),
        .target(
            name: "FuzzDriver", dependencies: ["FuzzSupport", "TourModel", "CSodium", "CSanitizer"],
            path: "Tests/Fuzz/Driver", exclude: ["CSanitizer"], swiftSettings: instruments),
        program(
            "tour-fuzz",
            [
                "TourModel", "TourJSON", "TourWire", "TourCrypto", "TourLink", "TourGossip", "TourGroup", "TourBlob",
                "TourNotebook",
            ], in: "Core"),
        program("tour-fuzz-node", ["NodeHarnesses"], in: "NodeRunner"),
    ]
    reduce(to: ["tour-fuzz", "tour-fuzz-node"])
    for target in package.targets where target.type == .regular && target.swiftSettings != nil {
        target.swiftSettings = instruments
    }
}
