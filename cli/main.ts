import { createWriteStream, rmSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { setGlobalProxyFromEnv } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { ReadStream } from 'node:tty'
import { parseArgs } from 'node:util'
import type { ImportRecord } from '#contract/imports.ts'
import { addEntry } from './add.ts'
import { callCommands, runCallCommand } from './call-commands.ts'
import { type Client, createClient } from './client.ts'
import {
  bareToken,
  credentialsFile,
  readCredentials,
  removeCredentials,
  saveCredentials,
  serverUrl,
} from './credentials.ts'
import { Failure, misused, refused } from './failure.ts'
import { helpOf, isHelpOption } from './help.ts'
import { linesOfImport, planArchive, settled } from './import-archive.ts'
import { mirrorArchive } from './mirror.ts'
import { findProject, listAllProjects } from './projects.ts'
import { linesOfSearch, remarksOf } from './search.ts'
import { ask, inLine, say, sayJson, warn } from './terminal.ts'

const { env, stdin, stdout } = process

const signedIn = async () => createClient(await readCredentials(env))

type Command = (args: string[]) => Promise<void>

const commands: { [name: string]: Command } = {
  login: async (args) => {
    const { positionals } = parseArgs({ args, allowPositionals: true, options: {} })
    const [given = env.MILEPOST_URL] = positionals
    if (!given) throw misused('Name the server: milepost login https://your-server')
    const url = serverUrl(given)
    const { protocol, hostname } = new URL(url)
    if (protocol === 'http:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname))
      warn('The token will be sent without encryption: use https where the server has it.')
    const token = bareToken(env.MILEPOST_TOKEN ?? (await askSecret('Access token: ')))
    if (token === '') throw misused('No access token was given.')
    const projects = await listAllProjects(createClient({ url, token }))
    const file = await saveCredentials(env, { url, token })
    say(`Signed in to ${url}, which shows ${projects.length} of your projects. The token is kept in ${file}`)
  },

  logout: async () => {
    await removeCredentials(env)
    say(`${credentialsFile(env)} is gone. The token itself is valid until you revoke it in the settings.`)
  },

  add: async (args) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        project: { type: 'string', short: 'p' },
        milestone: { type: 'string', short: 'm' },
        image: { type: 'string', short: 'i', multiple: true },
        tag: { type: 'string', short: 't', multiple: true },
        title: { type: 'string' },
        date: { type: 'string', short: 'd' },
        draft: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    })
    if (positionals.length > 1) throw misused('Put the text in quotes: milepost add "soldered the board"')
    const [given = ''] = positionals
    const entry = await addEntry(await signedIn(), {
      ...values,
      text: given === '-' ? await readAll(stdin) : given,
      images: values.image ?? [],
      tags: values.tag ?? [],
      isDraft: values.draft ?? false,
    })
    if (values.json) sayJson(entry)
    else say(`${inLine(entry.title)}\n${entry.url}`)
  },

  list: async (args) => {
    const options = { project: { type: 'string', short: 'p' }, json: { type: 'boolean' } } as const
    const { values } = parseArgs({ args, options })
    const client = await signedIn()
    if (values.project === undefined) return print(await listAllProjects(client), values.json)
    const { _id } = await findProject(client, values.project)
    const { entries } = await client.call('listProjectEntries', { projectId: _id })
    return print(entries, values.json)
  },

  search: async (args) => {
    const options = {
      json: { type: 'boolean' },
      kind: { type: 'string' },
      page: { type: 'string' },
      q: { type: 'string' },
    } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const { json, q, ...rest } = values
    const words = [...(q === undefined ? [] : [q]), ...positionals].join(' ').trim()
    if (words === '') throw misused('Say what to find: milepost search canoe')
    const client = await signedIn()
    const result = await client.call('search', { ...rest, q: words })
    if (json) return sayJson(result)
    for (const line of linesOfSearch(result, client.origin)) say(inLine(line))
    for (const remark of remarksOf(result)) warn(inLine(remark))
  },

  export: async (args) => {
    const options = {
      json: { type: 'boolean' },
      project: { type: 'string', short: 'p' },
      entry: { type: 'string' },
      format: { type: 'string' },
      base: { type: 'string' },
      search: { type: 'boolean' },
      history: { type: 'boolean' },
    } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const client = await signedIn()
    const response = await download(client, values)
    const named = /filename="([\w][\w.() -]*)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
    const file = positionals[0] ?? named ?? 'milepost.zip'
    if (file === '-' && stdout.isTTY)
      throw misused('An archive is no text for a terminal. Run: milepost export file.zip')
    if (file === '-') return pipeline(bodyOf(response), stdout, { end: false })
    await saveTo(file, response)
    if (values.json) sayJson({ file })
    else say(file)
  },

  mirror: async (args) => {
    const options = { json: { type: 'boolean' }, project: { type: 'string', short: 'p' } } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const [folder] = positionals
    if (folder === undefined || positionals.length > 1)
      throw misused('Name one folder: milepost mirror notes')
    const client = await signedIn()
    const temporary = await mkdtemp(path.join(tmpdir(), 'milepost-mirror-'))
    try {
      const archive = path.join(temporary, 'archive.zip')
      await saveTo(archive, await download(client, { ...values, format: 'md' }))
      const commits = await mirrorArchive(archive, folder, warn)
      if (values.json) sayJson({ folder, commits })
      else say(commits === 0 ? 'Nothing has changed.' : commits === 1 ? '1 commit' : `${commits} commits`)
    } finally {
      await rm(temporary, { recursive: true })
    }
  },

  import: async (args) => {
    const options = {
      json: { type: 'boolean' },
      yes: { type: 'boolean' },
      pictures: { type: 'boolean' },
      undo: { type: 'string' },
      cancel: { type: 'string' },
    } as const
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
    const client = await signedIn()
    const show = (one: ImportRecord) => {
      if (values.json) return sayJson(one)
      for (const line of linesOfImport(one)) say(inLine(line))
    }
    if (values.undo !== undefined)
      return show(await settled(client, await client.call('undoImport', { importId: values.undo })))
    if (values.cancel !== undefined) {
      await client.call('deleteImport', { importId: values.cancel })
      return say('The import is cancelled.')
    }
    const [file] = positionals
    if (file === undefined || positionals.length > 1)
      throw misused('Name one file: milepost import notes.zip')
    if (values.pictures && !values.yes)
      throw misused('Pictures are copied by an import, not by its plan: add --yes, or leave out --pictures.')
    const planned = await planArchive(client, file, warn)
    if (planned.state !== 'planned' || !values.yes) {
      show(planned)
      if (!values.json)
        say(
          `${client.origin}/import/${planned._id}\nRun it again with --yes to import this, or: milepost import --cancel ${planned._id}`,
        )
      return
    }
    show(
      await settled(
        client,
        await client.call('runImport', {
          importId: planned._id,
          ...(values.pictures && { pictures: 'copied' }),
        }),
      ),
    )
    if (!values.json) say(`${client.origin}/import/${planned._id}`)
  },
}

