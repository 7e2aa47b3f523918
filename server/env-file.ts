import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import leven from 'leven'
import { CannotStart } from './cannot-start.ts'

/** Names that a `.env` beside Milepost may hold for other programs: Node.js, npm, Docker Compose, libraries, our command line. */
const OF_OTHERS =
  /^(NODE_|npm_|COMPOSE_|DOCKER_|POSTGRES_|AWS_|PG[A-Z]+$|MALLOC_|MILEPOST_|DATABASE_PASSWORD$|TZ$|LANG$|LC_|NO_COLOR$|FORCE_COLOR$|https?_proxy$|no_proxy$|HTTPS?_PROXY$|NO_PROXY$)/

/**
 * Adds the variables of a settings file to the environment, unless they are already set. Returns a sentence about each name
 * that is not a setting, in the file or, if it is nearly one, in the environment. Throws CannotStart if the file cannot be read
 * or if a `#` cuts a value.
 */
export function loadEnvFile(
  file: string,
  known: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  const text = readIfThere(file)
  const values = parseEnv(text)
  requireWhole(text, file)
  const foreign = Object.keys(values).filter((name) => !known.includes(name) && !OF_OTHERS.test(name))
  const slips = Object.keys(environment).filter((name) => !known.includes(name) && nearest(name, known, 2))
  for (const [name, value] of Object.entries(values)) environment[name] ??= value
  return [
    ...foreign.map((name) => `${name} in ${file} is not a setting of Milepost${suggestion(name, known)}`),
    ...slips.map((name) => `The variable ${name} is not a setting of Milepost${suggestion(name, known)}`),
    ...known
      .filter((name) => !(name in values) && new RegExp(`^[^\\S\\n]*${name}[ \\t:]`, 'm').test(text))
      .map((name) => `The line of ${name} in ${file} has no = behind the name, so it has no effect.`),
  ]
}

function readIfThere(file: string): string {
  try {
    // Editors on Windows begin a file with a byte order mark, which would become part of the first name.
    const bytes = readFileSync(file)
    // Notepad's «Unicode» and PowerShell's `>` write UTF-16.
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'utf8'
    return bytes.toString(encoding).replace(/^\uFEFF/, '')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    throw new CannotStart(`The settings file ${file} could not be read.`, { cause: error })
  }
}

const UNQUOTED = /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*([^\s"'`].*)$/gm

/** In an unquoted value, Node.js takes every `#` for the beginning of a comment, also within a password. */
function requireWhole(text: string, file: string) {
  for (const [, name = '', value = ''] of text.matchAll(UNQUOTED)) {
    const [written = ''] = value.split(/\s+#/)
    if (written.includes('#') && !/^#\s/.test(written))
      throw new CannotStart(
        `The value of ${name} in ${file} has a #, which begins a comment there: put the value in quotes, as in ${name}="…", or a space before the comment.`,
      )
  }
}

const suggestion = (name: string, known: readonly string[]) => {
  const meant = nearest(name, known, 3)
  return meant ? `; did you mean ${meant}?` : ', so it has no effect.'
}

/** Returns the setting whose name differs by at most `distance` letters. Short names are near to too many others. */
function nearest(name: string, known: readonly string[], distance: number): string | undefined {
  if (name.length < 7) return undefined
  const near = known.map((candidate) => ({ candidate, distance: leven(name.toUpperCase(), candidate) }))
  const [best] = near.toSorted((one, other) => one.distance - other.distance)
  return best && best.distance <= distance ? best.candidate : undefined
}
