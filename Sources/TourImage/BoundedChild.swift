import Glibc
import Subprocess
import SystemPackage
import TourModel

/// The limits of one program.
package struct ChildBounds: Sendable {
    /// The address space of a working program: 108 million pixels of a progressive JPEG need 700 MiB. A HEIC with as
    /// many needs more and is refused.
    private static let standardAddressSpaceBytes = 1024 * 1024 * 1024
    /// Processor time of one program, in seconds: 108 million pixels need three on a laptop; the limit leaves a small
    /// computer twenty times as long.
    private static let standardProcessorSeconds = 60
    /// The same on a clock, for a busy machine.
    private static let standardTime: Duration = .seconds(90)
    /// Files that a program has open at a time, including its libraries while it loads them.
    static let openFilesMax = 64
    /// A program's error messages: a few lines.
    static let complaintBytesMax = 16 * 1024

    /// The largest address space, in bytes.
    package var addressSpaceBytes = Self.standardAddressSpaceBytes
    /// Processor time, in seconds.
    package var processorSeconds = Self.standardProcessorSeconds
    /// Time on a clock.
    package var time = Self.standardTime

    package init() {}
}

/// Why a child process brought no result.
enum ChildFault: Error, Hashable, Sendable {
    /// The program is not installed, or the system could not start a process.
    case notStarted
    /// The program ended with an error and these words.
    case failed(String)
    /// A signal ended the program: that of a limit, or of its own fault.
    case killed(signal: Int32)
    case tooManyWords
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
}

/// Runs a program of the system on one open file. The program has no terminal, no other open file and no environment
/// but the one given here, and it has ended when the call returns.
struct BoundedChild: Sendable {
    /// Where to look for programs, in this order.
    let folders: [String]
    let bounds: ChildBounds

    /// libvips reads only formats that it is built to read safely, works on one core, generates no code, and prints
    /// no warnings.
    private static let environment: [Environment.Key: String] = [
        "PATH": "/usr/bin:/bin", "LC_ALL": "C", "VIPS_BLOCK_UNTRUSTED": "1", "VIPS_CONCURRENCY": "1",
        "VIPS_NOVECTOR": "1", "VIPS_WARNING": "0",
    ]

    /// Nil where it is not installed.
    func path(of program: PictureProgram) -> String? {
        folders.map { "\($0)/\(program.rawValue)" }.first { access($0, X_OK) == 0 }
    }

    /// - Parameter input: its standard input, from the start.
    /// - Parameter directory: its working directory, where it may write.
    /// - Parameter fileBytesMax: the limit of each file that it writes.
    /// - Parameter wordsMax: the limit of its output, in bytes.
    /// - Returns: its output.
    func run(
        _ program: PictureProgram, _ arguments: [String], input: FileDescriptor, in directory: FilePath = "/",
        fileBytesMax: Int = 0, wordsMax: Int
    ) async throws(ChildFault) -> [UInt8] {
        guard let path = path(of: program), let limits = self.path(of: .limits) else { throw .notStarted }
        var configuration = Configuration(
            executable: .path(FilePath(limits)), arguments: Arguments(bounded(fileBytesMax) + [path] + arguments),
            environment: .custom(Self.environment.merging(["TMPDIR": directory.string]) { $1 }),
            workingDirectory: directory)
        configuration.platformOptions.createSession = true
        configuration.platformOptions.teardownSequence = [
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .zero)
        ]
        guard (try? input.seek(offset: 0, from: .start)) != nil else { throw .notStarted }
        guard let outcome = await race(configuration, input, wordsMax) else {
            throw Task.isCancelled ? .cancelled : .timedOut
        }
        if Task.isCancelled { throw .cancelled }
        return try outcome.get()
    }

    /// `prlimit` sets the limits and then becomes the program.
    private func bounded(_ fileBytesMax: Int) -> [String] {
        [
            "--as=\(bounds.addressSpaceBytes)", "--cpu=\(bounds.processorSeconds)", "--fsize=\(fileBytesMax)",
            "--nofile=\(ChildBounds.openFilesMax)", "--core=0", "--",
        ]
    }

    /// Nil when the time was over first. Either way the child has ended.
    private func race(
        _ configuration: Configuration, _ input: FileDescriptor, _ wordsMax: Int
    ) async -> Result<[UInt8], ChildFault>? {
        let time = bounds.time
        return await withTaskGroup { group in
            group.addTask { await Self.outcome(of: configuration, input, wordsMax) }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private static func outcome(
        of configuration: Configuration, _ input: FileDescriptor, _ wordsMax: Int
    ) async -> Result<[UInt8], ChildFault>? {
        do {
            let result = try await Subprocess.run(
                configuration, input: .fileDescriptor(input, closeAfterSpawningProcess: false),
                output: .bytes(limit: wordsMax), error: .bytes(limit: ChildBounds.complaintBytesMax))
            return switch result.terminationStatus {
            case .exited(0): .success(result.standardOutput)
            case .exited: .failure(.failed(String(decoding: result.standardError, as: UTF8.self)))
            case .signaled(let signal): .failure(.killed(signal: signal))
            }
        } catch let error as SubprocessError where error.code == .outputLimitExceeded {
            return .failure(.tooManyWords)
        } catch {
            return .failure(.notStarted)
        }
    }
}
