import { execFile } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { openPromise } from 'yauzl'
import { refused } from './failure.ts'

/** The folders of a mirror; whatever else is in the repository is left alone. */
const ROOTS = /^(?:projects|shared|drafts)\//

type Changed = { file: string; at: Date }

/**
 * Makes a git repository equal to an archive of Markdown, with one commit for each text that has changed since the last time, at the
 * time of its change. Returns the number of commits.
 */
export async function mirrorArchive(archive: string, folder: string): Promise<number> {
  const git = await openRepository(folder)
  const known = new Set((await git('ls-files', '-z')).split('\0').filter((file) => ROOTS.test(file)))
  const others = new Map([...known].map((file) => [file.toLowerCase(), file]))
  const { times, renamed } = await unpack(archive, folder, others)
  for (let at = 0; at < renamed.length; at += NAMES_MAX)
    await git('rm', '--cached', '--quiet', '--', ...renamed.slice(at, at + NAMES_MAX))
  const changed = (await git('ls-files', '-z', '--modified', '--others', '--', ...rootsOf(times)))
    .split('\0')
    .flatMap((file): Changed[] => {
      const at = times.get(file)
      return at ? [{ file, at }] : []
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime() || (a.file < b.file ? -1 : 1))
  const own = (await git('config', 'user.name').catch(() => '')).trim()
  let commits = 0
  let waiting: Changed[] = []
  for (const [index, change] of changed.entries()) {
    waiting.push(change)
    // Pictures go with the text that shows them, which is saved after they were sent.
    if (!change.file.endsWith('.md') && index < changed.length - 1) continue
    await add(
      git,
      waiting.map(({ file }) => file),
    )
    await commit(git, folder, { ...change, isNew: !known.has(change.file), own })
    commits += 1
    waiting = []
  }
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

type Git = (...args: string[]) => Promise<string>

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
      // It would look for work of its own after each of a thousand commits.
      const quiet = [
        '-c',
        'core.quotePath=false',
        '-c',
        'core.autocrlf=false',
        '-c',
        'maintenance.auto=false',
      ]
      return (await run('git', ['-C', folder, ...quiet, ...args], { maxBuffer: 500_000_000 })).stdout
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

/** Commits what was added, at the time and by the author of the text; `own`: the name of the person whose git it is. */
async function commit(
  git: Git,
  folder: string,
  { file, at, isNew, own }: Changed & { isNew: boolean; own: string },
): Promise<void> {
  const { title = file, author } = factsOf(
    file.endsWith('.md') ? await readFile(path.join(folder, file), 'utf8') : '',
  )
  const by = author !== undefined && author !== own ? [`--author=${author} <>`] : []
  const subject = `${isNew ? 'Add' : 'Change'} “${title}”`
  // Git takes a text for unchanged if its attributes say so, such as for line ends.
  await git('commit', '--quiet', '--allow-empty', `--date=${at.toISOString()}`, ...by, '-m', subject)
}

/** Returns what the front matter says, whose values are JSON. */
function factsOf(text: string): { title?: string; author?: string } {
  const [, matter = ''] = /^---\n([\s\S]*?)\n---\n/.exec(text) ?? []
  const valueOf = (name: string): string | undefined => {
    const json = new RegExp(`^${name}: (".*")$`, 'm').exec(matter)?.[1]
    const value: unknown = json === undefined ? undefined : JSON.parse(json)
    return typeof value === 'string' ? value.replaceAll(/[<>\n]/g, ' ').trim() : undefined
  }
  const [title, author] = [valueOf('title'), valueOf('author')]
  return { ...(title && { title }), ...(author && { author }) }
}
