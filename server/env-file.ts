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
 * or if a `#` or a quotation mark cuts a value or takes other lines into it.
 */
export function loadEnvFile(
  file: string,
  known: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): string[] {
  const text = readIfThere(file)
  const values = parseEnv(text)
  requireWhole(text, file)
  requireClosed(text, file, known)
  const foreign = Object.keys(values).filter((name) => !known.includes(name) && !OF_OTHERS.test(name))
  const slips = Object.keys(environment).filter((name) => !known.includes(name) && nearest(name, known, 2))
  for (const [name, value] of Object.entries(values)) environment[name] ??= value
  return [
    ...foreign.map((name) => `${name} in ${file} is not a setting of Milepost${suggestion(name, known)}`),
    ...slips.map((name) => `The variable ${name} is not a setting of Milepost${suggestion(name, known)}`),
    ...known
      .filter((name) => !(name in values) && new RegExp(`^[^\\S\\n]*${name}(?![\\w.=]|-=)`, 'm').test(text))
      .map((name) => `The line of ${name} in ${file} has no = behind the name, so it has no effect.`),
    ...repeated(text).map((name) => `${name} is more than once in ${file}: the last one counts.`),
  ]
}

function readIfThere(file: string): string {
  try {
    // Editors on Windows begin a file with a byte order mark, which would become part of the first name.
    const bytes = readFileSync(file)
    // Notepad's «Unicode» and PowerShell's `>` write UTF-16.
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    if (text.includes('\0')) throw new TypeError('The file has NUL characters.')
    return text
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ''
    if (error instanceof TypeError)
      throw new CannotStart(`The settings file ${file} is not in UTF-8: save it in this encoding.`, {
        cause: error,
      })
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

const QUOTED = /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=[^\S\n]*(["'`])/gm

/** Node.js ends a quoted value at the next mark of its kind, also on another line, and drops what follows it on that line. */
function requireClosed(text: string, file: string, known: readonly string[]) {
  for (const { index, 0: begun, 1: name = '', 2: mark = '' } of text.matchAll(QUOTED)) {
    const [value = '', ...rest] = text.slice(index + begun.length).split(mark)
    const [line = ''] = (rest[0] === undefined ? '' : rest.join(mark)).split('\n', 1)
    const isCut = known.includes(name) && (rest.length === 0 || !/^\s*$|^\s+#/.test(line))
    const takesLines = rest.length > 0 && assigned(value).some((other) => known.includes(other))
    if (isCut || takesLines)
      throw new CannotStart(
        `The value of ${name} in ${file} does not end with its first ${mark}: put it between quotation marks of a kind that is not in it (" ' or \`), with nothing but a comment behind.`,
      )
  }
}

const ASSIGNED = /^[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)[^\S\n]*=/gm

/** Returns the names to which the lines of a text assign values. */
const assigned = (text: string) => [...text.matchAll(ASSIGNED)].map(([, name = '']) => name)

/** Returns the names that a text assigns more than once, with different values or not. */
const repeated = (text: string) => {
  const names = assigned(text)
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))]
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
