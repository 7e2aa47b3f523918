import { beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { edited } from '#web/composer/text/edits.ts'
import type { TextHandle } from '#web/composer/text/text-handle.ts'
import { fileReferences, referredIds } from '#web/files/file-references.ts'
import type { RejectedFile, Upload } from '#web/files/upload.ts'
import type { UploadQueue } from '#web/files/upload-queue.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { EntryFiles } from './entry-files.ts'
import { shownItems } from './surface/media-blocks.ts'

const limits = { picture: 1_000, video: 1_000, other: 1_000, perEntry: 3 }
const picture = (name: string, size = 1) => new File([new Uint8Array(size)], name, { type: 'image/jpeg' })
const idOf = (number: number) => `0199a0b0-0000-7000-8000-00000000000${number}`
const unreachable = new ApiError(0, 'unreachable', 'The server cannot be reached.')

let reserved: number
let fails: boolean
let rejected: RejectedFile[]
let wanted: Map<string, boolean>
let discarded: string[]
let content: string
let uploads: Map<string, Partial<Upload>>
let changed: () => void
let files: EntryFiles

/** A plain text field with the caret at its end. */
const text: TextHandle = {
  selected: () => ({ text: content, start: content.length, end: content.length }),
  apply: (edit) => {
    content = edited(content, edit)
  },
  insertAtCaret: () => {},
  focus: () => {},
  placeCaret: () => {},
}

const queue = {
  async add(_projectId: string, added: readonly File[]) {
    if (fails) throw unreachable
    const uploads = added.map(({ name, type }) => {
      reserved += 1
      return { id: idOf(reserved), name, type }
    })
    return { added: uploads, rejected }
  },
  want: (id: string, isWanted: boolean) => void wanted.set(id, isWanted),
  discard: (id: string) => void discarded.push(id),
  find: (id: string) => uploads.get(id),
  subscribe: (listener: () => void) => {
    changed = listener
    return () => {}
  },
} as unknown as UploadQueue

beforeEach(() => {
  reserved = 0
  fails = false
  rejected = []
  wanted = new Map()
  discarded = []
  uploads = new Map()
  content = 'It rose.'
  files = new EntryFiles({ projectId: 'p', queue, limits })
  vi.stubGlobal('document', { activeElement: null })
  vi.stubGlobal('HTMLElement', Object)
})

const itemOf = (number: number) => ({ id: idOf(number), index: 0, isShown: true, words: '', caption: '' })

test('a picture stands where it was added, above what was typed there meanwhile', async () => {
  let caret = 3
  const typing: TextHandle = {
    ...text,
    selected: () => ({ text: content, start: caret, end: caret }),
    apply: (edit) => {
      content = edited(content, edit)
      caret = edit.start
    },
  }
  content = 'One'
  const adding = files.take([picture('a.jpg')], typing)
  content = 'One and two'
  caret = content.length
  await adding
  expect(`${content.slice(0, caret)}|${content.slice(caret)}`).toBe(
    `One\n\n![](/files/${idOf(1)})\n\n and two|`,
  )
})

test('references to files are inserted at the caret, as one paragraph', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  expect(content).toBe(`It rose.\n\n![](/files/${idOf(1)})\n![](/files/${idOf(2)})\n\n`)
  expect(files.hasArrivals).toBe(false)
})

test('files that are too large are refused, and the others accepted', async () => {
  rejected = [{ name: 'c.jpg', message: '“c.jpg”: no room' }]
  await files.take([picture('a.jpg'), picture('b.jpg', 2_000)], text)
  expect(files.read().rejected.map(({ name }) => name)).toEqual(['b.jpg', 'c.jpg'])
  expect(fileReferences(content)).toHaveLength(1)
  files.dismissRejected()
  expect(files.read().rejected).toEqual([])
})

test('files beyond the limit are added when the person tries again', async () => {
  rejected = [{ name: 'c.jpg', message: '“c.jpg”: no room', file: picture('c.jpg') }]
  await files.take([picture('a.jpg')], text)
  rejected = []
  files.retryRefused()
  await vi.waitFor(() => expect(fileReferences(content)).toHaveLength(2))
  expect(files.read().rejected).toEqual([])
})

test('an entry has a limit of files, including those of its text', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  await files.take([picture('c.jpg'), picture('d.jpg')], text)
  expect(fileReferences(content)).toHaveLength(3)
  expect(files.read().rejected).toEqual([
    { name: 'd.jpg', message: '“d.jpg” was not added: an entry can have at most 3 files.' },
  ])
})

