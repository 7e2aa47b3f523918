import { NO_PICTURE } from '#server/import/elsewhere/addresses.ts'
import { type Happened, type Item, Refused } from '#server/import/items.ts'
import { createAttachments } from './attachments.ts'
import { type Converting, entriesOf, refOf } from './documents.ts'
import { relink } from './links.ts'
import { descriptionOf, titleOf } from './texts.ts'

/** A text of a blog or a journal, as its converter reads it. */
export type Post = {
  /** The id at the source. */
  key: string
  /** How reports name it. */
  path: string
  title: string
  /** Returns the Markdown, with links and pictures as they are at the source. */
  text: () => string
  /** The title of its milestone; its year, if absent. */
  milestone?: string
  happened: Happened
  tags?: string[]
  isDraft?: boolean
  author?: string
  createdAt?: string | undefined
  updatedAt?: string | undefined
  /** The address of its cover. */
  cover?: string | undefined
  /** The addresses by which other texts lead to it. */
  addresses?: string[]
  /** The addresses of files that come after the text, unless it shows them. */
  attached?: string[]
}

export type Journal = { key: string; title: string; description?: string; posts: Post[] }

type Options = {
  /** Returns the path in the archive to which an address leads; undefined if it can be none. */
  fileOf: (address: string) => string | undefined
}

/** Makes a project of each journal: a milestone for each year, unless posts name theirs, and an entry for each post, oldest first. */
export async function* convertJournals(
  converting: Converting,
  journals: Journal[],
  { fileOf }: Options,
): AsyncGenerator<Item> {
  const { archive, files } = converting
  if (journals.every(({ posts }) => posts.length === 0)) throw new Refused('No text is in this archive.')
  const isRead = new Set(files)
  const finders: ReturnType<typeof createAttachments>[] = []
  const addresses = addressesOf(journals)
  for (const journal of journals) {
    const attachments = createAttachments(converting, projectRef(journal), files)
    finders.push(attachments)
    yield* convertJournal(converting, journal, { attachments, addresses, fileOf })
  }
  for (const [at, item] of archive.items.entries())
    if (!isRead.has(item) && !finders.some(({ isUsed }) => isUsed(at)))
      converting.problems.add('no text shows it', item.path)
}

type Context = {
  attachments: ReturnType<typeof createAttachments>
  addresses: ReadonlyMap<string, string>
  fileOf: (address: string) => string | undefined
}

const projectRef = ({ key }: Journal) => refOf('project', key)
const milestoneOf = ({ milestone, happened }: Post) => milestone ?? happened.on.slice(0, 4)
const milestoneRef = (journal: Journal, post: Post) => refOf('milestone', journal.key, milestoneOf(post))

async function* convertJournal(
  { problems }: Converting,
  journal: Journal,
  { attachments, addresses, fileOf }: Context,
): AsyncGenerator<Item> {
  const project = projectRef(journal)
  const title = titleOf(journal.title, 'Imported')
  const description = descriptionOf(journal.description ?? '', title)
  yield { kind: 'project', key: `project:${journal.key}`, ref: project, title, description }
  const begun = new Set<string>()
  for (const post of journal.posts.toSorted(byMilestone)) {
    const { text, attached = [], cover, addresses: _own, milestone: _named, ...document } = post
    const fileAt = (address: string) => {
      const path = fileOf(address)
      return path === undefined ? undefined : attachments.ending(path)
    }
    const missing = new Set<string>()
    const content = withFiles(
      relink(text(), {
        resolve: (target) => target,
        file: fileAt,
        entry: (address) => addresses.get(addressKey(address)),
        missing: (target) => missing.add(whyMissing(target)),
      }),
      attached.flatMap((address) => fileAt(address) ?? (missing.add(whyMissing(address)), [])),
    )
    const chosen = cover === undefined ? undefined : fileAt(cover)
    if (cover !== undefined && !chosen) missing.add(whyMissing(cover))
    for (const reason of missing) problems.add(reason, post.path)
    const isElsewhere = !chosen && /^https?:\/\//i.test(cover ?? '')
    const milestone = milestoneRef(journal, post)
    const entries = [
      ...entriesOf(
        {
          ...document,
          ref: refOf('entry', journal.key, post.key),
          content,
          milestone,
          createdAt: post.createdAt ?? post.happened.at,
          updatedAt: post.updatedAt ?? post.createdAt ?? post.happened.at,
          ...(chosen?.isPicture && { cover: chosen.ref }),
          ...(isElsewhere && cover !== undefined && { coverAddress: cover }),
        },
        problems,
      ),
    ]
    if (entries.length > 0 && !begun.has(milestone)) {
      begun.add(milestone)
      const name = titleOf(milestoneOf(post), 'Entries')
      const key = `milestone:${journal.key}:${name}`
      yield { kind: 'milestone', key, ref: milestone, project, title: name, description: name }
    }
    yield* attachments.added()
    yield* entries
  }
}

