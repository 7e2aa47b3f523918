import { createHash } from 'node:crypto'
import type { ExportScope } from '#contract/export.ts'
import { inSnapshot } from '#server/database/snapshot.ts'
import type { AppDeps } from '#server/deps.ts'
import type { Feature } from '#server/feature.ts'
import type { Add, Item } from '#server/files/archive/files.ts'
import { slugOf } from '#server/files/archive/names.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { notFound } from '#server/platform/api/errors.ts'
import { type Incremental, writeJson } from '#server/platform/api/json-stream.ts'
import { collectProjects } from './collect-projects.ts'
import { archiveName, type Exported, type Making, ZIP } from './making.ts'
import { listProjectsOf } from './store.ts'
import type { TemporaryFile } from './temporary-file.ts'
import type { ZipEntry } from './zip.ts'
import { fileEntry, textEntry } from './zip-entries.ts'

/** Increased with incompatible changes of `milepost.json`. */
const FORMAT = 1

type Asked = {
  scope: Exclude<ExportScope, { entry: string }>
  /** Whether `milepost.json` and checksums are beside the Markdown. */
  withRecords: boolean
  /** Whether the earlier versions of entries are in it. */
  withHistory: boolean
}

/** `json`: the content of `milepost.json`; `items`: the other files of the archive, one per line. */
type Parts = { json: TemporaryFile; items: TemporaryFile }

/**
 * Collects a project of which the caller is a member, or everything of the caller: their own projects, and what they wrote in those of
 * others.
 */
export async function makeArchive(making: Making<Caller>, asked: Asked): Promise<Exported> {
  const parts = { json: await making.openFile(), items: await making.openFile() }
  const title = await collect(making, asked, parts)
  const name = archiveName(title === undefined ? 'milepost' : slugOf(title), making.madeAt)
  return { name, type: ZIP, entries: entriesOf(making, asked, parts) }
}

/** Writes the data into the parts, from one snapshot of the database. Returns the title of the project, if it is of one. */
function collect(
  { deps, caller, features, madeAt }: Making<Caller>,
  { scope, withHistory }: Asked,
  parts: Parts,
): Promise<string | undefined> {
  return inSnapshot(deps.db, async (db) => {
    const reading = { ...deps, db }
    const add = (item: Item) => parts.items.write(`${JSON.stringify(item)}\n`)
    const isAccount = scope === 'account'
    const granted = caller.grant?.projectIds ?? null
    const projects = await listProjectsOf(db, caller.userId, isAccount ? granted : [scope.project])
    if (!isAccount && projects.length === 0) throw notFound('Project')
    const archive = {
      format: FORMAT,
      madeAt: madeAt.toISOString(),
      ...(isAccount && !caller.grant && (await collectAccount(reading, caller, { add, features }))),
      projects: collectProjects(reading, caller, {
        projects,
        add,
        // Of a single project there is what all of its members read, and nothing about them.
        features: isAccount ? features : [],
        isWhole: !isAccount,
        withHistory,
      }),
    }
    // Only the tests of this room check the shape of the file; the contract does not describe it.
    for await (const text of writeJson(archive as Incremental<object>)) await parts.json.write(text)
    return isAccount ? undefined : projects[0]?.title
  })
}

/** Collects the person's data outside of projects, which programs do not get. */
async function collectAccount(
  deps: AppDeps,
  caller: Caller,
  { add, features }: { add: Add; features: readonly Feature[] },
): Promise<object> {
  const collected = {}
  for (const { exportAccount } of features) Object.assign(collected, await exportAccount?.(deps, caller, add))
  return collected
}

const ABOUT = {
  account: `This is what Milepost stores of you.

- projects/ has your projects: a folder for each milestone, and in it a Markdown file for each entry. Their pictures and
  other files are in the folder "files" beside the milestones, and the texts lead to them.
- shared/ has what you wrote in projects of others.
- drafts/ has what you had begun to write and not saved.
- milepost.json has the same for programs, and the rest: your account, where you are signed in, members, activity.
- SHA256SUMS has the checksum of every file: \`sha256sum --check SHA256SUMS\` finds one that was damaged.
- missing-files.txt, if there is one, names the files that the server could not read.

What is in the trash is not in it.
`,
  project: `This is a project of Milepost.

- projects/ has a folder for each milestone, and in it a Markdown file for each entry. Their pictures and other files are
  in the folder "files" beside the milestones, and the texts lead to them.
- milepost.json has the same for another Milepost, which imports it.
- SHA256SUMS has the checksum of every file: \`sha256sum --check SHA256SUMS\` finds one that was damaged.
- missing-files.txt, if there is one, names the files that the server could not read.

Its members and activity, what is in the trash, and drafts of others are not in it.
`,
}

const HISTORY = {
  with: `
- history/ in the folder of a project has the earlier versions of its entries: a folder for each entry, and a text for each
  version, as it was written.
`,
  without: `
Earlier versions of entries are not in it.
`,
}

async function* entriesOf(
  { deps, madeAt }: Pick<Making, 'deps' | 'madeAt'>,
  { scope, withRecords, withHistory }: Asked,
  { json, items }: Parts,
): AsyncGenerator<ZipEntry> {
  const sums: string[] = []
  /** Yields a file, and notes its checksum once it was written. */
  async function* summed(entry: ZipEntry) {
    const hash = createHash('sha256')
    yield { ...entry, bytes: hashing(entry.bytes, hash) }
    sums.push(`${hash.digest('hex')}  ${entry.path}\n`)
  }
  if (withRecords) {
    const about = `${ABOUT[scope === 'account' ? scope : 'project']}${HISTORY[withHistory ? 'with' : 'without']}`
    yield* summed(textEntry('README.txt', about, madeAt))
    yield* summed({ ...(await json.read()), path: 'milepost.json', mtime: madeAt, isCompressed: false })
  }
  const missing: string[] = []
  for await (const line of items.lines()) {
    const item = JSON.parse(line) as Item
    const mtime = new Date(item.at)
    const entry =
      'text' in item
        ? textEntry(item.path, item.text, mtime)
        : await fileEntry(deps, { path: item.path, key: item.key, mtime })
    if (entry) yield* summed(entry)
    else missing.push(item.path)
  }
  if (missing.length > 0) yield textEntry('missing-files.txt', `${missing.join('\n')}\n`, madeAt)
  if (withRecords) yield textEntry('SHA256SUMS', sums.join(''), madeAt)
}

async function* hashing(bytes: AsyncIterable<Buffer>, hash: ReturnType<typeof createHash>) {
  for await (const chunk of bytes) {
    hash.update(chunk)
    yield chunk
  }
}
