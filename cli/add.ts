import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { withEllipsis } from '#contract/parts/characters.ts'
import { chosenDay } from '#contract/parts/dates.ts'
import { TITLE_MAX } from '#contract/parts/text.ts'
import type { Client } from './client.ts'
import { misused, refused } from './failure.ts'
import { findMilestone, findProject } from './projects.ts'

export type NewEntry = {
  text: string
  title?: string | undefined
  project?: string | undefined
  milestone?: string | undefined
  images: string[]
  tags: string[]
  /** The day on which it happened, or `picture`: that on which the first picture with a date was taken. */
  date?: string | undefined
  isDraft: boolean
}

/**
 * Creates an entry. Its title defaults to the first line of the text. Pictures are uploaded, and shown below the text.
 */
export async function addEntry(client: Client, { text, images, tags, date, isDraft, ...meant }: NewEntry) {
  requireDate(date, images)
  const typed = text.replaceAll('\r\n', '\n').trim()
  if (typed === '' && images.length === 0)
    throw misused('Say what happened: milepost add "soldered the board" -p radio')
  const files = await Promise.all(images.map(opened))
  const project = await findProject(client, meant.project)
  const milestone = await findMilestone(client, project, meant.milestone)
  const [first = '', ...rest] = typed.split('\n')
  const title = meant.title ?? (first.replace(/^#+ /, '').trim() || path.parse(images[0] ?? '').name)
  const below = meant.title === undefined && title.length <= TITLE_MAX ? rest.join('\n').trim() : typed
  const { shown, takenOn } = await upload(client, project._id, files)
  if (date === PICTURE && takenOn === undefined)
    throw refused('None of the pictures says when it was taken. Give the day: --date 2026-03-04')
  const happenedOn = date === PICTURE ? takenOn : date
  const content = [below, ...shown].filter((part) => part !== '').join('\n\n') || typed
  const { title: _, ...entry } = await client.call(
    'createEntry',
    {
      milestoneId: milestone._id,
      title: withEllipsis(title, TITLE_MAX),
      content,
      tags,
      ...(happenedOn !== undefined && { happenedOn }),
      happenedZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      state: isDraft ? 'draft' : 'published',
    },
    { 'idempotency-key': randomUUID() },
  )
  return {
    ...entry,
    title,
    url: `${client.origin}/projects/${project._id}/milestones/${milestone._id}/entries/${entry._id}`,
  }
}

const PICTURE = 'picture'

function requireDate(date: string | undefined, images: string[]): void {
  if (date === undefined) return
  if (date === PICTURE) {
    if (images.length === 0) throw misused('Add the picture: milepost add -i photo.jpg --date picture')
  } else if (!chosenDay('--date').safeParse(date).success) {
    throw misused('Give the date as a day, as in --date 2026-03-04, or as “--date picture”.')
  }
}

type Uploaded = { shown: string[]; takenOn: string | undefined }

type Opened = { name: string; bytes: Blob }

/** Opens a file. Its bytes are read only when they are sent. */
async function opened(file: string): Promise<Opened> {
  const found = await stat(file).catch(() => undefined)
  if (found?.isDirectory()) throw refused(`“${file}” is a folder.`)
  if (found?.isFile() === false)
    throw refused(`“${file}” is no file of which the size is known: save it first, and name that file.`)
  if (found?.size === 0) throw refused(`“${file}” is empty.`)
  try {
    return { name: path.basename(file), bytes: await openAsBlob(file) }
  } catch {
    throw refused(`“${file}” cannot be read.`)
  }
}

/** Uploads files, and returns the Markdown that shows each, and the day on which the first picture with one was taken. */
async function upload(client: Client, projectId: string, files: Opened[]): Promise<Uploaded> {
  if (files.length === 0) return { shown: [], takenOn: undefined }
  const named = files.map(({ name, bytes }) => ({ name, size: bytes.size }))
  const reserved = await client.call('reserveFiles', { projectId, files: named })
  const shown: string[] = []
  let takenOn: string | undefined
  for (const [index, { _id, url, name }] of reserved.entries()) {
    const response = await client.send(`/api/files/${_id}/content`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: files[index]?.bytes ?? null,
    })
    const { kind, takenAt } = (await response.json()) as { kind: string; takenAt?: string }
    takenOn ??= takenAt?.slice(0, 'YYYY-MM-DD'.length)
    // The file name of a picture does not describe it.
    const words = kind === 'image' ? '' : path.parse(name).name.replaceAll(/[[\]\\]/g, ' ')
    shown.push(`${kind === 'other' ? '' : '!'}[${words}](${url})`)
  }
  return { shown, takenOn }
}