type Wanted = { [name in 'project' | 'entry' | 'format' | 'base']?: string | undefined } & {
  search?: boolean | undefined
  history?: boolean | undefined
}

/** Requests an export: of an entry, of a project, or of everything. */
async function download(client: Client, { project, entry, format, ...options }: Wanted): Promise<Response> {
  if (project !== undefined && entry !== undefined) throw misused('Name a project or an entry, not both.')
  const scope =
    entry !== undefined
      ? { entry }
      : project !== undefined
        ? { project: (await findProject(client, project))._id }
        : ('account' as const)
  const how = {
    ...(format !== undefined && { format }),
    ...(options.base !== undefined && { base: options.base }),
    ...(options.search && { search: true }),
    ...(options.history && { history: true }),
  }
  const { url } = await client.call('prepareExport', { scope, ...how })
  return client.send(url, {})
}

function bodyOf(response: Response): Readable {
  if (!response.body) throw refused('The server sent no archive.')
  return Readable.fromWeb(response.body as import('node:stream/web').ReadableStream)
}

/** Writes an archive to a new file. What was written is removed if it does not arrive whole, or is not wanted any more (Ctrl+C). */
async function saveTo(file: string, response: Response): Promise<void> {
  const stream = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  let isMade = false
  stream.once('open', () => {
    isMade = true
  })
  const interrupted = () => {
    if (isMade) rmSync(file, { force: true })
    process.exit(INTERRUPTED)
  }
  process.once('SIGINT', interrupted)
  try {
    await pipeline(bodyOf(response), stream)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw refused(`${file} is there already: name another file.`)
    if (isMade) await rm(file, { force: true })
    throw refused(`${file} could not be written whole: ${message}.`)
  } finally {
    process.off('SIGINT', interrupted)
  }
}

