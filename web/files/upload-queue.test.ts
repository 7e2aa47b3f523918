import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ProjectFile } from '#contract/files.ts'
import { ApiError } from '#web/api/api-error.ts'
import type { SendOptions, Transport } from './upload.ts'
import { UploadQueue } from './upload-queue.ts'
import { createUploadStore, type UploadStore } from './upload-store.ts'

const picture = (name: string, bytes = name) => new File([bytes], name, { type: 'image/jpeg' })

const fileOf = (id: string, name: string): ProjectFile => {
  return { _id: id, url: `/files/${id}`, name, kind: 'image', type: 'image/jpeg', size: 1, state: 'waiting' }
}

const apiError = (status: number, message: string) =>
  new ApiError(status, status === 413 ? 'too_large' : 'unsupported_media', message, { isFromServer: true })

const unreachable = new ApiError(0, 'unreachable', 'The server cannot be reached.')

/** A server whose responses to uploads the test controls. */
class FakeServer implements Transport {
  reserved = 0
  removed: string[] = []
  sending = new Map<string, { options: SendOptions; end: (outcome?: Error) => void; text: Promise<string> }>()
  arrived: string[] = []
  notice: string | undefined
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
        resolve({
          ...fileOf(id, 'arrived'),
          state: 'ready',
          ...(this.notice !== undefined && { notice: this.notice }),
        })
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
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

function page(userId = 'ada', claim: (id: string, signal: AbortSignal) => Promise<void> = free): UploadQueue {
  const queue = new UploadQueue({ userId, transport: server, store, claim })
  open.push(queue)
  return queue
}

const idsIn = async () => (await store.list()).map(({ id }) => id)

/** Waits until the added files are stored in the browser. */
const stored = (...ids: string[]) => vi.waitFor(async () => expect(await idsIn()).toEqual(ids))

/** Waits until these files are being sent, in any order. */
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

test('reports progress', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await expectSending('file-1')
  server.sending.get('file-1')?.options.onProgress(0.4)
  expect(queue.find('file-1')).toMatchObject({ status: 'sending', sent: 0.4 })
})

