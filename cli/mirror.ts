import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { openPromise } from 'yauzl'
import { refused } from './failure.ts'

/** The folders of a mirror; whatever else is in the repository is left alone. */
const ROOT_NAMES = ['projects', 'shared', 'drafts']
const ROOTS = new RegExp(`^(?:${ROOT_NAMES.join('|')})/`)

type Changed = { file: string; at: Date }

/**
 * Makes a git repository equal to an archive of Markdown, with one commit for each text that has changed since the last time, at the
 * time of its change. Returns the number of commits. `say` is told of the progress.
 */
export async function mirrorArchive(
  archive: string,
  folder: string,
  say: (line: string) => void = () => {},
): Promise<number> {
  const git = await openRepository(folder)
  const known = new Set((await git('ls-files', '-z')).split('\0').filter((file) => ROOTS.test(file)))
  const others = new Map([...known].map((file) => [file.toLowerCase(), file]))
  const { times, renamed } = await unpack(archive, folder, others)
  for (let at = 0; at < renamed.length; at += NAMES_MAX)
    await git('--literal-pathspecs', 'rm', '--cached', '--quiet', '--', ...renamed.slice(at, at + NAMES_MAX))
  const changed = (await git('ls-files', '-z', '--modified', '--others', '--', ...rootsOf(times)))
    .split('\0')
    .flatMap((file): Changed[] => {
      const at = times.get(file)
      return at ? [{ file, at }] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.file < b.file ? -1 : 1))
  let commits = await commitEach(git, folder, { changed, renamed, known, say })
  const gone = [...known].filter((file) => !times.has(file) && !renamed.includes(file))
  for (const file of gone) await rm(path.join(folder, file), { force: true })
  if (gone.length > 0) {
    await add(git, gone)
    await git(
      'commit',
      '--quiet',
      '-m',
      gone.length === 1 ? `Remove ${gone[0]}` : `Remove ${gone.length} files`,
    )
    commits += 1
  }
  if (commits > 0) await git('gc', '--auto', '--quiet')
  return commits
}

/** How many commits are made between two lines of progress. */
const TOLD_EACH = 1_000

/** Where commits are until all of them are made. */
const PENDING = 'refs/milepost/mirror'

type Committing = {
  changed: readonly Changed[]
  renamed: readonly string[]
  known: ReadonlySet<string>
  say: (line: string) => void
}

/**
 * Commits each changed text, at its time and by its author, with the pictures before it, and returns the number of commits. All are one
 * process of git: `git commit` would look at every file for each of thousands of texts.
 */
async function commitEach(
  git: Git,
  folder: string,
  { changed, renamed, known, say }: Committing,
): Promise<number> {
  if (changed.length === 0) return 0
  await add(
    git,
    changed.map(({ file }) => file),
  )
  // Git has stored what it takes from a file by its attributes, such as with other line ends.
  const stored = new Map(
    (await git('ls-files', '-z', '--stage')).split('\0').map((line) => {
      const tab = line.indexOf('\t')
      return [line.slice(tab + 1), line.slice(0, tab).split(' ').slice(0, 2).join(' ')]
    }),
  )
  const own = identityIn(await git('var', 'GIT_AUTHOR_IDENT'))
  const committer = (await git('var', 'GIT_COMMITTER_IDENT')).trim()
  const head = await headOf(git)
  let commits = 0
  async function* lines() {
    let waiting: Changed[] = []
    for (const [index, change] of changed.entries()) {
      waiting.push(change)
      // Pictures go with the text that shows them, which is saved after they were sent.
      if (!change.file.endsWith('.md') && index < changed.length - 1) continue
      const { file, at } = change
      const { title = file, author } = factsOf(
        file.endsWith('.md') ? await readFile(path.join(folder, file), 'utf8') : '',
      )
      const message = `${known.has(file) ? 'Change' : 'Add'} “${title}”\n`
      const by = author === undefined || author === own.name ? own.written : `${author} <>`
      yield `commit ${PENDING}\nauthor ${by} ${Math.trunc(at.getTime() / 1_000)} +0000\ncommitter ${committer}\n`
      yield `data ${Buffer.byteLength(message)}\n${message}${commits === 0 && head !== '' ? `from ${head}\n` : ''}`
      if (commits === 0) yield renamed.map((one) => `D ${quoted(one)}\n`).join('')
      yield waiting.map((one) => `M ${stored.get(one.file)} ${quoted(one.file)}\n`).join('')
      commits += 1
      if (commits % TOLD_EACH === 0) say(`${commits.toLocaleString('en')} commits`)
      waiting = []
    }
  }
  await importCommits(folder, lines())
  // Fails if somebody has committed meanwhile.
  await git('update-ref', 'HEAD', PENDING, head)
  await git('update-ref', '-d', PENDING)
  return commits
}

/** Returns the commit that is checked out; empty before the first. */
const headOf = async (git: Git) =>
  (await git('rev-parse', '--verify', '--quiet', 'HEAD').catch(() => '')).trim()

/** Quotes a path for git. */
const quoted = (file: string) =>
  `"${file.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`

