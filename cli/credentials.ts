import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { misused, refused } from './failure.ts'

const credentials = z.object({ url: z.string(), token: z.string() })
/** The server's URL and an access token for it. */
export type Credentials = z.infer<typeof credentials>

type Environment = Record<string, string | undefined>

/** Returns the path of this person's credentials. */
export function credentialsFile(env: Environment): string {
  // The specification of these folders ignores relative ones; a token must not lie in the folder where one works.
  const given = [env.XDG_CONFIG_HOME, process.platform === 'win32' ? env.APPDATA : undefined]
  const folder = given.find((one) => one !== undefined && path.isAbsolute(one))
  return path.join(folder ?? path.join(homedir(), '.config'), 'milepost', 'credentials.json')
}

/** Returns a token without what is often copied along: quotes, spaces, and the name of the scheme. */
export const bareToken = (given: string): string =>
  given
    .trim()
    .replace(/^(["'])(.*)\1$/s, '$2')
    .replace(/^Bearer\s+/i, '')
    .trim()

/** Returns the credentials of the environment or, without them, those that `login` saved. Throws a Failure if there are none. */
export async function readCredentials(env: Environment): Promise<Credentials> {
  const { MILEPOST_URL: url } = env
  const token = env.MILEPOST_TOKEN === undefined ? undefined : bareToken(env.MILEPOST_TOKEN)
  if (url && token) return { url: serverUrl(url), token }
  const kept = await readFile(credentialsFile(env), 'utf8').catch(() => '{}')
  const parsed = credentials.partial().safeParse(jsonOf(kept)).data ?? {}
  // A token is sent only to the server that created it.
  if (url && serverUrl(url) !== parsed.url)
    throw refused('MILEPOST_URL names another server than that of the login: set MILEPOST_TOKEN too.')
  const found = { url: parsed.url, token: token ?? parsed.token }
  if (!found.url || !found.token)
    throw refused('You are not signed in. Run: milepost login https://your-server')
  return { url: found.url, token: found.token }
}

/** Saves credentials in a file that only this person can read. */
export async function saveCredentials(env: Environment, found: Credentials): Promise<string> {
  const file = credentialsFile(env)
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
    await writeFile(file, `${JSON.stringify(found, null, 2)}\n`, { mode: 0o600 })
    // An existing file keeps its mode when it is written.
    await chmod(file, 0o600)
  } catch (error) {
    throw refused(
      `The token cannot be kept in ${file}: ${error instanceof Error ? error.message : String(error)}. Set XDG_CONFIG_HOME to a folder that you may write in, or MILEPOST_URL and MILEPOST_TOKEN.`,
    )
  }
  return file
}

export const removeCredentials = (env: Environment) => rm(credentialsFile(env), { force: true })

/** Returns the origin of a server's URL. */
export function serverUrl(text: string): string {
  const url = URL.parse(text.includes('://') ? text : `https://${text}`)
  if (!url || !/^https?:$/.test(url.protocol))
    throw misused(`“${text}” is no URL of a server, such as https://example.org.`)
  return url.origin
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refused('The kept credentials cannot be read. Run: milepost login')
  }
}
