import NIOSSL

/// A key pair of this test's own for 127.0.0.1, which nobody trusts.
enum Certificate {
    static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBkDCCATagAwIBAgIUS52jKFBzgm/RKqoKrthWe4PAhfMwCgYIKoZIzj0EAwIw
        FDESMBAGA1UEAwwJMTI3LjAuMC4xMCAXDTI2MTEyMTIwMzI0MloYDzIxMjYxMDI4
        MjAzMjQyWjAUMRIwEAYDVQQDDAkxMjcuMC4wLjEwWTATBgcqhkjOPQIBBggqhkjO
        PQMBBwNCAATT5NIVQCacGXSBWE1F1E+29ndGFDAJHgVmZqxMN0UcYUZXMn+OC9pO
        5Mfy8PiWrbYfmxNlZNX2d0PoZGE3s2s/o2QwYjAdBgNVHQ4EFgQUx4wuxZxkwbPM
        HgZKMt0yrDXTFJQwHwYDVR0jBBgwFoAUx4wuxZxkwbPMHgZKMt0yrDXTFJQwDwYD
        VR0RBAgwBocEfwAAATAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gAMEUC
        IQCEqpOKKwL/nHelCg9+PGMTselKwg2BMLV/M611gA3d3AIgP5hAJ2jCYEKwSm5x
        Z/JLPlrvLt4rO409cVRe0zi5TjY=
        -----END CERTIFICATE-----
        """

    private static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgARA8QeBa6/K9csX4
        tDMaMGeR9T7i6V0Kda2Yi7YiTzihRANCAATT5NIVQCacGXSBWE1F1E+29ndGFDAJ
        HgVmZqxMN0UcYUZXMn+OC9pO5Mfy8PiWrbYfmxNlZNX2d0PoZGE3s2s/
        -----END PRIVATE KEY-----
        """

    static func context() throws -> NIOSSLContext {
        try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: try NIOSSLCertificate.fromPEMBytes(Array(certificate.utf8)).map {
                    .certificate($0)
                },
                privateKey: .privateKey(try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem))))
    }
}