test('after a reload, files that had not arrived are sent, and none twice', async () => {
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

test('a tab waits for another that sends the same file, and drops it once it has arrived', async () => {
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

test('another account cannot see stored uploads, and they are removed', async () => {
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

test('signing out removes unsent files, and returns their number', async () => {
  const queue = page()
  await queue.add('p', [picture('a'), picture('b')])
  await stored('file-1', 'file-2')
  await server.finish('file-1')
  await stored('file-2')
  expect(await queue.clear()).toBe(1)
  await stored()
})

test('a failed attempt is retried with backoff, and immediately when the network is back', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
  const fail = async () => {
    // Without advancing the clock, as vi.waitFor does.
    while (!server.sending.has('file-1')) await nextTurn()
    server.sending.get('file-1')?.end(unreachable)
    while (queue.find('file-1')?.status !== 'retrying') await nextTurn()
  }
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

test('a connection that breaks off each time while a file is sent is told as what a proxy may do', async () => {
  const queue = page()
  await queue.add('p', [picture('film.mp4')])
  const problems: unknown[] = []
  for (const share of [0.5, 0.4, 0.6, 0, 0.1]) {
    await expectSending('file-1')
    server.sending.get('file-1')?.options.onProgress(share)
    await server.finish('file-1', unreachable)
    await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('retrying'))
    problems.push(queue.find('file-1')?.problem)
    queue.retry()
  }
  const told = expect.stringMatching(/^“film.mp4”: The connection breaks off each time.*A proxy/)
  expect(problems).toEqual([undefined, undefined, told, undefined, undefined])
})

test('after a failure a file is sent from its copy in this browser, because it may have been removed from the disk', async () => {
  const read = store.read
  store.read = async (id) => ((await read(id)) ? new Blob(['the copy']) : undefined)
  const queue = page()
  await queue.add('p', [picture('a', 'the file')])
  await stored('file-1')
  await expectSending('file-1')
  expect(await server.sending.get('file-1')?.text).toBe('the file')
  await server.finish('file-1', unreachable)
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('retrying'))
  queue.retry()
  await expectSending('file-1')
  expect(await server.sending.get('file-1')?.text).toBe('the copy')
})

test('a file that the server cannot read right now is retried, and the reason is shown until then', async () => {
  const queue = page()
  await queue.add('p', [picture('loaf.jpg')])
  await stored('file-1')
  const busy = '“loaf.jpg” could not be read right now.'
  await server.finish('file-1', new ApiError(503, 'unavailable', busy))
  await vi.waitFor(() => expect(queue.find('file-1')).toMatchObject({ status: 'retrying', problem: busy }))
  await stored('file-1')
  queue.retry()
  await expectSending('file-1')
  await server.finish('file-1', unreachable)
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('retrying'))
  expect(queue.find('file-1')?.problem).toBeUndefined()
})

test('a refused file is not retried automatically, and the reason names it', async () => {
  const queue = page()
  await queue.add('p', [picture('loaf.jpg')])
  await server.finish('file-1', apiError(415, 'This is not a picture'))
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('refused'))
  expect(queue.find('file-1')?.problem).toBe('“loaf.jpg”: This is not a picture')
  expect(queue.readActivity()).toEqual({ total: 1, done: 0, refused: 1 })
  await vi.advanceTimersByTimeAsync(600_000)
  queue.retry()
  expect(server.sending.size).toBe(0)
  queue.retry('file-1')
  await expectSending('file-1')
})

test('a file beyond the quota stays in this browser, also for the next page, until it is accepted or discarded', async () => {
  const full = new ApiError(413, 'quota_exceeded', 'There is no room left.', { isFromServer: true })
  server.refuses = ({ name }) => (name === 'unreserved' ? full : undefined)
  const queue = page()
  const { rejected } = await queue.add('p', [picture('unreserved'), picture('loaf', 'bytes of a loaf')])
  expect(rejected).toMatchObject([{ name: 'unreserved', file: expect.any(File) }])
  await stored('file-1')
  await server.finish('file-1', full)
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('refused'))
  await stored('file-1')
  queue.stop()
  const next = page()
  await next.resume()
  await expectSending('file-1')
  expect(await server.sending.get('file-1')?.text).toBe('bytes of a loaf')
  await server.finish('file-1', full)
  await vi.waitFor(() => expect(next.find('file-1')?.status).toBe('refused'))
  next.discard('file-1')
  await stored()
})

test('of many files only the invalid ones are refused', async () => {
  server.refuses = ({ name }) => (name === 'huge' ? apiError(413, '“huge” is too large') : undefined)
  const queue = page()
  const names = ['a', 'b', 'huge', 'c', 'd']
  const { added, rejected } = await queue.add(
    'p',
    names.map((name) => picture(name)),
  )
  expect(added.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
  expect(rejected).toEqual([{ name: 'huge', message: '“huge” is too large' }])
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

test('a file that was removed from the text is sent only when it is restored', async () => {
  const queue = page()
  await queue.add('p', [picture('a'), picture('b')])
  await expectSending('file-1', 'file-2')
  queue.want('file-1', false)
  await expectSending('file-2')
  expect(queue.readActivity()).toEqual({ total: 1, done: 0, refused: 0 })
  queue.want('file-1', true)
  await expectSending('file-1', 'file-2')
})

test('a discarded file is removed here and at the server', async () => {
  const queue = page()
  await queue.add('p', [picture('a')])
  await stored('file-1')
  queue.discard('file-1')
  await stored()
  expect(server.removed).toEqual(['file-1'])
  expect(queue.find('file-1')).toBeUndefined()
  expect(queue.readActivity()).toEqual({ total: 0, done: 0, refused: 0 })
})

test('a file that a proxy refuses is kept in this browser, and sent when the person tries again', async () => {
  const queue = page()
  await queue.add('p', [picture('boards.jpg')])
  await stored('file-1')
  await server.finish(
    'file-1',
    new ApiError(413, 'too_large', 'A proxy in front of Milepost lets no file through'),
  )
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('refused'))
  expect(queue.find('file-1')?.problem).toBe(
    '“boards.jpg”: A proxy in front of Milepost lets no file through',
  )
  await stored('file-1')
  expect(queue.readKept()).toBe(1)
  queue.want('file-1', false)
  expect(queue.readKept()).toBe(0)
  queue.want('file-1', true)
  queue.retryKept()
  expect(queue.readKept()).toBe(0)
  await server.finish('file-1')
  await vi.waitFor(() => expect(queue.find('file-1')?.status).toBe('done'))
  await stored()
})

test('a notice about a file is shown when it has arrived', async () => {
  const queue = page()
  const noticed = vi.fn<(notice: string) => void>()
  queue.whenNoticed(noticed)
  server.notice = '“boards.heic” is offered for download.'
  await queue.add('p', [picture('boards.heic')])
  await server.finish('file-1')
  await vi.waitFor(() => expect(noticed).toHaveBeenCalledWith('“boards.heic” is offered for download.'))
})
