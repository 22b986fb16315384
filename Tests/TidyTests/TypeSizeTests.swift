import Testing

/// Goal: a type's parts are added up as the rule says, and an exception only ever becomes smaller.
/// Method: small sources in several files, and sizes beside exceptions that fit or do not.
struct TypeSizeTests {
    @Test func partsOfAModuleAreAddedUp() {
        let sizes = TypeSize.sizes(in: [
            Self.file("TourNode/A.swift", "struct A {\n let b: Int\n}\nextension A {}\nprivate struct P { let a = 1 }"),
            Self.file("TourNode/A+C.swift", "extension A {\nstruct D { let e: Int }\n}\nextension A {}"),
            Self.file("TourNode/P.swift", "private struct P {}"),
            Self.file("TourNode/Deep/A+F.swift", "extension A.D {\n}\nextension String {}\nextension A {}"),
            Self.file("TourWeb/A.swift", "struct A {}"),
            Self.file("TourWeb/B.swift", "extension B {}\nextension P {}"),
        ])
        #expect(
            sizes == [
                TypeSize(module: "TourNode", name: "A", lines: 8, properties: 1, files: 2),
                TypeSize(module: "TourNode", name: "A.D", lines: 3, properties: 1, files: 1),
                TypeSize(module: "TourNode", name: "P (A.swift)", lines: 1, properties: 1, files: 0),
                TypeSize(module: "TourNode", name: "P (P.swift)", lines: 1, properties: 0, files: 0),
                TypeSize(module: "TourWeb", name: "A", lines: 1, properties: 0, files: 0),
            ])
    }

    @Test func aTypeWithinTheCapsNeedsNothing() {
        #expect(faults(lines: 800, properties: 20, files: 5) == [])
    }

    @Test func whatIsTooLargeIsNamedWithItsLine() {
        for size in [(801, 20, 5), (800, 21, 5), (800, 20, 6)] {
            #expect(faults(lines: size.0, properties: size.1, files: size.2).count == 1)
        }
        let fault = faults(lines: 1_005, properties: 20, files: 6)
        #expect(fault.first?.hasSuffix("let the exception be\n    \"M\", \"T\", lines: 1_005, files: 6,") ?? false)
    }

    @Test func exceptionsOnlyGoDown() {
        let cap = TypeCap("M", "T", lines: 1_000, properties: 40, reason: "")
        #expect(faults(lines: 1_000, properties: 40, files: 5, cap) == [])
        #expect(faults(lines: 950, properties: 38, files: 0, cap) == [], "within the slack")
        for size in [(1_001, 40, 5), (1_000, 41, 5), (1_000, 40, 6)] {
            #expect(faults(lines: size.0, properties: size.1, files: size.2, cap).first?.contains("smaller") ?? false)
        }
        for size in [(949, 40, 5), (1_000, 37, 5), (700, 40, 5)] {
            #expect(faults(lines: size.0, properties: size.1, files: size.2, cap).first?.contains("less") ?? false)
        }
        let slight = TypeCap("M", "T", lines: 801, reason: "")
        #expect(faults(lines: 800, properties: 0, files: 0, slight).first?.hasSuffix("remove its exception") ?? false)
        let other = TypeCap("M", "U", lines: 801, reason: "")
        #expect(faults(lines: 1, properties: 0, files: 0, other) == ["M/U: no such type; remove its exception"])
    }

    @Test func exceptionsAreSortedAndHaveReasons() {
        let types = TypeCap.exceptions.map { "\($0.module)/\($0.type)" }
        let folders = FolderCap.exceptions.map(\.folder)
        #expect(types == Set(types).sorted())
        #expect(folders == Set(folders).sorted())
        for reason in TypeCap.exceptions.map(\.reason) + FolderCap.exceptions.map(\.reason) {
            #expect(reason.count > 20 && reason.hasSuffix("."), "\(reason)")
        }
    }

    private func faults(lines: Int, properties: Int, files: Int, _ cap: TypeCap? = nil) -> [String] {
        let size = TypeSize(module: "M", name: "T", lines: lines, properties: properties, files: files)
        return TypeCap.faults(of: [size], exceptions: cap.map { [$0] } ?? [])
    }

    private static func file(_ path: String, _ text: String) -> ScannedFile {
        ScannedFile(SourceFile(path: "Sources/" + path, text: text))
    }
}