/** The exit code after Ctrl+C, as shells report it (SIGINT). */
const INTERRUPTED = 130

/** Prints a result as JSON, or one line per item: when, what, and its id. */
function print(result: unknown, asJson: boolean | undefined): void {
  if (asJson) sayJson(result)
  else for (const line of linesOf(result)) say(line)
}

function linesOf(result: unknown): string[] {
  if (Array.isArray(result)) return result.map(lineOf)
  if (typeof result !== 'object' || result === null) return []
  const list = Object.values(result).find((value): value is unknown[] => Array.isArray(value))
  return '_id' in result || !list ? [lineOf(result)] : list.map(lineOf)
}

function lineOf(thing: unknown): string {
  const fields = thing as Record<string, unknown>
  const words = ['happenedOn', 'role', 'kind', 'title', 'subject', '_id'].map((name) => fields[name])
  return words
    .filter((word) => typeof word === 'string')
    .map(inLine)
    .join('  ')
}

/** Sends requests through the proxies of the environment, as curl does, but those to this machine directly. */
function sendThroughProxies(): void {
  if (!Object.keys(env).some((name) => /^https?_proxy$/i.test(name))) return
  const direct = [env.no_proxy ?? env.NO_PROXY, 'localhost,127.0.0.1,::1'].filter(Boolean).join(',')
  setGlobalProxyFromEnv({ ...env, no_proxy: direct, NO_PROXY: direct })
}

async function readVersion(): Promise<string> {
  const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(manifest) as { version: string }).version
}

async function run([name = 'help', ...args]: string[]): Promise<void> {
  if (name === 'help' || isHelpOption(name)) return say(helpOf(args[0]))
  if (args.some(isHelpOption)) return say(helpOf(name))
  if (['version', '--version', '-v'].includes(name)) return say(await readVersion())
  const own = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (own) return own(args)
  const command = callCommands.find((one) => one.name === name)
  if (!command) throw misused(`There is no command “${name}”. Run: milepost help`)
  print(await runCallCommand(await signedIn(), command, args), args.includes('--json'))
}

sendThroughProxies()
try {
  await run(process.argv.slice(2))
} catch (error) {
  const { message, code, stack } = error as NodeJS.ErrnoException
  const isUsage = code?.startsWith('ERR_PARSE_ARGS') === true
  const isExpected = error instanceof Failure || isUsage
  // A title in a message must not begin a line of its own.
  warn(isExpected ? `milepost: ${inLine(message)}` : `milepost: ${stack ?? message}`)
  process.exitCode = error instanceof Failure ? error.exitCode : isUsage ? 2 : 1
}

type Input = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>

/** Reads all input as text: UTF-8, or UTF-16 as PowerShell writes it. Throws a Failure for another encoding, which would lose letters. */
async function readAll(input: Input): Promise<string> {
  const bytes = await buffer(input)
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    throw refused('The text is not in UTF-8. Convert it first, as in: iconv -f latin1 -t utf-8 notes.txt')
  }
}

/** Asks for a secret without echoing it or, without a terminal, reads all of stdin. */
async function askSecret(question: string, input: Input = process.stdin): Promise<string> {
  if (!input.isTTY || !input.setRawMode) return readAll(input)
  ask(question)
  input.setRawMode(true)
  let secret = ''
  try {
    for await (const chunk of input)
      for (const character of String(chunk)) {
        if (character === '\r' || character === '\n' || character === '\u0004') return secret
        if (character === '\u0003') throw refused('Nothing was kept.')
        secret = character === '\u007f' || character === '\b' ? secret.slice(0, -1) : secret + character
      }
    return secret
  } finally {
    input.setRawMode(false)
    warn('')
  }
}
