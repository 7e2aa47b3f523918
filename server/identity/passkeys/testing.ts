import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { Assertion, CreationOptions, NewCredential, RequestOptions } from '#contract/passkeys.ts'

/** The flags of authenticator data: user present, user verified, attested credential included. */
const PRESENT = 0x01
const VERIFIED = 0x04
const ATTESTED = 0x40

type Manner = {
  /** Whether the device verifies the user. */
  verifies?: boolean
  /** The origin of the page. */
  origin?: string
  rpId?: string
  /** Signed instead of the given challenge. */
  challenge?: string
  /** The signature counter; 0 for devices that do not count. */
  counter?: number
}

export type TestDevice = ReturnType<typeof testDevice>

/** A software authenticator with one passkey, used by a page of the server under test. */
export function testDevice() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  let userHandle: string | null = null

  function authenticatorData(
    { rpId = 'localhost', verifies = true, counter = 0 }: Manner,
    credential?: Buffer,
  ) {
    const flags = PRESENT | (verifies ? VERIFIED : 0) | (credential ? ATTESTED : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, credential ?? Buffer.alloc(0)])
  }

  const clientDataOf = (type: string, challenge: string, manner: Manner) =>
    Buffer.from(
      JSON.stringify({
        type,
        challenge: manner.challenge ?? challenge,
        origin: manner.origin ?? 'http://localhost:4400',
        crossOrigin: false,
      }),
    )

  const id = credentialId.toString('base64url')
  const credential = { id, rawId: id, type: 'public-key' as const }

  return {
    id,

    /** Creates its passkey, and returns what a browser sends. */
    create(options: CreationOptions, manner: Manner = {}): NewCredential {
      userHandle = options.user.id
      const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
      const key = cborMap([
        [1, cborInt(2)], // an elliptic curve
        [3, cborInt(-7)], // ES256
        [-1, cborInt(1)], // P-256
        [-2, cborBytes(Buffer.from(x, 'base64url'))],
        [-3, cborBytes(Buffer.from(y, 'base64url'))],
      ])
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, key])
      const attestation = cborMap([
        ['fmt', cborText('none')],
        ['attStmt', cborMap([])],
        ['authData', cborBytes(authenticatorData(manner, attested))],
      ])
      return {
        ...credential,
        response: {
          clientDataJSON: clientDataOf('webauthn.create', options.challenge, manner).toString('base64url'),
          attestationObject: attestation.toString('base64url'),
          transports: ['internal'],
        },
      }
    },

    /** Signs a challenge, and returns what a browser sends. */
    sign(options: RequestOptions, manner: Manner = {}): Assertion {
      const clientData = clientDataOf('webauthn.get', options.challenge, manner)
      const data = authenticatorData(manner)
      const signature = sign('sha256', Buffer.concat([data, sha256(clientData)]), privateKey)
      return {
        ...credential,
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
          userHandle,
        },
      }
    },
  }
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

/** Encodes the head of a CBOR value: its type and its length, up to 65,535. */
function cborHead(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length])
  if (length < 256) return Buffer.from([(type << 5) | 24, length])
  return Buffer.from([(type << 5) | 25, length >> 8, length & 0xff])
}

const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborMap = (entries: [key: number | string, value: Buffer][]) =>
  Buffer.concat([
    cborHead(5, entries.length),
    ...entries.flatMap(([key, value]) => [typeof key === 'number' ? cborInt(key) : cborText(key), value]),
  ])
