import ArgumentParser
import CProcess
import Glibc
import ServerBase
import ServerStorage
import TourModel
import TourServer

/// The command line of the server.
struct TourServerProgram: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tour-server",
        abstract: "The server beside the mesh: accounts, and a mailbox for tours that reach the internet.",
        discussion: """
            EXAMPLES
              tour-server serve --data-dir /var/lib/tour-server --listen 0.0.0.0:8443 \\
                  --tls-certificate chain.pem --tls-key key.pem --sms twilio
              tour-server serve --config /etc/tour-server.toml
              tour-server user role +905551112233 guide --data-dir /var/lib/tour-server
            """,
        version: "tour-server \(ProgramVersion.text)",
        subcommands: [
            ServeCommand.self, MigrateCommand.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self,
            UserCommand.self, KeysCommand.self, AdminCommand.self, ConfigCommand.self, MailCommand.self,
            SMSTrialCommand.self,
        ])

    /// Trying again does not help. Source: sysexits.h, EX_CONFIG.
    private static let badFile: Int32 = 78

    static func main() async {
        _ = process_keep_memory_private()
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parsed(Array(CommandLine.arguments.dropFirst()))
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            printLine("tour-server: \(failure) (\(failure.code.rawValue))", to: STDERR_FILENO)
            Glibc.exit(1)
        } catch let failure as SettingsFileError {
            for line in "\(failure)".split(separator: "\n") { printLine("tour-server: \(line)", to: STDERR_FILENO) }
            Glibc.exit(badFile)
        } catch {
            exit(withError: error)
        }
    }

    private static func parsed(_ words: [String]) throws -> any ParsableCommand {
        let configured = try ConfiguredArguments(words)
        do {
            return try parseAsRoot(configured.arguments)
        } catch {
            if exitCode(for: error) == .validationFailure { configured.tellPlaces(of: message(for: error)) }
            throw error
        }
    }
}

/// The place of the server's data.
struct PlaceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Settings file: the long options of 'serve' as keys, listen = "0.0.0.0:8443". The command line counts more \
            than the file, and the file more than the environment.
            """, valueName: "file"), completion: .file())
    var config: String?
    @Option(
        help: ArgumentHelp(
            "Data directory (default: $TOUR_SERVER_DATA_DIR, else ./tour-server-data).", valueName: "dir"))
    var dataDir: String?
    @Option(
        help: ArgumentHelp(
            """
            postgres://HOST/NAME or 'host=… dbname=…' of libpq, without a password; or an SQLite file (default: \
            $TOUR_SERVER_DATABASE, else server.sqlite in the data directory).
            """, valueName: "database"))
    var database: String?
    @Option(
        help: ArgumentHelp(
            "File of mode 0600 with the password of the PostgreSQL database (default: $TOUR_SERVER_PASSWORD_FILE).",
            valueName: "file"))
    var databasePasswordFile: String?

    @Option(
        help: ArgumentHelp(
            """
            s3://BUCKET or s3://BUCKET/PREFIX: whole blobs and files are there, not in the data directory (default: \
            $TOUR_SERVER_BLOBS).
            """, valueName: "place"))
    var blobs: String?
    @Option(
        help: ArgumentHelp(
            "The address of the bucket's S3 service (default: $TOUR_SERVER_BLOBS_ENDPOINT).", valueName: "url"))
    var blobsEndpoint: String?
    @Option(
        help: ArgumentHelp(
            "The bucket's region (default: $TOUR_SERVER_BLOBS_REGION, else us-east-1).", valueName: "name"))
    var blobsRegion: String?
    @Option(
        help: ArgumentHelp(
            """
            File of mode 0600 with aws_access_key_id and aws_secret_access_key (default: \
            $TOUR_SERVER_BLOBS_CREDENTIALS, else AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY).
            """, valueName: "file"))
    var blobsCredentials: String?

    var directory: String { dataDir ?? environmentValue("TOUR_SERVER_DATA_DIR") ?? "tour-server-data" }

    /// The place of the data, in settings with nothing else.
    var settings: ServerSettings {
        var settings = ServerSettings(
            host: "", port: 0, dataDirectory: directory,
            database: database ?? environmentValue("TOUR_SERVER_DATABASE"))
        settings.databasePasswordFile = databasePasswordFile ?? environmentValue("TOUR_SERVER_PASSWORD_FILE")
        settings.blobs = bucket
        return settings
    }

    private var bucket: S3Options? {
        guard let place = blobs ?? environmentValue("TOUR_SERVER_BLOBS") else { return nil }
        var options = S3Options(
            place: place, endpoint: blobsEndpoint ?? environmentValue("TOUR_SERVER_BLOBS_ENDPOINT"),
            region: blobsRegion ?? environmentValue("TOUR_SERVER_BLOBS_REGION") ?? "us-east-1")
        options.credentialsFile = blobsCredentials ?? environmentValue("TOUR_SERVER_BLOBS_CREDENTIALS")
        options.accessKey = environmentValue("AWS_ACCESS_KEY_ID")
        options.secretKey = environmentValue("AWS_SECRET_ACCESS_KEY")
        return options
    }

    /// For a command that does not listen.
    var door: OpenedServer { get throws { try OpenedServer(settings: settings) } }
}

/// Prints one line at once: `print` buffers output to a pipe.
func printLine(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
    let bytes = Array((line + "\n").utf8)
    // Without a reader there is nobody to inform.
    _ = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}

/// A variable of the environment; nil also when it is empty.
func environmentValue(_ name: String) -> String? {
    guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
    return value
}
