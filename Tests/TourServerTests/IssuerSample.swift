import Foundation

/// Keys of issuers and tokens that they signed, one for each algorithm.
///
/// Source: RFC 7515, appendices A.2 to A.4, and RFC 8037, appendix A.4, whose tokens name no key. The others were made
/// once by another library, with the private key of A.2, and for ES384 with one that is gone; they name the key `k`.
enum IssuerSample {
    static let modulus = """
        ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4d4QlL-yRT-SFd2lZS-p\
        CgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapH\
        g665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4\
        FRWyuXpoQ
        """

    /// The members of a key beside its name.
    static let rsa = #""kty":"RSA","n":"\#(modulus)","e":"AQAB""#
    static let p256 = #"""
        "kty":"EC","crv":"P-256",
        "x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
        """#
    static let p384 = #"""
        "kty":"EC","crv":"P-384","x":"UJG7uwkBLG977dBjJXxF-RxFb1QCkMrHF_sqGRWoYa0NJTMwRN9L8-MXaAEFZ8n_",
        "y":"9xaHmDkVB81MUbAel3iJG3vAWO9aK2fbmqoM2S20q_wtwUmGU7hwAYjlyyWOlr4J"
        """#
    static let p521 = #"""
        "kty":"EC","crv":"P-521",
        "x":"AekpBQ8ST8a8VcfVOTNl353vSrDCLLJXmPk06wTjxrrjcBpXp5EOnYG_NjFZ6OvLFV1jSfS9tsz4qUxcWceqwQGk",
        "y":"ADSmRA43Z1DSNx_RvcLI87cdL07l6jQyyBXMoxVg_l2Th-x3S1WDhjDly79ajL4Kkd0AZMaZmh9ubmf63e3kyMj2"
        """#
    static let ed25519 = #""kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo""#

    /// Algorithm, key and token.
    static let all = [
        (algorithm: "RS256", key: rsa, token: rs256),
        (algorithm: "RS384", key: rsa, token: rs384),
        (algorithm: "RS512", key: rsa, token: rs512),
        (algorithm: "PS256", key: rsa, token: ps256),
        (algorithm: "PS384", key: rsa, token: ps384),
        (algorithm: "PS512", key: rsa, token: ps512),
        (algorithm: "ES256", key: p256, token: es256),
        (algorithm: "ES384", key: p384, token: es384),
        (algorithm: "ES512", key: p521, token: es512),
        (algorithm: "EdDSA", key: ed25519, token: eddsa),
    ]

    private static let rs256 = """
        eyJhbGciOiJSUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cn\
        VlfQ.cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5jujGbds9uJdbF9\
        CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO\
        --xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_I\
        oypGlUPQGe77Rw
        """

    private static let rs384 = """
        eyJhbGciOiJSUzM4NCIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.cNQ9O9N2jPaP1vf4Wv65zAsLi5LSQCAPynage\
        kcsFPIXDTxk7jIy7XUBv3iHH-LGWMOq3urRhxTORUocl7y_78Isai5DeWbHJ45SxWtPFX8ICw8FhrbrZN1SgwbMUhgYGCPnqIDidw7RvgIKLoin\
        PZd06YCvfvRDzKFlzGzdFqa4zCZL6UpcyOS0T9cPeL1Le4eNSMoBo513YkzYdrfKs2WIO4XyNjpG7eeOz9CFaZE34hrw1jlcdSXb7B1FeO5ddXX\
        rb_Fw3JdUUnAiRrV1S1VcBIpwBrKqp2nnSmFPXCocqaa_USu8KwIpajg1QYrTcHZDoF_AABApRWpNxBuFnQ
        """

    private static let rs512 = """
        eyJhbGciOiJSUzUxMiIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.HEOmWtmSYjPCAcG5jfh-jcBmfPUf1bx3LHeGZ\
        E1cz_T90MlKj-5YRFyezryaKFPG_AexJG1RGoaKGmpOOYew2lawjb2BiL2YlyUCMZl6vibqBgA9QK38stP9I5TzaHDB25Sq0UO9Y1zW-TQpJeO5\
        fKfRLJzomgEfb7Fa70nfoTu_2V0hNDvNQotC3k6uSNopETpUCnJtr0AVuj_qrfv0Z7teWl2MOm5o9gFcLg3HIvWTBhvhqijnVe3w-qxCkZp_3U9\
        AOaTwwreV_dog41t0um9aWfkkSsFY3RiH92TA9ubkgP5JgRROZXtlnKzJmy-Nrm1dZGVMMDsSTfUxRY3xBA
        """

    private static let ps256 = """
        eyJhbGciOiJQUzI1NiIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.EGqhtwIosQUPvqNHYxOsrqtTyBaJmzFP3IGXv\
        Qh-g3o1mCY3rDUUE7zwk-XwomBfLUXJGvI5EcTOeh9H1Wm8GjtuQZTpYaUbuJHg9Yhb5w8yzYIXNknYQZqBO5Gkn5mOP9JW_QMJQlElt3wCj2_-\
        BqQ6n9IWULvlAkj-usgzL2GyWo4l6D8BmDXqOeDtfXozmTpiq1HS-EYD91Rx1J2qbeEH4PIKm0_iFSCX8kl4jF6ZsoOBcMOILGVZJLivCStUyGf\
        5AHwAHe4s4rc8Qx8ubxXGFd1ZX4NAQ8CwheEoZ5CT0fG7kbB_9hal51bSLk06TQgMeaKY_6iXViwkiOT_dw
        """

    private static let ps384 = """
        eyJhbGciOiJQUzM4NCIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.kRD4RJ8BLvGBv1D1s2V8Z-IsnKcaRYTebwpcC\
        -j-0rxJRTgU8DUSrgAuZj7ozxB7Sza_LYxGSqJuARlf_4un0geRxX7MCb3rOk0gwkiQpBDNTgbj1g3mLJOqrN5u1TJLv5KYfNgVmMmxkIpo5N9w\
        cJ1o3CNBehNeUQHJqcrpbvq9HvwyeRNnf5e9aVIMqK4tBzhcpWsxD3qzUkF_UaDeP4qEBfJMMbLjTLu_hT-Og_aUYLCsKZAAR3rV8yV-c4WXp4a\
        phEI_7BH3EQYEGBiIu_boTSM68hZ9PVFFnGoJSFkXmGSNKGfDwhK5MlxPAmNy4pZXhfipseNB50InDrnPRQ
        """

    private static let ps512 = """
        eyJhbGciOiJQUzUxMiIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.hpyQnOXJdns9w5KzxAk_akAMLBhskYMfhj8J3\
        z7boB3hq1i0zdh1tsmCme-8Hfrv3w1_axcENKtOv8i8W4DTqDvIp2OK3_yR62YGQPXBarjL1q6RJZ8prztFw7Uy0Bx_SpfZC8hP33vQty1U8R3m\
        wvLBfEyv9XU-KezujPI1UQ7T__pKe9lpnOpsgCxnE5ndu7dgk29q-vhmm8jqDu_ykfH7bIb5YcP2YiKLB9QLrMVBJ-C9a_mlKTNy66iGV3f1BZR\
        Lc14azXbXbjcAWt_K78oTqmkHygETGtOzNMHrvEhGN6cp5QvqiP64C6BYHSQ9ZHPv6nuWi84dAJhHEcvw1Q
        """

    private static let es256 = """
        eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cn\
        VlfQ.DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
        """

    private static let es384 = """
        eyJhbGciOiJFUzM4NCIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.zWGpkhYJV2kD8Cyh_QgtsuGwGYRdPcNJh6oxG\
        vvlIfelFLu2xiVsD9t8yyMiBSeQ5SOZhgRbg3tKM77kRgMsi58oE8Ize57pXU2WHaZ44q0qedQTOcB30N_AWvwfR4Ha
        """

    private static let es512 = """
        eyJhbGciOiJFUzUxMiJ9.UGF5bG9hZA.AdwMgeerwtHoh-l192l60hp9wAHZFVJbLfD_UxMi70cwnZOYaRI1bKPWROc-mZZqwqT2SI-KGDKB34X\
        O0aw_7XdtAG8GaSwFKdCAPZgoXD2YBJZCPEX3xKpRwcdOO8KpEHwJjyqOgzDO7iKvU8vcnwNrmxYbSW9ERBXukOXolLzeO_Jn
        """

    private static let eddsa = """
        eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc.hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4k\
        i4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg
        """

    /// PS256 with a salt of no bytes, where RFC 7518 has it as long as the hash.
    static let withoutSalt = """
        eyJhbGciOiJQUzI1NiIsImtpZCI6ImsiLCJ0eXAiOiJKV1QifQ.eyJzdWIiOiJ1c2VyXzEifQ.O8V6C9A3666CgcnVwkiydeI6V26s7MJshN7gn\
        JaFtMMu1He8OQm8ItEOAuxWliFBtljP6U9-fXNq4bBvNhIUu-mGqpXGiia8AQyIhcj15vb5XS3w7zdLYhSt2753bjn0mkIpN26udFtAuZh_Bs3b\
        XdSoCqu_6BemBkGqfO4I2P8i6LFyxOzE0RyJZFlVs7GWXHXFTPHP4EVdw926tnYQ8Cy_RIns2h4B9hOgCCx4NCt-eY9KIEh2qHzmEans01w8qOX\
        n5WnpUPtdAaGHbzXs_cP1oPwCYmEEMwiNG-3DMze_N_LvvkuYmB6dGu-S_fCiPwoeJcwf5JQkVHTyZ_ZxXA
        """

    /// A key set.
    /// - Parameter members: of each key beside its name, which is `k` and its place from the second key on.
    static func set(_ members: String...) -> Data {
        let keys = members.enumerated().map { #"{"kid":"\#($0.offset == 0 ? "k" : "k\($0.offset)")",\#($0.element)}"# }
        return Data(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8)
    }
}
