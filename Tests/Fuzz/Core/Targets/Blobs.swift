import FuzzSupport
import TourBlob
import TourModel
import TourWire

/// The swarm's machine under a program of files, links, messages, answers of its store and time.
enum BlobHarness {
    private static let stepsMax = 300
    private static let links = 4

    static func run(_ bytes: [UInt8]) {
        var program = ByteProgram(bytes)
        var shell = BlobShell()
        let start = program.byte()
        if start & 1 != 0 { for link in 0..<3 { shell.feed(.linkUp(LinkID(value: UInt64(link)), isSlow: link == 2)) } }
        if start & 2 != 0 { for file in FuzzFile.all { shell.open(file, .wanted, have: [], pages: 0) } }
        if start & 4 != 0 { shell.open(FuzzFile.all[0], .origin, have: Set(0..<6), pages: 1) }
        var steps = 0
        while !program.isAtEnd, steps < stepsMax {
            steps += 1
            step(&program, &shell)
        }
        // In the end time passes, and everything that waits is answered.
        for _ in 0..<20 {
            shell.answer(0, isGood: true)
            if let due = shell.machine.nextDeadline { shell.feed(.timer, after: due - shell.now) }
        }
    }

    private static func step(_ program: inout ByteProgram, _ shell: inout BlobShell) {
        switch program.number(below: 16) {
        case 0: shell.feed(.linkUp(link(&program), isSlow: program.flag()))
        case 1: rare(&program, &shell)
        case 2: open(&program, &shell)
        case 3: shell.answer(Int(program.byte()), isGood: program.number(below: 8) > 0)
        case 4, 5: shell.feed(.sent(link(&program)))
        case 6: shell.feed(.timer, after: .microseconds(1 << Int64(program.number(below: 28))))
        case 7:
            if let due = shell.machine.nextDeadline { shell.feed(.timer, after: due - shell.now) }
        case 8:
            let message = try? LinkMessage.decode(program.chunk())
            if case .blob(let message)? = message { shell.feed(.message(link(&program), message)) }
        default:
            let link = link(&program)
            shell.feed(.message(link, message(&program)))
        }
    }

    private static func rare(_ program: inout ByteProgram, _ shell: inout BlobShell) {
        let file = file(&program)
        switch program.number(below: 10) {
        case 0: shell.feed(.close(file.blob))
        case 1: shell.feed(.linkDown(link(&program)))
        case 2:
            let byte = program.byte()
            let until = shell.now + .milliseconds(Int64(byte))
            shell.feed(.casting(file.blob, until: until, beside: byte.isMultiple(of: 2) ? [] : shell.openLinks))
        case 3:
            let chunk = number(&program, file)
            shell.feed(.heard(file.blob, chunk: chunk, bytes(&program, file, chunk)))
        case 4: shell.feed(.unreadable(link(&program), file.blob, chunk: number(&program, file)))
        case 5: shell.feed(.stored(file.blob, chunk: number(&program, file)))
        case 6: shell.feed(.castLeft(file.blob, [number(&program, file), number(&program, file)]))
        case 7:
            let until = shell.now + .milliseconds(Int64(program.byte()))
            shell.feed(.castOut(file.blob, to: [link(&program), link(&program)], until: until))
        case 8:
            let (page, hashes) = page(&program, file)
            shell.feed(.heardPage(file.blob, page: page, hashes))
        default: shell.answer(0, isGood: false)
        }
    }

    private static func open(_ program: inout ByteProgram, _ shell: inout BlobShell) {
        let roles: [BlobRole] = [.origin, .wanted, .held, .relay]
        let file = file(&program)
        let role = roles[program.number(below: roles.count)]
        let have: Set<Int> =
            switch program.number(below: 4) {
            case 0: Set(0..<file.shape.chunkCount)
            case 1: Set((0..<file.shape.chunkCount).filter { $0 % 2 == 0 })
            default: []
            }
        shell.open(file, role, have: have, pages: program.number(below: 4))
    }

    private static func message(_ program: inout ByteProgram) -> BlobMessage {
        let file = file(&program)
        switch program.number(below: 8) {
        case 0, 1:
            let have: [UInt8] =
                switch program.number(below: 4) {
                case 0: ChunkSet.all(file.shape.chunkCount).bytes
                case 1: []
                default: [program.byte()]
                }
            return .state(
                .init(blob: file.blob, wants: program.number(below: 5), have: have, asks: program.flag()))
        case 2: return .got(file.blob, numbers(&program, file))
        case 3:
            return .ask(
                .init(
                    blob: file.blob, pages: program.flag() ? [program.number(below: 3)] : [],
                    chunks: numbers(&program, file), got: program.flag() ? numbers(&program, file) : []))
        case 4:
            let (page, hashes) = page(&program, file)
            return .page(file.blob, page: page, hashes: hashes)
        case 5, 6:
            let chunk = number(&program, file)
            return .chunk(.init(blob: file.blob, chunk: chunk, bytes: bytes(&program, file, chunk)))
        default: return .drop(file.blob, numbers(&program, file), refused: program.flag())
        }
    }

    /// Mostly one of the file's.
    private static func page(_ program: inout ByteProgram, _ file: FuzzFile) -> (Int, [Bytes32]) {
        let page = program.number(below: 2)
        let hashes = page < file.pages.count ? file.pages[page] : [.zero]
        return (page, program.number(below: 8) == 0 ? hashes.reversed() : hashes)
    }

    private static func bytes(_ program: inout ByteProgram, _ file: FuzzFile, _ chunk: Int) -> [UInt8] {
        guard program.number(below: 8) > 0, let real = file.real[chunk] else { return program.chunk() }
        return real
    }

    private static func numbers(_ program: inout ByteProgram, _ file: FuzzFile) -> [Int] {
        (0..<program.number(below: 5)).map { _ in number(&program, file) }
    }

    /// Mostly a chunk that the file has, and often one whose bytes are at hand.
    private static func number(_ program: inout ByteProgram, _ file: FuzzFile) -> Int {
        switch program.byte() {
        case let small where small < 128: Int(small) % 8
        case let real where real < 224:
            file.real.isEmpty ? 0 : file.real.keys.sorted()[Int(real) % file.real.count]
        default: Limits.blobChunksMax - 1 - Int(program.byte())
        }
    }

    private static func file(_ program: inout ByteProgram) -> FuzzFile {
        FuzzFile.all[program.number(below: FuzzFile.all.count)]
    }

    private static func link(_ program: inout ByteProgram) -> LinkID {
        LinkID(value: UInt64(program.number(below: links)))
    }
}
