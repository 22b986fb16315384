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
        Readers ignore members they do not know; of a name that comes twice in one object the first one counts. `/x` and `/x/` are one address; HEAD goes wherever GET goes.

        Every refusal is an `Error` with a stable code; its message is in English or Turkish, after `Accept-Language`.

        | status | codes |
        |---|---|
        | 400 | `bad-request` (an address, header or key that cannot be followed), `bad-json` |
        | 401 | `unauthenticated`, `bad-credentials`, `bad-code`, `bad-refresh-token`, `bad-proof` |
        | 403 | `forbidden`, `not-a-guide`, `not-allowed`, `unknown-member`, `removed` |
        | 404 | `not-found`, `unknown-group`, `no-archive` |
        | 405 | `method-not-allowed`, with `Allow` |
        | 408 | `timeout`: the body took more than 20 s to arrive |
        | 409 | `email-taken`, `phone-taken`, `in-progress` (the same Idempotency-Key or blob, still at work), `has-archive`, `wrong-offset` |
        | 413 | `too-large` |
        | 414 | `address-too-long`: path and query above 2,048 bytes |
        | 415 | `unsupported-media-type`: not JSON, or compressed |
        | 416 | `range-not-satisfiable` |
        | 422 | `invalid-field`, named by `detail`; `bad-genesis`; `idempotency-key-reused`; `wrong-hash` |
        | 429 | `too-many-requests`, with `Retry-After` in seconds |
        | 500 | `internal` |
        | 502 | `sms-failed` |
        | 503 | `unavailable`, sometimes with `Retry-After` |
        | 507 | `quota`: the tour's room here is used up |

        Lists come whole up to 1,000 rows; `?limit=` asks for fewer. Where there is more, `Link` names the next page
        (`<?limit=…&cursor=…>; rel="next"`, relative to the request); cursors are opaque, and stay good as rows come and go.

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
            default: { $ref: '#/components/responses/Error' }
      /readyz:
        get:
          operationId: readiness
          summary: Whether the database answers.
          security: []
          responses:
            "200": { description: It does. }
            default: { $ref: '#/components/responses/Error' }
      /metrics:
        get:
          operationId: metrics
          summary: Counters of this process in the text format of Prometheus; for the server's own machine only.
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
                    code: { $ref: '#/components/schemas/Code' }
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
                    code: { $ref: '#/components/schemas/Code' }
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
                    required: [account, exported_at, sessions, outside_names, groups, invitations]
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
                        controls: { $ref: '#/components/schemas/Controls' }
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
      /groups:
        get:
          operationId: listGroups
          summary: |
            The tours that the account made known, is a member of or is invited to; with a member's token that tour.
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
          summary: Makes a tour known, and ties the account to the member who shows itself. For guides and admins.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  allOf:
                    - { $ref: '#/components/schemas/Proof' }
                    - type: object
                      required: [genesis]
                      properties:
                        genesis: { $ref: '#/components/schemas/Bytes' }
                        controls: { $ref: '#/components/schemas/Controls' }
                        name: { $ref: '#/components/schemas/Name' }
          responses:
            "200": { $ref: '#/components/responses/Group' }
            "201": { $ref: '#/components/responses/Group' }
            "403": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
      /groups/{id}:
        parameters: [{ $ref: '#/components/parameters/Group' }]
        get:
          operationId: showGroup
          summary: One tour, for its members, the account that made it known and those who are invited.
          security: [{ account: [] }, { member: [] }]
          responses:
            "200": { $ref: '#/components/responses/Group' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
            default: { $ref: '#/components/responses/Error' }
        patch:
          operationId: changeGroup
          summary: What the server says of the tour beside its events. For who leads it or made it known.
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  properties:
                    name: { $ref: '#/components/schemas/Name' }
                    isActive: { type: boolean }
                    startDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
                    endDate: { anyOf: [{ $ref: '#/components/schemas/Time' }, { type: "null" }] }
          responses:
            "200": { $ref: '#/components/responses/Group' }
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
            `invitation` and without members. It opens nothing: one joins by the tour's code, which the server never has.
            Nothing is sent. 200 for somebody who is invited already. For who leads the tour or made it known; 1,000 a tour.
          security: [{ account: [] }, { member: [] }]
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  description: One of the two; null is as none.
                  properties:
                    email: { anyOf: [{ $ref: '#/components/schemas/Email' }, { type: "null" }] }
                    phone: { anyOf: [{ $ref: '#/components/schemas/Phone' }, { type: "null" }] }
          responses:
            "200": { $ref: '#/components/responses/Invitation' }
            "201": { $ref: '#/components/responses/Invitation' }
            "403": { $ref: '#/components/responses/Error' }
            "404": { $ref: '#/components/responses/Error' }
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
            when it has begun.
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
            A sealed file, named by BLAKE2b-256 of its bytes in hex. Whole, or by pieces with `Content-Range: bytes A-B/TOTAL`,
            each from where the last one ended; one from 0 begins anew, and `bytes */TOTAL` asks how far it is. Answers
            say with `Upload-Offset` how many bytes are on the disk. At most 64 MiB, 2 GiB a tour; what does not go on for 7 days is
            dropped.
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
          summary: Says that there is more, as it comes; for 15 minutes at a time, at most 2,000 listeners.
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
          required: [id, role, isActive, joinedAt, isArchive]
          properties:
            id: { $ref: '#/components/schemas/Id' }
            role: { type: string, enum: [member, guide, admin, creator] }
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
        Message:
          type: object
          required: [localId, content, type, senderId, groupId, sentAt, status, syncedAt, metadata]
          properties:
            localId: { $ref: '#/components/schemas/Id' }
            content: { type: string, description: "Empty when withdrawn. Of pictures and files what the author says of them, else the name." }
            type: { type: string, enum: [text, announcement, location, image, file, meeting, withdrawn] }
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
        Group:
          type: object
          required: [id, name, guideId, isActive, startDate, endDate, lastSyncTime, members]
          properties:
            id: { $ref: '#/components/schemas/Id' }
            name: { type: string, description: "The server's own; empty where nobody gave one." }
            guideId: { $ref: '#/components/schemas/Id' }
            isActive: { type: boolean }
            startDate: { type: [string, "null"], format: date-time }
            endDate: { type: [string, "null"], format: date-time }
            lastSyncTime: { type: [string, "null"], format: date-time }
            members: { type: array, items: { $ref: '#/components/schemas/Member' } }
            invitation: { type: integer, description: For an account that is invited and no member. }

    """#
