import { createHash, hkdfSync } from 'node:crypto'
import { readFile, rename } from 'node:fs/promises'
import path from 'node:path'
import { CannotStart, explainFileProblem } from '#server/cannot-start.ts'
import { makeFolder } from '#server/make-folder.ts'
import { flushFolder, readOrMakeSecret, writeDraft } from '#server/private-file.ts'
import type { Settings } from '#server/settings.ts'

const FILE = 'token-secret'
const SHORTEST = 32

/** Keys derived from one master secret, one per purpose. */
export type Secret = {
  id: string
  tokenKey: Uint8Array
  providerKey: string
  linkKey: Uint8Array
  invitationKey: Uint8Array
  secondFactorKey: Uint8Array
}

/** The current secret and, during a rotation, the previous one. */
export type Secrets = { current: Secret; previous: Secret | null }

/**
 * Loads the secrets that sign tokens: the operator's, or one that the first start writes to a file in the data directory.
 * Throws CannotStart.
 */
export async function loadSecrets(
  settings: Pick<Settings, 'tokenSecret' | 'previousTokenSecret' | 'dataDir'>,
): Promise<Secrets> {
  const { tokenSecret, previousTokenSecret, dataDir } = settings
  return {
    current: derive(tokenSecret ?? (await fromFile(dataDir))),
    previous: previousTokenSecret === undefined ? null : derive(previousTokenSecret),
  }
}

/** Derives the keys of a master secret. The id may be public. */
export function derive(master: string): Secret {
  const key = (purpose: string) => new Uint8Array(hkdfSync('sha256', master, 'milepost', purpose, 32))
  return {
    id: createHash('sha256').update(key('key id')).digest('hex').slice(0, 12),
    tokenKey: key('application tokens'),
    providerKey: Buffer.from(key('local provider')).toString('base64url'),
    linkKey: key('links to images'),
    invitationKey: key('tokens of invitations'),
    secondFactorKey: key('secrets of authenticator apps'),
  }
}

/** Returns the current secret and whether it comes from the file; undefined if there is none yet. */
export async function findSecret({
  tokenSecret,
  dataDir,
}: Pick<Settings, 'tokenSecret' | 'dataDir'>): Promise<{ text: string; ofFile: boolean } | undefined> {
  if (tokenSecret !== undefined) return { text: tokenSecret, ofFile: false }
  try {
    return { text: await readFile(path.join(dataDir, FILE), 'utf8'), ofFile: true }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw explainFileProblem(error, dataDir)
  }
}

/** Writes a secret to the file, replacing an earlier one. */
export async function replaceSecretFile(dataDir: string, text: string): Promise<void> {
  const file = path.join(dataDir, FILE)
  try {
    await makeFolder(dataDir)
    await rename(await writeDraft(file, text, undefined), file)
    await flushFolder(dataDir)
  } catch (error) {
    throw explainFileProblem(error, dataDir)
  }
}

async function fromFile(dataDir: string): Promise<string> {
  const file = path.join(dataDir, FILE)
  try {
    await makeFolder(dataDir)
    const secret = await readOrMakeSecret(file)
    if (secret.length >= SHORTEST) return secret
  } catch (error) {
    throw explainFileProblem(error, dataDir)
  }
  throw new CannotStart(
    `The file ${file} no longer holds a whole secret: put it back from a copy, or delete it and everyone has to sign in again.`,
  )
}
