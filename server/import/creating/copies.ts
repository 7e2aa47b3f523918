import { CONTENT_MAX } from '#contract/entries.ts'
import { characters } from '#contract/parts/characters.ts'
import { refOf } from '#server/import/converting/documents.ts'
import { COPIES_MAX, withCopies } from '#server/import/elsewhere/addresses.ts'
import type { EntryItem } from '#server/import/items.ts'
import { filesIn, storeItem } from './files.ts'
import type { Progress } from './progress.ts'

/** Returns an entry that shows copies of the pictures that it has on websites, if its person wants these. Those that cannot be copied stay. */
export async function copyPictures(
  progress: Progress,
  item: EntryItem,
  projectId: string,
): Promise<EntryItem> {
  if (progress.choices.pictures !== 'copied') return item
  const copies = new Map<string, string>()
  for (const address of fittingPictures(progress, item)) {
    const ref = await copyOf(progress, { address, item, projectId })
    if (ref !== undefined) copies.set(address, pathOf(progress, ref))
  }
  const content = withCopies(item.content, (address) => copies.get(address))
  const cover =
    item.coverAddress === undefined
      ? undefined
      : await copyOf(progress, { address: item.coverAddress, item, projectId })
  return { ...item, content, ...(cover !== undefined && { cover }) }
}

const pathOf = ({ targets }: Progress, ref: string) => `/files/${targets.idOf(ref)}`
const nameOf = ({ path }: EntryItem, address: string) => `${path}: ${address}`

/** Returns the pictures of an entry on websites, except those for whose copies it has no room: their number and its text are limited. */
function fittingPictures(progress: Progress, item: EntryItem): string[] {
  const shown = new Map<string, number>()
  withCopies(item.content, (address) => {
    shown.set(address, (shown.get(address) ?? 0) + 1)
    return undefined
  })
  const { perEntry } = progress.deps.fileSettings.fileLimits
  let files = perEntry - filesIn(progress, item.content).length
  let length = CONTENT_MAX - characters(item.content)
  return [...shown].flatMap(([address, times]) => {
    const longer = times * Math.max(0, pathOf(progress, item.ref).length - address.length)
    if (times > files || longer > length) {
      const reason = `its entry has no room for more than ${perEntry} files, or for a longer text, and still links to it`
      progress.problems.add(reason, nameOf(item, address))
      return []
    }
    files -= times
    length -= longer
    return address
  })
}

type Picture = { address: string; item: EntryItem; projectId: string }

/** Stores a copy of a picture, once in each project; returns its ref, or undefined if that is not possible. */
async function copyOf(
  progress: Progress,
  { address, item, projectId }: Picture,
): Promise<string | undefined> {
  const { targets, problems, copies, made } = progress
  const ref = refOf('copy', projectId, address)
  const path = nameOf(item, address)
  // Nothing would show a copy of what was created without it.
  if (targets.isMade(item.ref) && !targets.isMade(ref)) {
    problems.add('it could not be copied, and the text still links to it', path)
    return undefined
  }
  if (!copies.has(ref) && copies.size >= COPIES_MAX) {
    const most = COPIES_MAX.toLocaleString('en')
    problems.add(`an import copies at most ${most} pictures, and the text still links to it`, path)
    return undefined
  }
  copies.add(ref)
  await progress.advance(made.entries, progress.uploaded > 0)
  const key = `file:${address}`
  const file = {
    kind: 'file',
    key,
    ref,
    project: projectId,
    at: -1,
    address,
    path,
    name: '',
    size: 0,
  } as const
  if (!(await storeItem(progress, file, projectId))) return undefined
  if (progress.pictures.has(ref)) return ref
  problems.add('it is no picture that can be shown here, and the text still links to it', path)
  return undefined
}
