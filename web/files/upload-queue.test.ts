import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { ApiError } from '#web/api/api-error.ts'
import { type SendOptions, type Transport, UploadQueue } from './upload-queue.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

const picture = (name: string, bytes = name) => new File([bytes], name, { type: 'image/jpeg' })

const fileOf = (id: string, name: string): ProjectFile => {
  return { _id: id, url: `/files/${id}`, name, kind: 'image', type: 'image/jpeg', size: 1, state: 'waiting' }
}

const refusal = (status: number, message: string) =>
  new ApiError(status, status === 413 ? 'too_large' : 'unsupported_media', message)

const unreachable = new ApiError(0, 'unreachable', 'The server cannot be reached.')

/** A server whose answers to each upload the test gives. */
class FakeServer implements Transport {
  reserved = 0
  removed: string[] = []
  sending = new Map<string, { options: SendOptions; end: (outcome?: Error) => void; text: Promise<string> }>()
  arrived: string[] = []
  refuses: (file: File) => Error | undefined = () => undefined

  reserve = async (_projectId: string, files: readonly File[]) => {
    const refused = files.map((file) => this.refuses(file)).find((error) => error !== undefined)
    if (refused) throw refused
    return files.map(({ name }) => {
      this.reserved += 1
      return fileOf(`file-${this.reserved}`, name)
    })
  }

  send = (id: string, bytes: Blob, options: SendOptions) =>
    new Promise<ProjectFile>((resolve, reject) => {
      const end = (outcome?: Error) => {
        this.sending.delete(id)
        if (outcome) return reject(outcome)
        this.arrived.push(id)
        resolve({ ...fileOf(id, 'arrived'), state: 'ready' })
      }
      this.sending.set(id, { options, end, text: bytes.text() })
      options.signal.addEventListener('abort', () => end(new DOMException('aborted', 'AbortError')))
    })

  remove = async (id: string) => void this.removed.push(id)

  async finish(id: string, outcome?: Error) {
    await vi.waitUntil(() => this.sending.has(id))
    this.sending.get(id)?.end(outcome)
  }
}

let server: FakeServer
let store: UploadStore
const open: UploadQueue[] = []

const free = () => Promise.resolve()

function page(userId = 'ada', claim: (id: string, signal: AbortSignal) => Promise<void> = free): UploadQueue {
  const queue = new UploadQueue({ userId, transport: server, store, claim })
  open.push(queue)
  return queue
}

const idsIn = async () => (await store.list()).map(({ id }) => id)

/** Waits until what was added is stored in the browser. */
const stored = (...ids: string[]) => vi.waitFor(async () => expect(await idsIn()).toEqual(ids))

/** Waits until these are being sent, in any order. */
const expectSending = (...ids: string[]) =>
  vi.waitFor(() => expect([...server.sending.keys()].sort()).toEqual(ids))

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: false })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  server = new FakeServer()
  store = createUploadStore()
  await store.clear()
})
afterEach(() => {
  for (const queue of open.splice(0)) queue.stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('files are sent two at a time, in their order, until all have arrived', async () => {
  const queue = page()
  const { added } = await queue.add(
    'p',
    ['a', 'b', 'c', 'd'].map((name) => picture(name)),
  )
  expect(added.map(({ id }) => id)).toEqual(['file-1', 'file-2', 'file-3', 'file-4'])
  await expectSending('file-1', 'file-2')
  expect(queue.readActivity()).toEqual({ total: 4, done: 0, refused: 0 })
  await server.finish('file-2')
  await expectSending('file-1', 'file-3')
  for (const id of ['file-1', 'file-3', 'file-4']) await server.finish(id)
  await vi.waitFor(() => expect(queue.readActivity()).toEqual({ total: 4, done: 4, refused: 0 }))
  expect(queue.find('file-4')?.file?.state).toBe('ready')
  await stored()
})

test('the share that was sent is told', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await expectSending('file-1')
  server.sending.get('file-1')?.options.onProgress(0.4)
  expect(queue.find('file-1')).toMatchObject({ status: 'sending', sent: 0.4 })
})

test('the page after a reload sends what had not arrived, and nothing twice', async () => {
  const queue = page()
  await queue.add(
    'p',
    ['a', 'b', 'c'].map((name) => picture(name, `bytes of ${name}`)),
  )
  await server.finish('file-1')
  await stored('file-2', 'file-3')
  queue.stop()
  await expectSending()

  const next = page()
  await next.resume()
  await expectSending('file-2', 'file-3')
  expect(await server.sending.get('file-3')?.text).toBe('bytes of c')
  await server.finish('file-2')
  await server.finish('file-3')
  await stored()
  expect(server.arrived).toEqual(['file-1', 'file-2', 'file-3'])
})

test('a tab waits for another that sends the same file, and forgets it once it has arrived', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await stored('file-1')
  let release = () => {}
  const other = page('ada', () => new Promise((resolve) => (release = resolve)))
  await other.resume()
  await expectSending('file-1')
  expect(other.find('file-1')?.status).toBe('waiting')
  await server.finish('file-1')
  await stored()
  release()
  await vi.waitFor(() => expect(other.find('file-1')).toBeUndefined())
  expect(server.arrived).toEqual(['file-1'])
})

