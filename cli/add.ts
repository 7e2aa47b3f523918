import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import path from 'node:path'
import { TITLE_MAX } from '#contract/text.ts'
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
  isDraft: boolean
}

/**
 * Creates an entry. Its title defaults to the first line of the text. Pictures are uploaded, and shown below the text.
 */
export async function addEntry(client: Client, { text, images, tags, isDraft, ...meant }: NewEntry) {
  const typed = text.replaceAll('\r\n', '\n').trim()
  if (typed === '' && images.length === 0)
    throw misused('Say what happened: milepost add "soldered the board" -p radio')
  const files = await Promise.all(images.map(opened))
  const project = await findProject(client, meant.project)
  const milestone = await findMilestone(client, project, meant.milestone)
  const [first = '', ...rest] = typed.split('\n')
  const title = meant.title ?? (first.replace(/^#+ /, '').trim() || path.parse(images[0] ?? '').name)
  const below = meant.title === undefined && title.length <= TITLE_MAX ? rest.join('\n').trim() : typed
  const shown = await upload(client, project._id, files)
  const content = [below, ...shown].filter((part) => part !== '').join('\n\n') || typed
  const { title: _, ...entry } = await client.call(
    'createEntry',
    {
      milestoneId: milestone._id,
      title: title.length <= TITLE_MAX ? title : `${title.slice(0, TITLE_MAX - 1).toWellFormed()}…`,
      content,
      tags,
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

type Opened = { name: string; bytes: Blob }

/** Opens a file. Its bytes are read only when they are sent. */
async function opened(file: string): Promise<Opened> {
  try {
    return { name: path.basename(file), bytes: await openAsBlob(file) }
  } catch {
    throw refused(`“${file}” cannot be read.`)
  }
}

/** Uploads files, and returns the Markdown that shows each. */
async function upload(client: Client, projectId: string, files: Opened[]): Promise<string[]> {
  if (files.length === 0) return []
  const named = files.map(({ name, bytes }) => ({ name, size: bytes.size }))
  const reserved = await client.call('reserveFiles', { projectId, files: named })
  const shown: string[] = []
  for (const [index, { _id, url, name }] of reserved.entries()) {
    const response = await client.send(`/api/files/${_id}/content`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: files[index]?.bytes ?? null,
    })
    const { kind } = (await response.json()) as { kind: string }
    const caption = path.parse(name).name.replaceAll(/[[\]\\]/g, ' ')
    shown.push(`${kind === 'other' ? '' : '!'}[${caption}](${url})`)
  }
  return shown
}