test('files whose reservation failed wait, and saving retries them', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  fails = true
  await files.take([picture('a.jpg')], text)
  expect(files.read().arrivals).toMatchObject([{ names: ['a.jpg'], error: unreachable }])
  expect(await files.arrivals.settled()).toBe(false)
  expect(content).toBe('It rose.')
  fails = false
  expect(await files.arrivals.settled()).toBe(true)
  expect(fileReferences(content)).toHaveLength(1)
})

test('files that wait when the session ends are named', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const said = vi.spyOn(toast, 'error').mockImplementation(() => {})
  fails = true
  await files.take([picture('a.jpg')], text)
  vi.stubGlobal('localStorage', { getItem: () => 'a token' })
  files.close()
  expect(said).not.toHaveBeenCalled()
  vi.stubGlobal('localStorage', { getItem: () => null })
  files.close()
  expect(said).toHaveBeenCalledWith('“a.jpg” could not be added before your session ended.')
})

test('waiting files can be discarded', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  fails = true
  await files.take([picture('a.jpg')], text)
  files.arrivals.end(files.read().arrivals[0]?.key ?? 0)
  expect(await files.arrivals.settled()).toBe(true)
})

test('a picture gets a description, and can be removed from the text', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  const [first, second] = shownItems(content)
  if (!first || !second) throw new Error('there are no pictures')
  files.describe(first, 'A loaf', 'Day 1')
  expect(content).toContain(`![A loaf](/files/${idOf(1)} "Day 1")\n![](/files/${idOf(2)})`)
  files.remove(second)
  expect(referredIds(content)).toEqual([idOf(1)])
})

test('only files that the text refers to are sent, and others are discarded in the end', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  const both = content
  files.remove(itemOf(2))
  files.keepTo(referredIds(content))
  expect(wanted.get(idOf(2))).toBe(false)
  files.keepTo(referredIds(both))
  expect(wanted.get(idOf(2))).toBe(true)
  files.end(content)
  expect(discarded).toEqual([idOf(2)])
})

test('a closed editor keeps the files that its text refers to', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  files.remove(itemOf(1))
  files.keepTo(referredIds(content))
  files.close()
  expect(discarded).toEqual([idOf(1)])
})

test('references to a file that the server refuses for good are removed, with the reason; a kept file stays in the text', async () => {
  await files.take([picture('a.jpg'), picture('b.jpg')], text)
  const problem = '“a.jpg” is too large: a picture may have at most 25 MB'
  uploads.set(idOf(1), { name: 'a.jpg', status: 'refused', problem, isKept: false })
  uploads.set(idOf(2), { name: 'b.jpg', status: 'refused', problem: 'A proxy', isKept: true })
  changed()
  expect(content).toBe(`It rose.\n\n![](/files/${idOf(2)})\n\n`)
  expect(discarded).toEqual([idOf(1)])
  expect(files.read().rejected).toEqual([{ name: 'a.jpg', message: problem }])
})

test('a picture that is chosen as the cover is uploaded without a reference in the text, and with it stays', async () => {
  const chosen: (string | null)[] = []
  const choose = (id: string | null) => void chosen.push(id)
  await files.takeCover(picture('a.jpg'), choose)
  await files.takeCover(picture('b.jpg'), choose)
  expect([content, chosen]).toEqual(['It rose.', [idOf(1), idOf(2)]])
  files.keepTo(referredIds(content), idOf(2))
  expect([...wanted]).toEqual([
    [idOf(1), false],
    [idOf(2), true],
  ])
  files.end(content, idOf(2))
  expect(discarded).toEqual([idOf(1)])
})

test('a cover without an id keeps a save waiting, and another choice replaces it', async () => {
  const chosen: (string | null)[] = []
  const choose = (id: string | null) => void chosen.push(id)
  fails = true
  await files.takeCover(picture('a.jpg'), choose)
  expect([files.read().arrivals.length, await files.arrivals.settled()]).toEqual([1, false])
  fails = false
  await files.takeCover(picture('b.jpg'), choose)
  expect([chosen, files.read().arrivals, await files.arrivals.settled()]).toEqual([[idOf(1)], [], true])
  fails = true
  await files.takeCover(picture('c.jpg'), choose)
  files.giveUpCover()
  expect(await files.arrivals.settled()).toBe(true)
})

test('a cover that the server refuses for good gives way to the saved one, and is named', async () => {
  const chosen: (string | null)[] = []
  await files.takeCover(picture('a.jpg'), (id) => void chosen.push(id))
  uploads.set(idOf(1), { name: 'a.jpg', status: 'refused', problem: '“a.jpg” cannot be read as a picture.' })
  changed()
  expect(chosen).toEqual([idOf(1), null])
  expect(files.read().rejected).toEqual([{ name: 'a.jpg', message: '“a.jpg” cannot be read as a picture.' }])
  expect(discarded).toEqual([idOf(1)])
})
