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
        Readers ignore members they do not know. `/x` and `/x/` are one address; HEAD goes wherever GET goes.

        Every refusal is an `Error` with a stable code; its message is in English or Turkish, after `Accept-Language`.

        | status | codes |
        |---|---|
        | 400 | `bad-request` (an address, header or key that cannot be followed), `bad-json` |
        | 401 | `unauthenticated`, `bad-credentials`, `bad-code`, `bad-refresh-token` |
        | 403 | `forbidden` |
        | 404 | `not-found` |
        | 405 | `method-not-allowed`, with `Allow` |
        | 408 | `timeout`: the body took more than 20 s to arrive |
        | 409 | `email-taken`, `phone-taken`, `in-progress` (the same Idempotency-Key, still at work) |
        | 413 | `too-large` |
        | 414 | `address-too-long`: path and query above 2,048 bytes |
        | 415 | `unsupported-media-type`: not JSON, or compressed |
        | 422 | `invalid-field`, named by `detail`; `idempotency-key-reused` |
        | 429 | `too-many-requests`, with `Retry-After` in seconds |
        | 500 | `internal` |
        | 502 | `sms-failed` |
        | 503 | `unavailable`, sometimes with `Retry-After` |

        Limits. A JSON body: 64 KiB. Header fields: 16 KiB and 100 in all. A connection that is quiet for 60 s is closed.
        Per client address (of IPv6 the first 64 bits) 600 requests at once and 20 a second, per account 300 and 10 a second;
        logins and password changes 20 at once and 4 a minute per address, logins 10 and 1 a minute per account; new
        accounts 60 at once and 1 a minute per address; codes sent 3 at once and 1 in 5 minutes per phone, 20 at once and
        1 a minute per address; codes and refresh tokens tried 60 at once and 6 a minute per address.

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
      /readyz:
        get:
          operationId: readiness
          summary: Whether the database answers.
          security: []
          responses:
            "200": { description: It does. }
            "503": { $ref: '#/components/responses/Error' }
      /metrics:
        get:
          operationId: metrics
          summary: Counters of this process in the text format of Prometheus; for the server's own machine only.
          security: []
          responses:
            "200": { description: The counters., content: { text/plain: { schema: { type: string } } } }
            "403": { $ref: '#/components/responses/Error' }
      /openapi.yaml:
        get:
          operationId: contract
          summary: This document.
          security: []
          responses:
            "200": { description: It., content: { application/yaml: { schema: { type: string } } } }
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
          summary: Begins a session. An unknown address and a wrong password answer alike, after the same time.
          security: []
          requestBody: { $ref: '#/components/requestBodies/Named' }
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
            tries.
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
                    code: { type: string, description: Six digits. }
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
                    current_password: { type: string }
                    password: { $ref: '#/components/schemas/Password' }
          responses:
            "204": { description: Set. }
            "401": { $ref: '#/components/responses/Error' }
            "403": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /auth/password/reset:
        post:
          operationId: resetPassword
          summary: |
            Sets the password of the phone's account with a code from `/auth/sms/request`, and ends every session. A wrong
            code and a phone without an account answer alike.
          security: []
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [phone, code, password]
                  properties:
                    phone: { $ref: '#/components/schemas/Phone' }
                    code: { type: string, description: Six digits. }
                    password: { $ref: '#/components/schemas/Password' }
          responses:
            "204": { description: Set. }
            "401": { $ref: '#/components/responses/Error' }
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
                    required: [account, exported_at, sessions, outside_names]
                    properties:
                      account: { $ref: '#/components/schemas/Account' }
                      exported_at: { type: string, format: date-time }
                      sessions:
                        type: array
                        items:
                          type: object
                          required: [created_at, expires_at]
                          properties:
                            created_at: { type: string, format: date-time }
                            expires_at: { type: string, format: date-time }
                      outside_names:
                        type: array
                        items:
                          type: object
                          required: [issuer, subject]
                          properties:
                            issuer: { type: string }
                            subject: { type: string }
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
    components:
      securitySchemes:
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
                  email: { type: string, maxLength: 254, description: Compared in lower case. }
                  password: { $ref: '#/components/schemas/Password' }
      responses:
        Error:
          description: Refused.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Error' }
        Account:
          description: The account.
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Account' }
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
                detail: { type: string, description: "The field that is meant, as `messages[3].sealed`." }
        Account:
          type: object
          required: [id, role, is_anonymous, created_at]
          properties:
            id: { type: integer }
            email: { type: string }
            phone: { type: string }
            role: { $ref: '#/components/schemas/Role' }
            is_anonymous: { type: boolean, description: Neither address nor phone. }
            created_at: { type: string, format: date-time }
        Role: { type: string, enum: [user, guide, admin] }
        Password: { type: string, minLength: 8, maxLength: 256 }
        Phone:
          type: string
          description: "E.164: `+` and 8 to 15 digits; spaces, dashes, dots and parentheses are left out."
        Tokens:
          type: object
          required: [access_token, token_type, expires_in, refresh_token]
          properties:
            access_token: { type: string, description: "A JWT, signed with EdDSA; opaque to clients." }
            token_type: { type: string, const: bearer }
            expires_in: { type: integer, description: Seconds; 900. }
            refresh_token: { type: string, description: Good for 60 days without use. }

    """#