/** Why a picture does not come, unless the person has it copied. */
export const STAYS = 'a picture of it stays on the website where it is'

function whyMissing(target: string): string {
  if (!/^(?:https?:)?\/\//i.test(target)) return 'the archive does not have a file that it shows'
  return NO_PICTURE.test(target) ? 'a file of it stays on the website where it is' : STAYS
}

/** Milestones with a name of their own come after the years. */
function byMilestone(a: Post, b: Post): number {
  if ((a.milestone === undefined) !== (b.milestone === undefined)) return a.milestone === undefined ? -1 : 1
  return (
    compare(a.milestone ?? '', b.milestone ?? '') ||
    compare(a.happened.on, b.happened.on) ||
    compare(a.happened.at, b.happened.at)
  )
}
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function addressesOf(journals: Journal[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const journal of journals)
    for (const post of journal.posts) {
      const entry = refOf('entry', journal.key, post.key)
      const address = `/projects/${projectRef(journal)}/milestones/${milestoneRef(journal, post)}/entries/${entry}`
      for (const own of post.addresses ?? []) found.set(addressKey(own), address)
    }
  return found
}

/** An address as it is compared. */
const addressKey = (address: string) =>
  address
    .trim()
    .replace(/#.*$/, '')
    .replace(/^https?:\/\/(?:www\.)?/i, '')
    .replace(/\/$/, '')
    .toLowerCase()

type Shown = { ref: string; name: string; isPicture: boolean }

function withFiles(content: string, files: Shown[]): string {
  const added = files.filter(
    ({ ref }, at) => !content.includes(ref) && files.findIndex((one) => one.ref === ref) === at,
  )
  const lines = added.map(({ ref, name, isPicture }) =>
    isPicture ? `![](/files/${ref})` : `[${name.replaceAll(/[[\]\\]/g, '\\$&')}](/files/${ref})`,
  )
  return [content.trimEnd(), lines.join('\n')].filter((part) => part.trim() !== '').join('\n\n')
}

/** Returns the first heading or line of a text as its title, and the text without a heading that says the same. */
export function titleOfText(text: string): { title: string; text: string } {
  const heading = /^\s*#{1,6} +(.+?)[ \t]*#*[ \t]*(?:\n|$)/.exec(text)
  if (heading?.[1] !== undefined && text.slice(heading[0].length).trim() !== '')
    return { title: plain(heading[1]), text: text.slice(heading[0].length).replace(/^\s*\n/, '') }
  const line = text.split('\n').find((one) => plain(one) !== '')
  return { title: plain(line ?? ''), text }
}

/** A line without the marks of Markdown. */
const plain = (line: string) =>
  line
    .slice(0, 1_000)
    .replaceAll(/!\[[^\]]*\]\([^)]*\)/g, '')
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/^[\s#>*+-]+(?:\[[ x]\] )?|[*_`~]{1,3}/g, '')
    .trim()
