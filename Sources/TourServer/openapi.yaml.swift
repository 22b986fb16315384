// Made by Scripts/embed-contract from Protocol/Schema/openapi.yaml. Do not edit.

/// The contract, as it is served.
package let openAPIDocument = #"""
    openapi: 3.1.0
    info:
      title: tour-server
      version: "1"
      license: { name: Apache-2.0, identifier: Apache-2.0 }
      description: |
        The server beside the mesh. JSON in UTF-8; times are RFC 3339 in UTC with whole seconds, any RFC 3339 is taken.
        A day must be one of the calendar; a request must say its Host, but to `/healthz`, `/readyz` and `/metrics`.
        Readers ignore members they do not know; of a name that comes twice in one object the first one counts. `/x` and `/x/` are one address; HEAD goes wherever GET goes.

        Every refusal is an `Error` with a stable code; its message is in English or Turkish, after `Accept-Language`.

        | status | codes |
        |---|---|
        | 400 | `bad-request` (an address, header or key that cannot be followed), `bad-json` |
        | 401 | `unauthenticated`, `bad-credentials`, `bad-code`, `bad-refresh-token`, `bad-proof`, `second-factor-needed`, `bad-second-factor` |
        | 403 | `forbidden`, `account-disabled` (by the operator; any token of it, and its logins), `banned` (by the operator: the client's address on every path but `/healthz`, `/readyz` and `/metrics`; the e-mail address or phone in the request; any token of the account, and its logins), `second-factor-required` (for the role), `not-a-guide`, `not-allowed`, `unknown-member`, `removed` |
        | 404 | `not-found`, `unknown-group`, `no-archive` |
        | 405 | `method-not-allowed`, with `Allow` |
        | 408 | `timeout`: the body took more than 20 s to arrive |
        | 409 | `email-taken`, `phone-taken`, `second-factor-on`, `in-progress` (the same Idempotency-Key or blob, still at work), `already-done` (the same key, whose answer was too large to keep), `email-not-proven` (a rank or second factor for it), `has-archive`, `wrong-offset`, `already-in-collection`, `samples-differ`, `last-admin`, `already-shared` |
        | 413 | `too-large` |
        | 414 | `address-too-long`: path and query above 2,048 bytes |
        | 415 | `unsupported-media-type`: not JSON (or a form, where one is taken), or compressed |
        | 416 | `range-not-satisfiable` |
        | 422 | `invalid-field`, named by `detail`; `bad-genesis`; `idempotency-key-reused`; `wrong-hash` |
        | 429 | `too-many-requests`, with `Retry-After` in seconds |
        | 500 | `internal` |
        | 502 | `sms-failed`, `mail-failed` |
        | 503 | `unavailable`, sometimes with `Retry-After` |
        | 507 | `quota`: the room of the tour, or of the account, here is used up |

        Lists come whole up to 1,000 rows, those of notes, samples and collections up to 10,000; `?limit=` asks for fewer. Where
        there is more, `Link` names the next page (`<?limit=…&cursor=…>; rel="next"`, relative to the request); cursors are opaque, and stay good as rows come and go.

        Limits. A JSON body: 64 KiB, of a note, sample or collection 2 MiB. Header fields: 16 KiB and 100 in all. A connection
        that is quiet for 60 s is closed, and so is one without a first head within 20 s. One address has 682 of 4,096 connections.
        Per client address (of IPv6 the first 64 bits) 600 requests at once and 20 a second, per account 300 and 10 a second;
        logins and password changes 20 at once and 4 a minute per address, 10 and 1 a minute per address and account, 100
        and 6 a minute per account from addresses where it was never used; new accounts 60 at once and 1 a minute per
        address; codes sent 3 at once and 1 in 5 minutes per phone, of 6 one in 4 hours, 20 at once and 1 a minute per
        address, and mails alike; second factors tried 10 at once and 1 in 5 minutes per account, apart for addresses where
        it was used; codes and refresh tokens tried 60 at once and 6 a minute per address; documents printed 60
        at once and 30 a minute per address. Lists of notes, samples and collections, long deltas, exports and opened messages
        take their turn: one caller has 4 under way or waiting, and 429 with `Retry-After: 1` for one more.

        Every write takes `Idempotency-Key` (1 to 128 bytes, one for each caller and request): the same request that comes
        again within a day gets the first one's answer, with `Idempotency-Replayed: true`, and nothing is done again. A
        request that was refused may come again with its key. Every answer has an `X-Request-Id`, which the log names too.
    servers:
      - url: http://127.0.0.1:8080
    security:
      - account: []
    paths:
      /healthz:
        get:
          operationId: health
          summary: Whether the process lives.
          security: []
          responses:
            "200": { description: It does. }
            default: { $ref: '#/components/responses/Error' }
      /readyz:
        get:
          operationId: readiness
          summary: Whether the server can work. With 503 `detail` names the check that does not pass.
          security: []
          responses:
            "200": { description: It does. }
            default: { $ref: '#/components/responses/Error' }
      /metrics:
        get:
          operationId: metrics
          summary: Metrics of this process in the text format of Prometheus; for the server's own machine only, and not
            here where the operator has a listener of its own.
          security: []
          responses:
            "200": { description: The counters., content: { text/plain: { schema: { type: string } } } }
            "403": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /openapi.yaml:
        get:
          operationId: contract
          summary: This document.
          security: []
          responses:
            "200": { description: It., content: { application/yaml: {} } }
            default: { $ref: '#/components/responses/Error' }
      /.well-known/jwks.json:
        get:
          operationId: keySet
          summary: The public halves of the keys that sign access tokens (RFC 7517, RFC 8037), the newest last.
          security: []
          responses:
            "200":
              description: The set.
              content:
                application/json:
                  schema:
                    type: object
                    required: [keys]
                    properties:
                      keys:
                        type: array
                        items:
                          type: object
                          required: [kty, crv, use, alg, kid, x]
                          properties:
                            kty: { type: string, const: OKP }
                            crv: { type: string, const: Ed25519 }
                            use: { type: string, const: sig }
                            alg: { type: string, const: EdDSA }
                            kid: { type: string }
                            x: { type: string, description: Base64url. }
            default: { $ref: '#/components/responses/Error' }
      /auth/signup:
        post:
          operationId: signUp
          summary: Makes an account with an e-mail address; with a guest's token that guest gets the address and stays.
          security: [{}, { account: [] }]
          requestBody: { $ref: '#/components/requestBodies/Named' }
          responses:
            "201": { $ref: '#/components/responses/Account' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/login:
        post:
          operationId: logIn
          summary: |
            Begins a session. An unknown address and a wrong password answer alike, after the same time. An account with a
            second factor is answered 401 `second-factor-needed` to a right password: send the same again, with that too.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [email, password]
                  properties:
                    email: { $ref: '#/components/schemas/Email' }
                    password: { $ref: '#/components/schemas/Password' }
                    second_factor: { $ref: '#/components/schemas/SecondFactor' }
          responses:
            "200": { $ref: '#/components/responses/Tokens' }
            "401": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/anonymous:
        post:
          operationId: beGuest
          summary: Makes an account without a name, and begins its session.
          security: []
          responses:
            "201": { $ref: '#/components/responses/Tokens' }
            default: { $ref: '#/components/responses/Error' }
      /auth/email/request:
        post:
          operationId: requestEmailCode
          summary: |
            Mails six digits to the account's e-mail address, as a signup does by itself; an earlier code is void then. 404
            for an account without an address.
          responses:
            "202": { description: Sent. }
            "204": { description: The address is proven already. }
            "404": { $ref: '#/components/responses/Error' }
            "502": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/email/verify:
        post:
          operationId: verifyEmailCode
          summary: |
            Proves the account's e-mail address. Only then it is shown the tours that the address is invited to, and can be
            given a rank. A code is good for 30 minutes and 5 tries.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [code]
                  properties:
                    code: { $ref: '#/components/schemas/Code' }
          responses:
            "200": { $ref: '#/components/responses/Account' }
            "401": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/sms/request:
        post:
          operationId: requestCode
          summary: Sends six digits to the phone; an earlier code is void then. Answers alike for known and unknown phones.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [phone]
                  properties:
                    phone: { $ref: '#/components/schemas/Phone' }
          responses:
            "202": { description: Sent. }
            "502": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/sms/verify:
        post:
          operationId: verifyCode
          summary: |
            Begins a session of the phone's account, which the first success makes. With a guest's token that guest gets the
            phone and stays; 409 when the phone has an account, and the code stays good. A code is good for 5 minutes and 5
            tries. An account with a second factor is answered 401 `second-factor-needed` to a right code, which stays good:
            send the same again, with that too.
          security: [{}, { account: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [phone, code]
                  properties:
                    phone: { $ref: '#/components/schemas/Phone' }
                    code: { $ref: '#/components/schemas/Code' }
                    second_factor: { $ref: '#/components/schemas/SecondFactor' }
          responses:
            "200": { $ref: '#/components/responses/Tokens' }
            "401": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/refresh:
        post:
          operationId: refresh
          summary: |
            Gives new tokens for a refresh token, which is used up. One that comes again ends its session, since two have it:
            so send an Idempotency-Key, by which an answer that was lost can be asked for again.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [refresh_token]
                  properties:
                    refresh_token: { type: string, maxLength: 64 }
          responses:
            "200": { $ref: '#/components/responses/Tokens' }
            "401": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/logout:
        post:
          operationId: logOut
          summary: Ends the token's session; its access tokens are void at once.
          responses:
            "204": { description: Ended. }
            default: { $ref: '#/components/responses/Error' }
      /auth/password:
        post:
          operationId: changePassword
          summary: |
            Sets a password and ends every other session. An account that has none needs no current one; a guest has none.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [password]
                  properties:
                    current_password: { type: [string, "null"] }
                    password: { $ref: '#/components/schemas/Password' }
          responses:
            "204": { description: Set. }
            "401": { $ref: '#/components/responses/Error' }
            "403": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/password/forgot:
        post:
          operationId: forgetPassword
          summary: |
            Sends six digits for a new password to the account that has this e-mail address or phone: one of them is named.
            Answers alike, and as soon, whether or not there is one. By mail a code is good for 30 minutes, by SMS for 5, and
            for 5 tries. An address that nobody has proven gets a code only where it is the account's only name.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  $ref: '#/components/schemas/Contact'
          responses:
            "202": { description: Sent, if there is such an account. }
            default: { $ref: '#/components/responses/Error' }
      /auth/password/reset:
        post:
          operationId: resetPassword
          summary: |
            Sets the password of the account that has this e-mail address or phone, with a code from `/auth/password/forgot`
            (of a phone also from `/auth/sms/request`), ends every session, and tells the owner by mail and SMS. A wrong
            code and a name without an account answer alike. A second factor stays on.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/Contact' }
                    - type: object
                      required: [code, password]
                      properties:
                        code: { $ref: '#/components/schemas/Code' }
                        password: { $ref: '#/components/schemas/Password' }
          responses:
            "204": { description: Set. }
            "401": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/me/email:
        post:
          operationId: requestCodeForEmail
          summary: |
            Mails six digits to an address that the account is to get, in place of its own; an earlier code is void then.
            Answers alike whether or not another account has the address.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [email]
                  properties:
                    email: { $ref: '#/components/schemas/Email' }
          responses:
            "202": { description: Sent. }
            "204": { description: The account has the address, and it is proven. }
            "502": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        put:
          operationId: setEmail
          summary: |
            Gives the account the address, proven, and tells the owner at the one before. 409 where another account has it;
            one that never proved it, and has a phone, loses it.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/OwnerProof' }
                    - type: object
                      required: [email, code]
                      properties:
                        email: { $ref: '#/components/schemas/Email' }
                        code: { $ref: '#/components/schemas/Code' }
          responses:
            "200": { $ref: '#/components/responses/Account' }
            "401": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/me/phone:
        put:
          operationId: setPhone
          summary: |
            Gives the account the phone, in place of its own, with a code from `/auth/sms/request`; tells the owner by mail,
            or at the phone before. 409 where another account has it.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/OwnerProof' }
                    - type: object
                      required: [phone, code]
                      properties:
                        phone: { $ref: '#/components/schemas/Phone' }
                        code: { $ref: '#/components/schemas/Code' }
          responses:
            "200": { $ref: '#/components/responses/Account' }
            "401": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/sessions:
        get:
          operationId: sessions
          summary: The account's sessions, at most 50, those used last first.
          responses:
            "200":
              description: The sessions.
              content:
                application/json:
                  schema: { type: array, items: { $ref: '#/components/schemas/Session' } }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: endOtherSessions
          summary: Ends every session but the token's own.
          responses:
            "204": { description: Ended. }
            default: { $ref: '#/components/responses/Error' }
      /auth/sessions/{id}:
        delete:
          operationId: endSession
          summary: Ends one of the account's sessions; its access tokens are void at once.
          parameters:
            - { name: id, in: path, required: true, schema: { type: string } }
          responses:
            "204": { description: Ended. }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/second-factor:
        get:
          operationId: secondFactor
          summary: Whether a login takes a second factor, and whether the server wants one for the account's role.
          responses:
            "200":
              description: How it stands.
              content:
                application/json:
                  schema:
                    type: object
                    required: [on, required, recovery_codes_left]
                    properties:
                      on: { type: boolean }
                      required: { type: boolean }
                      since: { type: string, format: date-time }
                      recovery_codes_left: { type: integer }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: beginSecondFactor
          summary: |
            Makes a secret for an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), which counts only once
            `/auth/second-factor/confirm` has shown that the app has it; one that was begun before is void. 409 while a second
            factor is on, and for an account whose only name is an address that nobody has proven.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/OwnerProof' } } }
          responses:
            "201":
              description: The secret.
              content:
                application/json:
                  schema:
                    type: object
                    required: [secret, uri]
                    properties:
                      secret: { type: string, description: "Base 32, for an app that reads no QR code." }
                      uri: { type: string, description: "`otpauth://totp/…`, for the QR code." }
            "401": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/second-factor/confirm:
        post:
          operationId: confirmSecondFactor
          summary: Turns the second factor on with a code of the app, and shows the recovery codes, this once.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [code]
                  properties:
                    code: { $ref: '#/components/schemas/Code' }
          responses:
            "200": { $ref: '#/components/responses/RecoveryCodes' }
            "401": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/second-factor/recovery-codes:
        post:
          operationId: renewRecoveryCodes
          summary: Makes new recovery codes and shows them, this once; the older ones are void.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/OwnerProof' } } }
          responses:
            "200": { $ref: '#/components/responses/RecoveryCodes' }
            "401": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/second-factor/remove:
        post:
          operationId: removeSecondFactor
          summary: Turns the second factor off; its recovery codes are void.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/OwnerProof' } } }
          responses:
            "204": { description: Off. }
            "401": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/me:
        get:
          operationId: account
          summary: One's own account.
          responses:
            "200": { $ref: '#/components/responses/Account' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: deleteAccount
          summary: |
            Deletes the account and everything that names it, at once. The number is not given away again. Counters of rates
            go within an hour, answers kept for an Idempotency-Key, sealed, within a day.
          responses:
            "204": { description: Deleted. }
            default: { $ref: '#/components/responses/Error' }
      /auth/me/export:
        get:
          operationId: exportAccount
          summary: Everything the server has of the account.
          responses:
            "200":
              description: The account, and a member for each kind of thing that is kept of it.
              content:
                application/json:
                  schema:
                    type: object
                    required: [account, exported_at, sessions, second_factor, outside_names, groups, invitations, notebook]
                    properties:
                      account: { $ref: '#/components/schemas/Account' }
                      exported_at: { type: string, format: date-time }
                      sessions:
                        type: array
                        items: { $ref: '#/components/schemas/Session' }
                      second_factor:
                        description: Null where there is none.
                        anyOf:
                          - type: "null"
                          - type: object
                            required: [since, recovery_codes_left]
                            properties:
                              since: { type: string, format: date-time }
                              recovery_codes_left: { type: integer }
                      outside_names:
                        type: array
                        items:
                          type: object
                          required: [issuer, subject]
                          properties:
                            issuer: { type: string }
                            subject: { type: string }
                      groups:
                        type: array
                        items:
                          type: object
                          required: [id]
                          properties:
                            id: { $ref: '#/components/schemas/Id' }
                            memberId: { $ref: '#/components/schemas/Id' }
                      invitations:
                        type: array
                        items:
                          type: object
                          required: [groupId, created_at]
                          properties:
                            groupId: { $ref: '#/components/schemas/Id' }
                            created_at: { type: string, format: date-time }
                      notebook:
                        type: object
                        description: "Of each kind a list; `profile_id`; and the files, whose bytes `/api/v1/files` gives."
                        required: [notes, bookmarks, categories, collections, samples, lost, files]
                        properties:
                          profile_id: { $ref: '#/components/schemas/ItemId' }
                          files:
                            type: array
                            items:
                              type: object
                              required: [url, name, media, bytes]
                              properties:
                                url: { type: string }
                                name: { type: string }
                                media: { type: string }
                                bytes: { type: integer }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: exportAccountWhole
          summary: |
            The same with pictures and files, and more of what the server can read, as a tar archive that is made while it is
            sent; the owner is told. Chapter 10, "Export", says what is in it. It is whole with its last file,
            `manifest.json`: a connection that breaks off leaves none, and the request begins anew. Of one account 5 at once,
            and one an hour. An Idempotency-Key changes nothing.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/OwnerProof' } } }
          responses:
            "200":
              description: The archive.
              content:
                application/x-tar: { schema: { type: string, format: binary } }
            "422": { $ref: '#/components/responses/Error' }
            "429": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /accounts/{id}/role:
        put:
          operationId: setRole
          summary: Gives an account a role; for admins.
          parameters:
            - { name: id, in: path, required: true, schema: { type: integer } }
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [role]
                  properties:
                    role: { $ref: '#/components/schemas/Role' }
          responses:
            "200": { $ref: '#/components/responses/Account' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/member/nonce:
        post:
          operationId: makeNonce
          summary: A text for a member's proof, good once.
          security: []
          requestBody: { required: true, content: { application/json: { schema: { type: object } } } }
          responses:
            "200":
              description: The nonce.
              content:
                application/json:
                  schema:
                    type: object
                    required: [nonce, expires_in]
                    properties:
                      nonce: { type: string, minLength: 16, maxLength: 128 }
                      expires_in: { type: integer, description: Seconds; 60. }
            default: { $ref: '#/components/responses/Error' }
      /auth/member:
        post:
          operationId: logInMember
          summary: |
            A token for one member of one tour, who needs no account; there is no refreshing, only another proof. 403 `removed`
            carries the control events that end the membership.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/Proof' }
                    - type: object
                      required: [groupId]
                      properties:
                        groupId: { $ref: '#/components/schemas/Id' }
                        controls: { anyOf: [{ $ref: '#/components/schemas/Controls' }, { type: "null" }] }
          responses:
            "200":
              description: The token.
              content:
                application/json:
                  schema:
                    type: object
                    required: [access_token, token_type, expires_in]
                    properties:
                      access_token: { type: string }
                      token_type: { type: string, const: bearer }
                      expires_in: { type: integer, description: Seconds; 900. }
            "401": { $ref: '#/components/responses/Error' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations:
        get:
          operationId: listOrganisations
          summary: The organisations that the account is in or, with `invitation`, invited to.
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By their numbers.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Organisation' } } } }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: makeOrganisation
          summary: |
            Makes an organisation whose admin the account is. For accounts of the role that the operator set
            (`--organisations-for`), or for none: the operator makes them too. An account is in 50. 409 `email-not-proven` for
            a guest, and for an account with no name but an address that nobody has proven.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: { name: { $ref: '#/components/schemas/Name' } }
          responses:
            "201":
              description: Made.
              content: { application/json: { schema: { $ref: '#/components/schemas/Organisation' } } }
            "403": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}:
        parameters: [{ $ref: '#/components/parameters/Organisation' }]
        get:
          operationId: showOrganisation
          summary: An organisation, for its members.
          responses:
            "200":
              description: As it is now.
              content: { application/json: { schema: { $ref: '#/components/schemas/Organisation' } } }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        patch:
          operationId: renameOrganisation
          summary: Gives it another name. For its admins.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name]
                  properties: { name: { $ref: '#/components/schemas/Name' } }
          responses:
            "200":
              description: As it is now.
              content: { application/json: { schema: { $ref: '#/components/schemas/Organisation' } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: endOrganisation
          summary: Ends it; each tour stays with its owner. For its admins.
          responses:
            "204": { description: Ended. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/join:
        parameters: [{ $ref: '#/components/parameters/Organisation' }]
        post:
          operationId: joinOrganisation
          summary: |
            Follows an invitation: of the account's proven address or its number, or the one with this code. 200 for a member.
            409 `email-not-proven` for an account with no name but an address that nobody has proven. An organisation has
            1,000 members.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties: { code: { type: [string, "null"], description: Sixteen letters and digits; 401 `bad-code` for any that lets nobody in. } }
          responses:
            "200":
              description: As it is now.
              content: { application/json: { schema: { $ref: '#/components/schemas/Organisation' } } }
            "201":
              description: Joined.
              content: { application/json: { schema: { $ref: '#/components/schemas/Organisation' } } }
            "401": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/members:
        parameters: [{ $ref: '#/components/parameters/Organisation' }]
        get:
          operationId: listOrganisationMembers
          summary: Its members; addresses and numbers for admins alone.
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: In the order in which they came.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/OrganisationMember' } } } }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/members/{account}:
        parameters:
          - { $ref: '#/components/parameters/Organisation' }
          - { name: account, in: path, required: true, schema: { type: integer } }
        put:
          operationId: setOrganisationRole
          summary: Gives a member another role; 409 `last-admin` where no admin would be left. For its admins.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [role]
                  properties: { role: { $ref: '#/components/schemas/OrganisationRole' } }
          responses:
            "200":
              description: As it is now.
              content: { application/json: { schema: { $ref: '#/components/schemas/OrganisationMember' } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: leaveOrganisation
          summary: |
            Removes a member, for admins, or leaves, for the member itself. Its tours in the organisation go to the admin who
            removes it, else to the one who is in for the longest. The last admin stays while there are others: 409
            `last-admin`. With the last member the organisation ends.
          responses:
            "204": { description: Out. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/invitations:
        parameters: [{ $ref: '#/components/parameters/Organisation' }]
        get:
          operationId: listOrganisationInvitations
          summary: Its open invitations. For its admins.
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: In the order of their making.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/OrganisationInvitation' } } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: inviteToOrganisation
          summary: |
            Invites whoever has an account with this address or number, now or later, or without both whoever has the code of
            the answer, once. Open for 14 days, or until the inviter is no admin any more; nothing is sent. A person who is
            invited already is invited anew. 200 are open at once. For its admins.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  description: An address, a number or neither; null is as none.
                  properties:
                    email: { anyOf: [{ $ref: '#/components/schemas/Email' }, { type: "null" }] }
                    phone: { anyOf: [{ $ref: '#/components/schemas/Phone' }, { type: "null" }] }
                    role: { anyOf: [{ $ref: '#/components/schemas/OrganisationRole' }, { type: "null" }], description: guide unless said otherwise. }
                  not: { required: [email, phone], properties: { email: { type: string }, phone: { type: string } } }
          responses:
            "201":
              description: The invitation.
              content: { application/json: { schema: { $ref: '#/components/schemas/OrganisationInvitation' } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/invitations/{invitation}:
        parameters:
          - { $ref: '#/components/parameters/Organisation' }
          - { name: invitation, in: path, required: true, schema: { type: integer } }
        delete:
          operationId: endOrganisationInvitation
          summary: Takes an invitation back, for admins, or declines it, for the account that it names.
          responses:
            "204": { description: Ended. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/tours:
        parameters: [{ $ref: '#/components/parameters/Organisation' }]
        get:
          operationId: listOrganisationTours
          summary: The tours that were shared with it. For its members, whose `GET /groups` lists them too.
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their registration.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/OrganisationTour' } } } }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/tours/{tour}:
        parameters:
          - { $ref: '#/components/parameters/Organisation' }
          - { name: tour, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
        put:
          operationId: shareTour
          summary: |
            Shares a tour that the account made known or planned with an organisation that it is in: all members read what the
            owner may, and admins hand it over. 409 `already-shared` with another one. An organisation has 10,000.
          responses:
            "204": { description: Shared. }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: takeTourOut
          summary: Takes a tour out; it stays with its owner. For its admins.
          responses:
            "204": { description: Taken out. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /organisations/{id}/tours/{tour}/owner/{account}:
        parameters:
          - { $ref: '#/components/parameters/Organisation' }
          - { name: tour, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
          - { name: account, in: path, required: true, schema: { type: integer } }
        put:
          operationId: handOverTour
          summary: |
            Makes another member the owner of a tour of the organisation. For its admins, and for the owner. 507 `quota` for a
            plan where the member has 100.
          responses:
            "200":
              description: As it is now.
              content: { application/json: { schema: { $ref: '#/components/schemas/OrganisationTour' } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups:
        get:
          operationId: listGroups
          summary: |
            The tours that the account planned, made known, is a member of, is invited to or shares by an organisation; with a
            member's token that tour.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their making.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Group' } } } }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: makeGroupKnown
          summary: |
            Makes a tour known, and ties the account to the member who shows itself; or plans one, by its name alone, which a
            device founds later. For guides and admins. Dates as with PATCH; null is none. With 200 the tour was known already,
            and keeps its name and dates.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  anyOf:
                    - allOf:
                        - { $ref: '#/components/schemas/Proof' }
                        - { $ref: '#/components/schemas/GroupListing' }
                        - type: object
                          required: [genesis]
                          properties:
                            genesis: { $ref: '#/components/schemas/Bytes' }
                            controls: { anyOf: [{ $ref: '#/components/schemas/Controls' }, { type: "null" }] }
                    - allOf:
                        - { $ref: '#/components/schemas/GroupListing' }
                        - type: object
                          required: [name]
                          properties:
                            name: { $ref: '#/components/schemas/Name' }
                            genesis: { type: "null" }
                            controls: { type: "null" }
                            memberId: { type: "null" }
                            nonce: { type: "null" }
                            signature: { type: "null" }
          responses:
            "200": { $ref: '#/components/responses/Group' }
            "201": { $ref: '#/components/responses/Group' }
            "403": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: showGroup
          summary: |
            One tour, for its members, the account that planned it or made it known, and those who are invited. By the id of a
            plan that a tour has replaced, that tour, with its own id.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200": { $ref: '#/components/responses/Group' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        patch:
          operationId: changeGroup
          summary: |
            What the server says of the tour beside its events. For who leads it or made it known. Dates before 1970 and beyond
            9999 become the nearest within.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    name: { description: "Null, as of the next: it stays.", anyOf: [{ $ref: '#/components/schemas/Name' }, { type: "null" }] }
                    isActive: { type: [boolean, "null"] }
                    startDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
                    endDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
                    planned: { description: The account's plan that this tour replaces., anyOf: [{ $ref: '#/components/schemas/Id' }, { type: "null" }] }
          responses:
            "200": { $ref: '#/components/responses/Group' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: deletePlannedGroup
          summary: Deletes a tour that is only planned. Others belong to their members.
          responses:
            "204": { description: Deleted. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/members:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: listMembers
          summary: Who is and was in the tour, by the roster that its control events give.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time they were let in.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Member' } } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/bind:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        post:
          operationId: bindMember
          summary: Ties the account to a member, which shows itself; its token then opens the tour's mailbox as well.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/Proof' } } }
          responses:
            "204": { description: Tied. }
            "401": { $ref: '#/components/responses/Error' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/invitations:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: listInvitations
          summary: Whom the server shows the tour to though it is no member. For who leads it or made it known.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their making.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Invitation' } } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: invite
          summary: |
            Shows the tour to whoever has an account with this address or number, now or later: `GET /groups` lists it with
            `invitation` and without members. It opens nothing: one joins by the tour's code, which the server keeps nowhere.
            Nothing is sent but a `link` that the request brings, by SMS or mail; for accounts of guides, 60 at once and one in
            ten minutes; the server keeps none. 200 for somebody who is invited already. For who leads the tour or made it
            known; 1,000 a tour.
          security: [{ account: [] }, { member: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  description: An address or a number, and not both; null is as none.
                  oneOf:
                    - { required: [email], properties: { email: { $ref: '#/components/schemas/Email' }, phone: { type: "null" } } }
                    - { required: [phone], properties: { phone: { $ref: '#/components/schemas/Phone' }, email: { type: "null" } } }
                  properties:
                    link:
                      description: |
                        Of this tour; its code is sent to them. Whoever carries it can use it, the server included.
                      anyOf: [{ type: string, maxLength: 1024, pattern: '^tour-chat://join/' }, { type: "null" }]
          responses:
            "200": { $ref: '#/components/responses/Invitation' }
            "201": { $ref: '#/components/responses/Invitation' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "502": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/invitations/{invitation}:
        parameters:
          - { $ref: '#/components/parameters/Group' }
          - { name: invitation, in: path, required: true, schema: { type: integer } }
        delete:
          operationId: endInvitation
          summary: |
            Takes an invitation back, or declines it: for who leads the tour or made it known, and for who is invited. It ends
            by itself when the account is tied to a member.
          security: [{ account: [] }, { member: [] }]
          responses:
            "204": { description: Ended. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/archive:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: showArchive
          summary: Whether the server reads along as a member, and which keys it lacks; 404 `no-archive` where it never did.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200":
              description: The archive.
              content:
                application/json:
                  schema:
                    type: object
                    required: [memberId, wrapping, isActive, wants]
                    properties:
                      memberId: { $ref: '#/components/schemas/Id' }
                      wrapping: { $ref: '#/components/schemas/Id' }
                      isActive: { type: boolean, description: The roster has it. }
                      wants:
                        type: array
                        maxItems: 64
                        items: { $ref: '#/components/schemas/Id' }
                        description: Epochs, by their ids.
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: inviteArchive
          summary: |
            The keys of an archive of this server, signed for an invite of the caller; it is in when an `admit` of that request
            is in the log. For who leads the tour. The same keys until then; chapter 09, "Archive".
          security: [{ account: [] }, { member: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [invite, challenge]
                  properties:
                    invite: { $ref: '#/components/schemas/Id' }
                    challenge: { type: string, contentEncoding: base64, description: 32 random bytes., pattern: '^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$' }
          responses:
            "200":
              description: Half a join request.
              content:
                application/json:
                  schema:
                    type: object
                    required: [memberId, identity, link, wrapping, signature]
                    properties:
                      memberId: { $ref: '#/components/schemas/Id' }
                      identity: { $ref: '#/components/schemas/Id' }
                      link: { $ref: '#/components/schemas/Id' }
                      wrapping: { $ref: '#/components/schemas/Id' }
                      signature: { type: string, contentEncoding: base64, description: 64 bytes. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: endArchive
          summary: |
            The archive leaves the tour and wipes its keys. For who leads the tour. A removal of it in the log does the same,
            and is stricter: the new key begins at once.
          security: [{ account: [] }, { member: [] }]
          responses:
            "204": { description: Left. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/archive/keys:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        post:
          operationId: handOverKeys
          summary: Epoch keys for the archive, at most 1,000. What its epoch's event does not commit to is left out.
          security: [{ account: [] }, { member: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [keys]
                  properties:
                    keys:
                      type: array
                      minItems: 1
                      maxItems: 1000
                      items:
                        type: object
                        required: [epoch, wrapped]
                        properties:
                          epoch: { $ref: '#/components/schemas/Id' }
                          wrapped: { type: string, contentEncoding: base64, description: "80 bytes, to its wrapping key.", pattern: '^[A-Za-z0-9+/]{106}[AEIMQUYcgkosw048]=$' }
          responses:
            "200":
              description: Those that are new.
              content:
                application/json:
                  schema:
                    type: object
                    required: [taken]
                    properties:
                      taken: { type: array, items: { $ref: '#/components/schemas/Id' } }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/messages:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: listMessages
          summary: |
            What was said in a tour that the server's archive is a member of, opened for this answer and kept nowhere; for
            members. Of what it has no key nothing is listed: a page may have fewer rows than asked for, and go on.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - { $ref: '#/components/parameters/Limit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: In the tour's order, from at most 4 MiB of events.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Message' } } } }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /blobs/{hash}:
        parameters:
          - { name: hash, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
          - name: group
            in: query
            description: The tour that it belongs to; with a member's token it may be left out.
            schema: { $ref: '#/components/schemas/Id' }
        get:
          operationId: fetchBlob
          summary: |
            A sealed file, whole or one `Range` of it, for members of its tour. 404 while it is not whole, with `Upload-Offset`
            when it has begun. 8 may be under way to one account or member, those of `/api/v1/files` among them, and 256 to
            one address; one more is 429.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200": { description: The bytes., content: { application/octet-stream: {} } }
            "206": { description: "The range, with `Content-Range`.", content: { application/octet-stream: {} } }
            "304": { description: As `If-None-Match` says. }
            "404": { $ref: '#/components/responses/Error' }
            "416": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        put:
          operationId: sendBlob
          summary: |
            A sealed file, named in hex by BLAKE2b-256 of its bytes, or by the blob id that members know it by. Whole, or by pieces with `Content-Range: bytes A-B/TOTAL`,
            each from where the last one ended; one from 0 begins anew, and `bytes */TOTAL` asks how far it is. Answers
            say with `Upload-Offset` how many bytes are on the disk. At least one byte, at most 64 MiB, 2 GiB a tour, of which what a member without a
            rank began takes 512 MiB, and 256 MiB while it is coming; what does not go on for 7 days is dropped.
          security: [{ account: [] }, { member: [] }]
          requestBody: { required: true, content: { application/octet-stream: {} } }
          responses:
            "200": { description: It was whole already. }
            "201": { description: It is whole now, and is what its name says. }
            "202": { description: More is wanted. }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            "422": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /blobs/{hash}/chunks:
        parameters:
          - { name: hash, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
          - name: group
            in: query
            description: The tour that it belongs to; with a member's token it may be left out.
            schema: { $ref: '#/components/schemas/Id' }
        get:
          operationId: listBlobChunks
          summary: |
            The hashes of a sealed file's chunks, in order, 32 bytes each, for members of its tour. 404 while it is not whole,
            and for one that is not named by its blob id.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200": { description: The hashes., content: { application/octet-stream: {} } }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /api/v1/sync/delta:
        post:
          operationId: syncDelta
          summary: |
            What changed in the notebook since the last time, and what this device changed, in one exchange; chapter 12,
            "Delta". The higher `sync_version` wins, of equal ones the server's, which is then in the answer, and what came is
            kept as an item of kind `lost`; what was deleted stays deleted. At most 16 MiB, 20,000 items and 20,000 deletions. An item that cannot be taken is 422, and
            nothing is done; with `device` it stands in `rejected`, and its neighbours are taken. 507 above 250,000 items or
            256 MiB of contents.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    last_sync_timestamp:
                      description: "`current_server_time` of the last answer, as it came; without it, everything."
                      oneOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }]
                    bookmarks: { $ref: '#/components/schemas/SentItems', description: Each as `Bookmark`. }
                    categories: { $ref: '#/components/schemas/SentItems', description: Each as `Category`. }
                    notes: { $ref: '#/components/schemas/SentItems' }
                    collections: { $ref: '#/components/schemas/SentItems' }
                    samples: { $ref: '#/components/schemas/SentItems' }
                    lost: { $ref: '#/components/schemas/SentItems' }
                    deleted_ids:
                      type: [object, "null"]
                      description: By kind, what the device deleted.
                      properties:
                        bookmarks: { $ref: '#/components/schemas/ItemIds' }
                        categories: { $ref: '#/components/schemas/ItemIds' }
                        notes: { $ref: '#/components/schemas/ItemIds' }
                        collections: { $ref: '#/components/schemas/ItemIds' }
                        samples: { $ref: '#/components/schemas/ItemIds' }
                        lost: { $ref: '#/components/schemas/ItemIds' }
                      additionalProperties: { type: array, items: { type: string } }
                    deletions:
                      type: [array, "null"]
                      maxItems: 20000
                      items:
                        type: object
                        required: [kind, id]
                        properties:
                          kind: { $ref: '#/components/schemas/NotebookKind' }
                          id: { $ref: '#/components/schemas/ItemId' }
                          base_version: { type: [integer, "null"], description: The server's version that the device knew., minimum: 0, maximum: 9007199254740992 }
                    device: { $ref: '#/components/schemas/Device' }
                    limit: { type: [integer, "null"], minimum: 1, maximum: 20000, default: 20000, description: Changes in the answer; what is behind comes with the next delta. }
                    kinds:
                      type: [array, "null"]
                      description: What the device is told of; without it bookmarks and categories.
                      items: { $ref: '#/components/schemas/NotebookKind' }
          responses:
            "200":
              description: "What the device does not have. Lists of other kinds, `has_more` and `rejected` come for a `device` alone."
              content:
                application/json:
                  schema:
                    type: object
                    required: [updated_categories, updated_bookmarks, deleted_ids, current_server_time]
                    properties:
                      updated_categories: { type: array, items: { $ref: '#/components/schemas/Category' } }
                      updated_bookmarks: { type: array, items: { $ref: '#/components/schemas/Bookmark' } }
                      updated_notes: { type: array, items: { type: object } }
                      updated_collections: { type: array, items: { type: object } }
                      updated_samples: { type: array, items: { type: object } }
                      updated_lost: { type: array, items: { type: object } }
                      deleted_ids:
                        type: object
                        additionalProperties: { type: array, items: { $ref: '#/components/schemas/ItemId' } }
                      current_server_time: { type: string, format: date-time, description: The place of the last change in the notebook's order; with microseconds. }
                      has_more: { type: boolean, description: Whether more waits behind `current_server_time`. }
                      rejected:
                        type: array
                        items:
                          type: object
                          required: [kind, code, message]
                          properties:
                            kind: { $ref: '#/components/schemas/NotebookKind' }
                            id: { $ref: '#/components/schemas/ItemId' }
                            code: { type: string, enum: [invalid-field, quota] }
                            field: { type: string, description: "As `bookmarks[3].title`." }
                            message: { type: string, description: For people. }
            "413": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /api/v1/bookmarks/upsert:
        post:
          operationId: upsertBookmarks
          summary: |
            Saved places, by the rules of `/api/v1/sync/delta`; in a form with pictures and a file, which belong to the
            only one of them. A form has 256 MiB and 64 parts at most, a part 32 MiB, its payload 4 MiB; an account's files
            2 GiB (507). Pictures are JPEG, PNG, GIF, WebP or HEIC by their first bytes. Pictures are added to those that are
            there, up to 32; a file takes the place of the last one; the same bytes again change nothing, so that a request
            may be repeated. A form that was cut leaves nothing. What no saved place names any more is removed after a day.
          requestBody:
            required: true
            content:
              application/json:
                schema: { $ref: '#/components/schemas/Upsert' }
              multipart/form-data:
                schema:
                  type: object
                  required: [payload]
                  properties:
                    payload: { type: string, contentMediaType: application/json, description: An `Upsert`. }
                    "images[]": { type: array, maxItems: 32, items: { type: string, contentMediaType: application/octet-stream } }
                    file: { type: string, contentMediaType: application/octet-stream }
          responses:
            "200":
              description: The saved places as they are now, without those that were deleted before.
              content:
                application/json:
                  schema:
                    type: object
                    required: [bookmarks]
                    properties:
                      bookmarks: { type: array, items: { $ref: '#/components/schemas/Bookmark' } }
            "404": { $ref: '#/components/responses/Error' }
            "413": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /api/v1/profile:
        get:
          operationId: profile
          summary: One's own account, as the app of saved places shows it.
          responses:
            "200":
              description: The account.
              content:
                application/json:
                  schema:
                    type: object
                    required: [id, display_name, is_anonymous, is_pro]
                    properties:
                      id: { $ref: '#/components/schemas/ItemId' }
                      email: { type: [string, "null"] }
                      display_name: { type: string, description: "What stands before the @, or the phone; the server has no names." }
                      is_anonymous: { type: boolean }
                      is_pro: { type: boolean, description: "Whether it may make tours known: its role is guide or admin." }
                      last_sync_at: { type: [string, "null"], format: date-time, description: Null before the first delta. }
            default: { $ref: '#/components/responses/Error' }
      /api/v1/files/{id}:
        parameters:
          - { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/ItemId' } }
        get:
          operationId: fetchFile
          summary: |
            A picture or file of one's own. A picture has its own type; whatever else it is, `Content-Disposition: attachment`
            keeps browsers from showing it. Whole, or one `Range` of it. As many at once as of blobs.
          responses:
            "200": { description: The bytes., content: { "*/*": {} } }
            "206": { description: "The range, with `Content-Range`.", content: { "*/*": {} } }
            "304": { description: As `If-None-Match` says. }
            "416": { $ref: '#/components/responses/Error' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /notes:
        get:
          operationId: listNotes
          summary: One's own notes.
          parameters:
            - { $ref: '#/components/parameters/ItemLimit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their making; at most 16 MiB of contents, and more behind `Link`.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Note' } } } }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: makeNote
          summary: Makes a note. 507 where the notebook is full, here and wherever something is made.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [title, content]
                  properties:
                    title: { $ref: '#/components/schemas/Title' }
                    content: { $ref: '#/components/schemas/LongText' }
          responses:
            "201": { $ref: '#/components/responses/Note' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /notes/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get:
          operationId: showNote
          summary: One note.
          responses:
            "200": { $ref: '#/components/responses/Note' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        put:
          operationId: changeNote
          summary: Changes a note; what is null or left out stays.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    title: { anyOf: [{ $ref: '#/components/schemas/Title' }, { type: "null" }] }
                    content: { anyOf: [{ $ref: '#/components/schemas/LongText' }, { type: "null" }] }
          responses:
            "200": { $ref: '#/components/responses/Note' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: deleteNote
          summary: Deletes a note, for good.
          responses:
            "204": { description: Deleted. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /notes/{id}/pdf:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
        get:
          operationId: printNote
          summary: |
            The note on A4 pages, in any script, with links that open. 413 above 2 MiB of text or 2,000 pages; 503 where the
            server cannot print, or too many wait.
          responses:
            "200": { $ref: '#/components/responses/PDF' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "413": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /collections:
        get:
          operationId: listCollections
          summary: One's own itineraries, each with its samples in order.
          parameters:
            - { $ref: '#/components/parameters/ItemLimit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their making; some 16 MiB of contents, and more behind `Link`.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content:
                application/json:
                  schema:
                    type: object
                    required: [data]
                    properties:
                      data: { type: array, items: { $ref: '#/components/schemas/Collection' } }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: makeCollection
          summary: Makes an itinerary without samples.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [title]
                  properties:
                    title: { $ref: '#/components/schemas/Title' }
                    description: { anyOf: [{ $ref: '#/components/schemas/LongText' }, { type: "null" }] }
                    isDeleted: { type: [boolean, "null"], description: Only ever looked at in changes. }
          responses:
            "201": { $ref: '#/components/responses/Collection' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /collections/{id}:
        parameters: [{ $ref: '#/components/parameters/Collection' }]
        get:
          operationId: showCollection
          summary: One itinerary.
          responses:
            "200": { $ref: '#/components/responses/Collection' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        patch:
          operationId: changeCollection
          summary: Changes an itinerary; what is left out stays.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    title: { anyOf: [{ $ref: '#/components/schemas/Title' }, { type: "null" }] }
                    description: { description: Null takes it away., anyOf: [{ $ref: '#/components/schemas/LongText' }, { type: "null" }] }
                    isDeleted: { type: [boolean, "null"], description: True deletes it and shows it once more. }
          responses:
            "200": { $ref: '#/components/responses/Collection' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: deleteCollection
          summary: Deletes an itinerary, for good. Its samples stay.
          responses:
            "204": { description: Deleted. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /collections/{id}/pdf:
        parameters: [{ $ref: '#/components/parameters/Collection' }]
        get:
          operationId: printCollection
          summary: The itinerary with its numbered stops on A4 pages; as `/notes/{id}/pdf`.
          responses:
            "200": { $ref: '#/components/responses/PDF' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "413": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /collections/{id}/samples:
        parameters: [{ $ref: '#/components/parameters/Collection' }]
        post:
          operationId: addSample
          summary: |
            Puts a sample into an itinerary; 409 `already-in-collection`. At most 2,000 are in one. 403 and 404 name in `detail`
            what they are about where it is the sample.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [sampleId]
                  properties:
                    sampleId: { type: string, description: "Of another form, it names nothing: 404." }
                    position: { type: [integer, "null"], minimum: 0, description: Before which of those that are there; left out, behind all. }
          responses:
            "201":
              description: Where it is.
              content:
                application/json:
                  schema:
                    type: object
                    required: [data]
                    properties:
                      data: { $ref: '#/components/schemas/CollectionEntry' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        put:
          operationId: reorderSamples
          summary: |
            Gives an itinerary's samples another order. All of them have to be named, each once: 409 `samples-differ` says that
            somebody has changed it meanwhile.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [sampleIds]
                  properties:
                    sampleIds: { type: array, items: { type: string } }
          responses:
            "200": { $ref: '#/components/responses/Collection' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "409": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /collections/{id}/samples/{sampleId}:
        parameters:
          - { $ref: '#/components/parameters/Collection' }
          - { name: sampleId, in: path, required: true, schema: { type: string } }
        delete:
          operationId: removeSample
          summary: Takes a sample out of an itinerary; those behind it move up. 404 where it is not in it.
          responses:
            "204": { description: Taken out. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /samples:
        get:
          operationId: listSamples
          summary: One's own samples.
          parameters:
            - { $ref: '#/components/parameters/ItemLimit' }
            - { $ref: '#/components/parameters/Cursor' }
          responses:
            "200":
              description: By the time of their making; at most 16 MiB of contents, and more behind `Link`.
              headers: { Link: { $ref: '#/components/headers/Link' } }
              content:
                application/json:
                  schema:
                    type: object
                    required: [data]
                    properties:
                      data: { type: array, items: { $ref: '#/components/schemas/Sample' } }
            default: { $ref: '#/components/responses/Error' }
        post:
          operationId: makeSample
          summary: |
            Makes a sample, and puts it behind the others in the named itineraries. All or nothing: where one of them is not
            there (404), somebody else's (403) or full (422) there is no sample either.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/SampleChange' }
                    - { type: object, required: [title], properties: { title: { $ref: '#/components/schemas/Title' } } }
          responses:
            "201": { $ref: '#/components/responses/Sample' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            "507": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /samples/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
        get:
          operationId: showSample
          summary: One sample.
          responses:
            "200": { $ref: '#/components/responses/Sample' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        patch:
          operationId: changeSample
          summary: |
            Changes a sample; what is left out stays. `collectionIds` says in which itineraries it is from now on: it leaves
            all others, keeps its place where it is already, and stands behind the others where it is new. All or nothing.
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: '#/components/schemas/SampleChange' } } }
          responses:
            "200": { $ref: '#/components/responses/Sample' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        delete:
          operationId: deleteSample
          summary: Deletes a sample, for good; it leaves every itinerary.
          responses:
            "204": { description: Deleted. }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /messages/sync:
        post:
          operationId: pushMessages
          summary: |
            Takes events of one tour, at most 1,000 and 4 MiB of body. Each entry is judged by itself and stands in one of the two
            lists; sending twice changes nothing.
          security: [{ account: [] }, { member: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [messages]
                  properties:
                    messages:
                      type: array
                      maxItems: 1000
                      items:
                        type: object
                        required: [localId]
                        properties:
                          localId: { type: string, maxLength: 128, description: The event's id. }
                          groupId: { description: "A text; with an account's token the first entry must have it." }
                          senderId: { description: "A text; of another type, as with all but `localId`, it is this entry's own fault." }
                          sentAt: { description: A time. }
                          type: { description: "Not read: the type is sealed." }
                          sealed: { description: "The exact event, as base64." }
          responses:
            "200":
              description: What became of each.
              content:
                application/json:
                  schema:
                    type: object
                    required: [syncedMessages, rejectedMessages, syncTime, heads]
                    properties:
                      syncedMessages:
                        type: array
                        items:
                          type: object
                          required: [localMessageId, status]
                          properties:
                            localMessageId: { type: string }
                            status: { type: string, enum: [stored, duplicate] }
                      rejectedMessages:
                        type: array
                        items:
                          type: object
                          required: [localMessageId, code, retry]
                          properties:
                            localMessageId: { type: string }
                            code: { type: string, description: As chapter 09 lists them. }
                            retry: { type: boolean, description: Whether it may do later. }
                      syncTime: { type: string, format: date-time }
                      heads: { $ref: '#/components/schemas/Heads' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/frontier:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: showFrontier
          summary: Up to where each author's log is held, and how many control events are.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200":
              description: With an `ETag`, which changes with either.
              content:
                application/json:
                  schema:
                    type: object
                    required: [heads, controls, syncTime]
                    properties:
                      heads: { $ref: '#/components/schemas/Heads' }
                      controls: { type: integer }
                      syncTime: { type: string, format: date-time }
            "304": { description: As `If-None-Match` says; with `Date`. }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/controls:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: pullControls
          summary: Control events behind a place, at most 1,000 and 1 MiB; `application/x-protobuf` is `MailboxControls`.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - { name: after, in: query, schema: { type: integer, minimum: 0, maximum: 9223372036854775807, default: 0 } }
          responses:
            "200":
              description: In the order in which the server took them.
              content:
                application/x-protobuf: {}
                application/json:
                  schema:
                    type: object
                    required: [events, next, more]
                    properties:
                      events: { $ref: '#/components/schemas/Controls' }
                      next: { type: integer }
                      more: { type: boolean }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/events:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: pullEvents
          summary: Events of each author behind a sequence, 1 MiB at most but one; `application/x-protobuf` is `MailboxEvents`.
          security: [{ account: [] }, { member: [] }]
          parameters:
            - name: after
              in: query
              description: "`AUTHOR:SEQUENCE,…`, at most 48, by the first 16 digits of the id; without it everything."
              schema: { type: string, pattern: '^[0-9a-f]{16}:[0-9]{1,18}(,[0-9a-f]{16}:[0-9]{1,18}){0,47}$' }
          responses:
            "200":
              description: One author after the other.
              content:
                application/x-protobuf: {}
                application/json:
                  schema:
                    type: object
                    required: [messages, more]
                    properties:
                      messages:
                        type: array
                        items:
                          type: object
                          required: [localId, groupId, senderId, sequence, sentAt, sealed]
                          properties:
                            localId: { $ref: '#/components/schemas/Id' }
                            groupId: { $ref: '#/components/schemas/Id' }
                            senderId: { $ref: '#/components/schemas/Id' }
                            sequence: { type: integer }
                            sentAt: { type: string, format: date-time }
                            sealed: { type: string, contentEncoding: base64 }
                      more: { type: boolean }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}/live:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: listen
          summary: Says that there is more, as it comes; for 15 minutes at a time, at most 2,000 listeners, 64 of them one caller's.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200":
              description: "`event: heads` with the heads that rose; a comment every 25 s."
              content: { text/event-stream: { schema: { type: string } } }
            "503": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
    components:
      securitySchemes:
        member:
          type: http
          scheme: bearer
          description: The token of one member in one tour, from `/auth/member`.
        account:
          type: http
          scheme: bearer
          bearerFormat: JWT
          description: An access token of this server, or of the outside issuer that its operator named.
      requestBodies:
        Named:
          required: true
          content:
            application/json:
              schema:
                type: object
                required: [email, password]
                properties:
                  email: { $ref: '#/components/schemas/Email' }
                  password: { $ref: '#/components/schemas/Password' }
      headers:
        Link:
          description: "`<?limit=…&cursor=…>; rel=\"next\"` where there is more."
          schema: { type: string }
      parameters:
        Limit:
          name: limit
          in: query
          description: Rows of one answer.
          schema: { type: integer, minimum: 1, maximum: 1000, default: 1000 }
        Cursor:
          name: cursor
          in: query
          description: From `Link`.
          schema: { type: string, pattern: "^([0-9a-f]{2})*$", maxLength: 128 }
        Group: { name: id, in: path, required: true, schema: { $ref: '#/components/schemas/Id' } }
        Organisation: { name: id, in: path, required: true, schema: { type: integer } }
        Collection: { name: id, in: path, required: true, schema: { type: string } }
        ItemLimit:
          name: limit
          in: query
          description: Rows of one answer of a notebook.
          schema: { type: integer, minimum: 1, maximum: 10000, default: 10000 }
      responses:
        Error:
          description: Refused.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Error' }
        Group:
          description: The tour.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Group' }
        Note:
          description: The note.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Note' }
        Collection:
          description: The itinerary.
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { $ref: '#/components/schemas/Collection' }
        Sample:
          description: The sample.
          content:
            application/json:
              schema:
                type: object
                required: [data]
                properties:
                  data: { $ref: '#/components/schemas/Sample' }
        PDF:
          description: The file.
          content: { application/pdf: {} }
        Invitation:
          description: The invitation.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Invitation' }
        Account:
          description: The account.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Account' }
        RecoveryCodes:
          description: The codes, each good once in place of a code of the app.
          content:
            application/json:
              schema:
                type: object
                required: [recovery_codes]
                properties:
                  recovery_codes: { type: array, items: { type: string, pattern: '^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$' } }
        Tokens:
          description: A session.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Tokens' }
      schemas:
        Error:
          type: object
          required: [error]
          properties:
            error:
              type: object
              required: [code, message]
              properties:
                code: { type: string, description: Stable. }
                message: { type: string, description: For people. }
                controls: { $ref: '#/components/schemas/Controls' }
                detail: { type: string, description: "The field that is meant, as `messages[3].sealed`." }
        Account:
          type: object
          required: [id, email, role, is_anonymous, created_at]
          properties:
            id: { type: integer }
            email: { type: string, description: Empty where the account has none. }
            email_verified: { type: boolean, description: Whether a code that was mailed to the address came back. }
            phone: { type: string }
            role: { $ref: '#/components/schemas/Role' }
            is_anonymous: { type: boolean, description: Neither address nor phone. }
            second_factor: { type: boolean, description: Whether a login takes one. }
            has_password: { type: boolean, description: "Whether it has one, which `current_password` then wants." }
            created_at: { type: string, format: date-time }
        Session:
          type: object
          required: [id, current, device, network, created_at, last_used_at, expires_at]
          properties:
            id: { type: string }
            current: { type: boolean, description: Whether the request's token belongs to it. }
            device: { type: [string, "null"], description: "What the client calls itself, as `Firefox, Linux`." }
            network: { type: [string, "null"], description: "Where it was last used: the first 24 bits of an IPv4 address, the first 48 of IPv6." }
            created_at: { type: string, format: date-time }
            last_used_at: { type: string, format: date-time, description: The login or the last refresh. }
            expires_at: { type: string, format: date-time }
        Contact:
          type: object
          description: A phone, or an e-mail address.
          oneOf:
            - required: [email]
              properties: { email: { $ref: '#/components/schemas/Email' }, phone: { type: "null" } }
            - required: [phone]
              properties: { phone: { $ref: '#/components/schemas/Phone' }, email: { type: "null" } }
        SecondFactor:
          type: [string, "null"]
          description: Six digits of the authenticator app, each code good once, or a recovery code; anything else is wrong.
        OwnerProof:
          type: object
          description: What shows that the owner asks. An account that has a password gives it, one with a second factor that.
          properties:
            current_password: { type: [string, "null"] }
            second_factor: { $ref: '#/components/schemas/SecondFactor' }
        Role: { type: string, enum: [user, guide, admin] }
        Password: { type: string, minLength: 8, maxLength: 256 }
        Email:
          type: string
          description: At most 254 bytes; compared in lower case.
          maxLength: 254
          pattern: '^[^@\s\x00-\x20\x7f]+@[^@\s\x00-\x20\x7f]+$'
        Phone:
          type: string
          description: "E.164: `+` and 8 to 15 digits; spaces, dashes, dots and parentheses are left out."
          maxLength: 40
          pattern: '^[-. ()]*\+[-. ()]*[1-9]([-. ()]*[0-9]){7,14}[-. ()]*$'
        Code: { type: string, description: Six digits; anything else is a wrong code., pattern: '^[0-9]{6}$' }
        Time:
          type: string
          format: date-time
          description: RFC 3339, in any time zone.
          pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[Tt]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?([Zz]|[-+]([01][0-9]|2[0-3]):[0-5][0-9])$'
        Name: { type: string, minLength: 1, maxLength: 128, description: At most 128 bytes; no control characters., pattern: '^[^\x00-\x1f\x7f-\x9f]+$' }
        Tokens:
          type: object
          required: [access_token, token_type, expires_in, refresh_token]
          properties:
            access_token: { type: string, description: "A JWT, signed with EdDSA; opaque to clients." }
            token_type: { type: string, const: bearer }
            expires_in: { type: integer, description: Seconds; 900. }
            refresh_token: { type: string, description: Good for 60 days without use. }
        Id: { type: string, pattern: "^[0-9a-f]{64}$" }
        Controls:
          type: array
          maxItems: 1000
          description: Exact bytes of control events, 1 MiB together.
          items: { $ref: '#/components/schemas/Bytes' }
        Bytes: { type: string, contentEncoding: base64, pattern: '^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$' }
        Proof:
          type: object
          description: How a member shows itself; chapter 09, "Member proof".
          required: [memberId, nonce, signature]
          properties:
            memberId: { $ref: '#/components/schemas/Id' }
            nonce: { type: string }
            signature: { type: string, contentEncoding: base64, description: 64 bytes., pattern: '^[A-Za-z0-9+/]{85}[AQgw]==$' }
        Heads:
          type: object
          description: By member id, the last sequence of its log that is held.
          additionalProperties: { type: integer }
        Member:
          type: object
          required: [id, name, role, isActive, joinedAt, isArchive]
          properties:
            id: { $ref: '#/components/schemas/Id' }
            name:
              type: [string, "null"]
              description: |
                As the member calls itself, where a guide has let the archive in and in the answers for one tour; else null.
            role: { type: string, enum: [member, guide, admin, creator, successor], description: "The successor ranks as creator without being the one." }
            isActive: { type: boolean, description: Still in. }
            joinedAt: { type: string, format: date-time }
            isArchive: { type: boolean, description: "The server's archive, which reads." }
        Invitation:
          type: object
          required: [id, createdAt]
          properties:
            id: { type: integer }
            email: { type: string }
            phone: { type: string }
            createdAt: { type: string, format: date-time }
        Title: { type: string, minLength: 1, maxLength: 1024, description: "At most 1,024 bytes, not only spaces; no U+0000.", pattern: '^[^\x00]*[^\s\x00][^\x00]*$' }
        LongText: { type: string, maxLength: 262144, description: "At most 256 KiB; no U+0000.", pattern: '^[^\x00]*$' }
        Note:
          type: object
          required: [id, title, content, created_at, updated_at]
          properties:
            id: { type: integer }
            title: { type: string }
            content: { type: string }
            created_at: { type: string, format: date-time }
            updated_at: { type: string, format: date-time }
        Collection:
          type: object
          required: [id, userId, title, isDeleted, createdAt, updatedAt, samples]
          properties:
            id: { type: string, pattern: '^col_[0-9a-f]{32}$' }
            userId: { type: string, pattern: '^user_[0-9a-f]{32}$' }
            title: { type: string }
            description: { type: string }
            isDeleted: { type: boolean }
            createdAt: { $ref: '#/components/schemas/Milliseconds' }
            updatedAt: { $ref: '#/components/schemas/Milliseconds' }
            samples:
              type: array
              maxItems: 2000
              description: In order. Beyond 16 MiB the notes of samples are left out; `/samples/{id}` has them.
              items: { $ref: '#/components/schemas/CollectionEntry' }
        CollectionEntry:
          type: object
          required: [sampleId, position, addedAt, sample]
          properties:
            sampleId: { type: string, pattern: '^sample_[0-9a-f]{32}$' }
            position: { type: integer, minimum: 0, description: "From 0, without gaps." }
            addedAt: { $ref: '#/components/schemas/Milliseconds' }
            sample: { $ref: '#/components/schemas/Sample' }
        Sample:
          type: object
          required: [id, userId, title, materialType, isDeleted, createdAt, updatedAt]
          properties:
            id: { type: string, pattern: '^sample_[0-9a-f]{32}$' }
            userId: { type: string, pattern: '^user_[0-9a-f]{32}$' }
            title: { type: string }
            materialType: { type: string }
            note: { type: string }
            place: { type: string, description: "`geo:` and the coordinates." }
            at: { $ref: '#/components/schemas/Milliseconds', description: When the group is there. }
            isDeleted: { type: boolean }
            createdAt: { $ref: '#/components/schemas/Milliseconds' }
            updatedAt: { $ref: '#/components/schemas/Milliseconds' }
        SampleChange:
          type: object
          properties:
            title: { anyOf: [{ $ref: '#/components/schemas/Title' }, { type: "null" }] }
            materialType: { description: "At most 128 bytes; `stop` where none is named.", type: [string, "null"], maxLength: 128, pattern: '^[^\x00]*[^\s\x00][^\x00]*$' }
            note: { description: Null takes it away., anyOf: [{ $ref: '#/components/schemas/LongText' }, { type: "null" }] }
            place: { description: "A `geo:` address (RFC 5870), of which latitude and longitude are kept; null takes it away.", type: [string, "null"], maxLength: 256, pattern: '^geo:[-+]?([0-8]?[0-9](\.[0-9]{1,9})?|90(\.0{1,9})?),[-+]?(([0-9]{1,2}|1[0-7][0-9])(\.[0-9]{1,9})?|180(\.0{1,9})?)(,[-+]?[0-9]{1,6}(\.[0-9]{1,9})?)?(;crs=wgs84)?(;u=[0-9]{1,6}(\.[0-9]{1,9})?)?$' }
            at: { description: Null takes it away., anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
            collectionIds: { type: [array, "null"], maxItems: 100, items: { type: string }, description: One that is of another form names nothing. }
            isDeleted: { type: [boolean, "null"], description: "True, in a change, deletes it and shows it once more." }
        Milliseconds: { type: string, format: date-time, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.000Z$' }
        Message:
          type: object
          required: [localId, content, type, senderId, groupId, sentAt, status, syncedAt, metadata]
          properties:
            localId: { $ref: '#/components/schemas/Id' }
            content: { type: string, description: "Empty when withdrawn. Of pictures and files what the author says of them, else the name." }
            type: { type: string, enum: [text, announcement, location, image, file, meeting, alarm, roll-call, note, place, itinerary, withdrawn] }
            senderId: { $ref: '#/components/schemas/Id' }
            groupId: { $ref: '#/components/schemas/Id' }
            sentAt: { type: string, format: date-time }
            status: { type: string, const: sent }
            syncedAt: { type: [string, "null"], format: date-time, description: When the server took it. }
            metadata:
              type: [object, "null"]
              properties:
                replyTo: { $ref: '#/components/schemas/Id' }
                urgent: { type: boolean }
                expiresAt: { type: string, format: date-time }
                latitude: { type: number, minimum: -90, maximum: 90, description: Of locations and meeting points. }
                longitude: { type: number, minimum: -180, maximum: 180 }
                address: { type: string, description: What the author calls the place. }
                accuracyMetres: { type: integer, minimum: 1 }
                fixedAt: { type: string, format: date-time, description: When the position was measured. }
                meetAt: { type: string, format: date-time, description: Of a meeting point. }
                photo: { $ref: '#/components/schemas/File', description: Of a meeting point. }
                name: { type: string, maxLength: 255, description: "Of pictures and files, as of the next six: members of `File`." }
                media: { type: string, maxLength: 127 }
                size: { type: integer, minimum: 0, maximum: 1073741824 }
                caption: { type: string, maxLength: 4096 }
                width: { type: integer, minimum: 1, maximum: 65535 }
                height: { type: integer, minimum: 1, maximum: 65535 }
                thumbnail: { type: string, contentEncoding: base64 }
                record: { type: string, format: uuid, description: "Of notes, places and itineraries that are shared, as of the next two: which record. What it says is with the members." }
                version: { type: integer, minimum: 1, maximum: 9007199254740991 }
                takenBack: { type: boolean, description: It is shared no more. }
        File:
          type: object
          description: "A file or picture by the word of its author. Its bytes are with the members: the server has none of them."
          required: [name, size]
          properties:
            name: { type: string, maxLength: 255, description: "As the author calls it: any text, and no path." }
            media: { type: string, maxLength: 127, description: "A media type, as image/jpeg." }
            size: { type: integer, minimum: 0, maximum: 1073741824, description: Bytes. }
            caption: { type: string, maxLength: 4096 }
            width: { type: integer, minimum: 1, maximum: 65535, description: Pixels. }
            height: { type: integer, minimum: 1, maximum: 65535 }
            thumbnail: { type: string, contentEncoding: base64, description: "A JPEG of at most 8192 bytes." }
        OrganisationRole: { type: string, enum: [guide, admin] }
        Organisation:
          type: object
          required: [id, name, role, createdAt]
          properties:
            id: { type: integer }
            name: { $ref: '#/components/schemas/Name' }
            role: { $ref: '#/components/schemas/OrganisationRole' }
            createdAt: { type: string, format: date-time }
            joinedAt: { type: string, format: date-time, description: Of a member. }
            invitation: { type: integer, description: For an account that is invited and no member. }
        OrganisationMember:
          type: object
          required: [account, role, joinedAt, tours]
          properties:
            account: { type: integer }
            role: { $ref: '#/components/schemas/OrganisationRole' }
            joinedAt: { type: string, format: date-time }
            tours: { type: integer, description: Those of the organisation that the member owns. }
            email: { type: string, description: For admins. }
            phone: { type: string, description: For admins. }
        OrganisationInvitation:
          type: object
          required: [id, role, createdAt, expiresAt]
          properties:
            id: { type: integer }
            role: { $ref: '#/components/schemas/OrganisationRole' }
            email: { type: string }
            phone: { type: string }
            code: { type: string, pattern: '^[A-Z2-7]{4}(-[A-Z2-7]{4}){3}$', description: Only in the answer that makes one without address and number. }
            createdAt: { type: string, format: date-time }
            expiresAt: { type: string, format: date-time }
        OrganisationTour:
          type: object
          required: [id, name, isPlanned, isActive, createdAt]
          properties:
            id: { $ref: '#/components/schemas/Id' }
            name: { type: string, description: "The server's own; empty where nobody gave one." }
            account: { type: integer, description: Its owner. }
            isPlanned: { type: boolean }
            isActive: { type: boolean }
            startDate: { type: string, format: date-time }
            endDate: { type: string, format: date-time }
            createdAt: { type: string, format: date-time }
        GroupListing:
          type: object
          properties:
            name: { anyOf: [{ $ref: '#/components/schemas/Name' }, { type: "null" }] }
            startDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
            endDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
        Group:
          type: object
          required: [id, name, guideId, isActive, startDate, endDate, lastSyncTime, members]
          properties:
            id: { $ref: '#/components/schemas/Id' }
            name: { type: string, description: "The server's own; empty where nobody gave one." }
            guideId: { description: Empty where the tour is only planned., anyOf: [{ $ref: '#/components/schemas/Id' }, { type: string, maxLength: 0 }] }
            isActive: { type: boolean }
            startDate: { type: [string, "null"], format: date-time }
            endDate: { type: [string, "null"], format: date-time }
            lastSyncTime: { type: [string, "null"], format: date-time }
            members: { type: array, items: { $ref: '#/components/schemas/Member' } }
            invitation: { type: integer, description: For an account that is invited and no member. }
            plannedId: { description: "Only of a tour that has replaced a plan: the plan's id.", $ref: '#/components/schemas/Id' }
            isPlanned: { type: boolean, description: "Only where no device has founded the tour yet; absent elsewhere." }
        ItemId:
          type: string
          description: A UUID; made by whoever makes the item. Answers have the form with dashes, in lower case.
          pattern: '^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}|[0-9a-fA-F]{32})$'
        ItemIds: { type: array, maxItems: 20000, items: { $ref: '#/components/schemas/ItemId' } }
        NotebookKind: { type: string, enum: [notes, bookmarks, categories, collections, samples, lost] }
        SentItems:
          type: [array, "null"]
          maxItems: 20000
          description: As chapter 12 lists the fields.
          items: { description: "With `device`, one that cannot be read is its own fault." }
        Device:
          type: [string, "null"]
          minLength: 1
          maxLength: 64
          pattern: '^[^\x00-\x1f]*$'
          description: "A name that the device gave itself, at most 64 bytes: by it the server knows the device's own changes."
        Upsert:
          type: object
          required: [bookmarks]
          properties:
            device: { $ref: '#/components/schemas/Device' }
            bookmarks: { type: [array, "null"], maxItems: 20000, items: { $ref: '#/components/schemas/Bookmark' } }
        Version: { type: [integer, "null"], minimum: 0, maximum: 9007199254740992, description: One more with each change. }
        MaybeItemId: { oneOf: [{ $ref: '#/components/schemas/ItemId' }, { type: "null" }] }
        MaybeTime: { oneOf: [{ $ref: '#/components/schemas/PlainTime' }, { type: "null" }] }
        PlainTime:
          type: string
          description: RFC 3339 in UTC.
          pattern: '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$'
        Bookmark:
          type: object
          description: A saved place or link. What is left out is as in a new one; pictures and the file, in a request without `device`, are as they were.
          required: [id, title]
          properties:
            id: { $ref: '#/components/schemas/ItemId' }
            local_id: { $ref: '#/components/schemas/MaybeItemId' }
            category_id: { $ref: '#/components/schemas/MaybeItemId' }
            title: { type: string, minLength: 1, maxLength: 1024, description: At most 1 KiB; not only spaces. }
            url: { type: [string, "null"], maxLength: 4096, description: "A link, or `geo:LAT,LON` (RFC 5870); at most 4 KiB." }
            note: { type: [string, "null"], maxLength: 262144, description: At most 256 KiB. }
            source: { type: [string, "null"], maxLength: 128, default: manual }
            is_read: { type: [boolean, "null"], default: false }
            is_favorite: { type: [boolean, "null"], default: false }
            tags: { type: [array, "null"], maxItems: 64, items: { type: string, minLength: 1, maxLength: 128 } }
            image_urls:
              type: [array, "null"]
              maxItems: 32
              description: Addresses of this server's `/api/v1/files`; others are left out.
              items: { type: string, maxLength: 4096 }
            file_url: { type: [string, "null"], maxLength: 4096 }
            sync_version: { $ref: '#/components/schemas/Version' }
            base_version: { $ref: '#/components/schemas/Version', description: "Of requests: the server's version that the change began from." }
            created_at: { $ref: '#/components/schemas/MaybeTime' }
            updated_at: { $ref: '#/components/schemas/MaybeTime' }
        Category:
          type: object
          description: Without `sync_version` a change is the next version.
          required: [id, name]
          properties:
            id: { $ref: '#/components/schemas/ItemId' }
            local_id: { $ref: '#/components/schemas/MaybeItemId' }
            name: { type: string, minLength: 1, maxLength: 1024 }
            icon: { type: [string, "null"], maxLength: 128 }
            color: { type: [string, "null"], maxLength: 128 }
            order: { type: [integer, "null"] }
            sync_version: { $ref: '#/components/schemas/Version' }
            base_version: { $ref: '#/components/schemas/Version' }
            created_at: { $ref: '#/components/schemas/MaybeTime' }
            updated_at: { $ref: '#/components/schemas/MaybeTime' }

    """#