/** Returns the name and the address of who commits, without the time. */
function identityIn(ident: string): { name: string; written: string } {
  const written = ident.slice(0, ident.lastIndexOf('>') + 1)
  return { name: written.slice(0, written.lastIndexOf('<')).trim(), written }
}

async function importCommits(folder: string, lines: AsyncIterable<string>): Promise<void> {
  const child = spawn('git', ['-C', folder, ...SETTINGS, 'fast-import', '--quiet', '--force'], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const [stderr, [code], written] = await Promise.all([
    text(child.stderr),
    once(child, 'close'),
    pipeline(lines, child.stdin).catch((error: unknown) => ({ error })),
  ])
  // It says why it stopped, which the writing knows only as a pipe that was closed.
  if (code !== 0) throw refused(`git fast-import failed: ${stderr.trim()}`)
  if (written) throw written.error
}

type Git = (...args: string[]) => Promise<string>

/** What holds for every command, whatever the person's git is set to: also its hooks and signatures are for their own commits. */
const SETTINGS = [
  'core.quotePath=false',
  'core.autocrlf=false',
  'core.hooksPath=/dev/null',
  'commit.gpgSign=false',
  // It would look for work of its own after each commit.
  'maintenance.auto=false',
].flatMap((setting) => ['-c', setting])

/** How many names git gets at a time: a command line has a limit. */
const NAMES_MAX = 500

/** Adds files as they are called, also those that the person's git ignores elsewhere, or their removal. */
async function add(git: Git, files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += NAMES_MAX)
    await git('--literal-pathspecs', 'add', '--all', '--force', '--', ...files.slice(at, at + NAMES_MAX))
}

/** Returns a function that runs git in a folder, which becomes a repository if it is none. */
async function openRepository(folder: string): Promise<Git> {
  await mkdir(folder, { recursive: true })
  const git: Git = async (...args) => {
    try {
      return (await run('git', ['-C', folder, ...SETTINGS, ...args], { maxBuffer: 500_000_000 })).stdout
    } catch (error) {
      const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
      if (code === 'ENOENT') throw refused('git is not installed, and a mirror is a git repository.')
      throw refused(`git ${args[0]} failed: ${stderr.trim() || String(error)}`)
    }
  }
  const top = await git('rev-parse', '--show-toplevel').catch(() => '')
  const isOwn = top !== '' && (await git('rev-parse', '--show-prefix')).trim() === ''
  if (!isOwn) await git('init', '--quiet')
  await git('var', 'GIT_AUTHOR_IDENT')
  // A first mirror that was stopped has staged its files, which are to be found again.
  if ((await headOf(git)) === '')
    await git('rm', '-r', '--cached', '--force', '--quiet', '--ignore-unmatch', '--', ...ROOT_NAMES)
  if ((await git('status', '--porcelain', '--untracked-files=no')).trim() !== '')
    throw refused(`${folder} has changes that are not committed. Commit or undo them first.`)
  return git
}

const run = promisify(execFile)

type Unpacked = { times: Map<string, Date>; renamed: string[] }

/**
 * Writes the files of an archive into a folder, and returns when each was changed. `others`: the files that are there, by their names without case.
 * One whose name is now another in its case alone is removed first, and returned: some systems would write the new one under the old name.
 */
async function unpack(
  archive: string,
  folder: string,
  others: ReadonlyMap<string, string>,
): Promise<Unpacked> {
  const times = new Map<string, Date>()
  const renamed: string[] = []
  const zip = await openPromise(archive)
  for await (const entry of zip.eachEntry()) {
    const file = entry.fileName
    if (!ROOTS.test(file) || file.split('/').some(isForeign))
      throw refused(`The server sent a file that is not of a mirror: ${file}`)
    const to = path.join(folder, file)
    const other = others.get(file.toLowerCase())
    if (other !== undefined && other !== file) {
      await rm(path.join(folder, other), { force: true })
      renamed.push(other)
    }
    await mkdir(path.dirname(to), { recursive: true })
    await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(to))
    times.set(file, entry.getLastModDate())
  }
  return { times, renamed }
}

/** Whether some system takes a part of a path for none, another folder or git's own: they ignore invisible characters, dots and spaces. */
const isForeign = (part: string) => /^(?:[. ]*|\.git[. ]*|git~\d+)$/i.test(part.replaceAll(/\p{Cf}/gu, ''))

const rootsOf = (times: ReadonlyMap<string, Date>) => [
  ...new Set([...times.keys()].map((file) => file.slice(0, file.indexOf('/')))),
]

/** Returns what the front matter says, whose values are JSON. */
function factsOf(text: string): { title?: string; author?: string } {
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  const valueOf = (name: string): string | undefined => {
    const json = new RegExp(`^${name}: (".*")$`, 'm').exec(matter)?.[1]
    const value: unknown = json === undefined ? undefined : JSON.parse(json)
    return typeof value === 'string' ? value.replaceAll(/[<>\p{Cc}]/gu, ' ').trim() : undefined
  }
  const [title, author] = [valueOf('title'), valueOf('author')]
  return { ...(title && { title }), ...(author && { author }) }
}
