import ArgumentParser
import ServerRequests

/// The issuer outside whose tokens the server takes too.
struct IssuerOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Also take this issuer's tokens.", valueName: "name"))
    var issuer: String?
    @Option(help: ArgumentHelp("The issuer's key set: a file, or an https address.", valueName: "file|url"))
    var jwks: String?
    @Option(help: ArgumentHelp("This service's name at the issuer: a token's 'aud'.", valueName: "name"))
    var audience: [String] = []
    @Option(help: ArgumentHelp("An app of this service at the issuer: a token's 'azp'.", valueName: "name"))
    var authorizedParty: [String] = []

    func validate() throws {
        guard (issuer == nil) == (jwks == nil) else {
            throw ValidationError("--issuer and --jwks belong together.")
        }
        guard (issuer == nil) == audience.isEmpty, (issuer == nil) == authorizedParty.isEmpty else {
            throw ValidationError(
                "--issuer wants --audience and --authorized-party: tokens for others open nothing here.")
        }
        guard jwks?.lowercased().hasPrefix("http://") != true else {
            throw ValidationError("--jwks wants a file or an https address.")
        }
    }

    /// nil: the server takes its own tokens alone.
    var settings: OutsideIssuer.Settings? {
        guard let issuer, let jwks else { return nil }
        return OutsideIssuer.Settings(issuer: issuer, keySet: jwks, audiences: audience, parties: authorizedParty)
    }
}
