import { refOf } from '#server/import/converting/documents.ts'
import { picturesElsewhere, withCopies } from '#server/import/elsewhere/addresses.ts'
import type { EntryItem } from '#server/import/items.ts'
import { storeFile } from './files.ts'
import type { Progress } from './progress.ts'

/** Returns an entry that shows copies of the pictures that it has on websites, if its person wants these. Those that cannot be copied stay. */
export async function copyPictures(
  progress: Progress,
  item: EntryItem,
  projectId: string,
): Promise<EntryItem> {
  if (progress.choices.pictures !== 'copied') return item
  const copies = new Map<string, string>()
  for (const address of picturesElsewhere(item.content)) {
    const ref = await copyOf(progress, { address, item, projectId })
    if (ref !== undefined) copies.set(address, `/files/${progress.targets.idOf(ref)}`)
  }
  const content = withCopies(item.content, (address) => copies.get(address))
  const cover =
    item.coverAddress === undefined
      ? undefined
      : await copyOf(progress, { address: item.coverAddress, item, projectId })
  return { ...item, content, ...(cover !== undefined && { cover }) }
}

type Picture = { address: string; item: EntryItem; projectId: string }

/** Stores a copy of a picture, once in each project; returns its ref, or undefined if that is not possible. */
async function copyOf(
  progress: Progress,
  { address, item, projectId }: Picture,
): Promise<string | undefined> {
  const { targets } = progress
  const ref = refOf('copy', projectId, address)
  // Nothing would show a copy of what was created without it.
  if (targets.isMade(item.ref) && !targets.isMade(ref)) return undefined
  progress.files.set(ref, {
    kind: 'file',
    key: `file:${address}`,
    ref,
    project: projectId,
    at: -1,
    address,
    path: `${item.path}: ${address}`,
    name: '',
    size: 0,
  })
  return (await storeFile(progress, ref, projectId)) ? ref : undefined
}