test('another account gets nothing of it, and what is left is removed', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await stored('file-1')
  queue.stop()
  await expectSending()
  const other = page('grace')
  await other.resume()
  expect(other.find('file-1')).toBeUndefined()
  await stored()
})

test('signing out removes what was not sent, and says how much that was', async () => {
  const queue = page()
  await queue.add('p', [picture('a'), picture('b')])
  await stored('file-1', 'file-2')
  await server.finish('file-1')
  await stored('file-2')
  expect(await queue.clear()).toBe(1)
  await stored()
})

test('a failed attempt is repeated after growing delays, and at once when the network is back', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  const fail = async () => {
    server.sending.get('file-1')?.end(unreachable)
    await pass(0)
    expect(queue.find('file-1')?.status).toBe('retrying')
  }
  await pass(0)
  await fail()
  await pass(1_999)
  expect(server.sending.size).toBe(0)
  await pass(1)
  await fail()
  await pass(4_999)
  expect(server.sending.size).toBe(0)
  queue.retry()
  await server.finish('file-1')
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('done'))
})

test('what the server refuses is not repeated by itself, and its reason names the file', async () => {
  const queue = page()
  await queue.add('p', [picture('loaf.jpg')])
  await server.finish('file-1', refusal(415, 'This is not a picture'))
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('refused'))
  expect(queue.find('file-1')?.problem).toBe('“loaf.jpg”: This is not a picture')
  expect(queue.readActivity()).toEqual({ total: 1, done: 0, refused: 1 })
  await vi.advanceTimersByTimeAsync(600_000)
  queue.retry()
  expect(server.sending.size).toBe(0)
  queue.retry('file-1')
  await expectSending('file-1')
})

test('of many files only those are refused that are at fault', async () => {
  server.refuses = ({ name }) => (name === 'huge' ? refusal(413, '“huge” is too large') : undefined)
  const queue = page()
  const names = ['a', 'b', 'huge', 'c', 'd']
  const { added, refusals } = await queue.add(
    'p',
    names.map((name) => picture(name)),
  )
  expect(added.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(refusals).toEqual([{ name: 'huge', message: '“huge” is too large' }])
})

test('without a connection nothing is added, and nothing is lost silently', async () => {
  server.refuses = () => unreachable
  const queue = page()
  await expect(queue.add('p', [picture('a')])).rejects.toBe(unreachable)
  expect(queue.wouldLose).toBe(false)
})

test('closing the page would lose a file only until the browser has stored it', async () => {
  const put = Promise.withResolvers<boolean>()
  store = { ...store, put: () => put.promise }
  const queue = page()
  await queue.add('p', [picture('a')])
  expect(queue.wouldLose).toBe(true)
  put.resolve(true)
  await vi.waitFor(() => expect(queue.wouldLose).toBe(false))
})

test('closing the page would lose a file that the browser cannot store, until it has arrived', async () => {
  store = { ...store, put: async () => false }
  const queue = page()
  await queue.add('p', [picture('a')])
  await expectSending('file-1')
  expect(queue.wouldLose).toBe(true)
  await server.finish('file-1')
  await vi.waitFor(() => expect(queue.wouldLose).toBe(false))
})

test('a file that was taken out of the text is sent only when it is put back', async () => {
  const queue = page()
  await queue.add('p', [picture('a'), picture('b')])
  await expectSending('file-1', 'file-2')
  queue.want('file-1', false)
  await expectSending('file-2')
  expect(queue.readActivity()).toEqual({ total: 1, done: 0, refused: 0 })
  queue.want('file-1', true)
  await expectSending('file-1', 'file-2')
})

test('a discarded file is given up here and at the server', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await stored('file-1')
  queue.discard('file-1')
  await stored()
  expect(server.removed).toEqual(['file-1'])
  expect(queue.find('file-1')).toBeUndefined()
  expect(queue.readActivity()).toEqual({ total: 0, done: 0, refused: 0 })
})
