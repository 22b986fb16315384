// swift-tools-version: 6.2
import PackageDescription

// Two programs that stand on TourKit as an app would: a package of its own, which names the library and nothing else.
// An app names tour-chat by its address and a version in place of the path.
let package = Package(
    name: "examples",
    platforms: [.macOS(.v15)],
    dependencies: [
        // Without the trait "Programs": what tour-chat and its server need is neither fetched nor compiled.
        .package(name: "tour-chat", path: "../..", traits: [])
    ],
    targets: [
        .executableTarget(
            name: "two-nodes", dependencies: [.product(name: "TourKit", package: "tour-chat")], path: "two-nodes"),
        .executableTarget(
            name: "observer", dependencies: [.product(name: "TourKit", package: "tour-chat")], path: "observer"),
    ]
)
