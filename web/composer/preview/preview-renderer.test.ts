import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPreviewRenderer, type FromWorker, type Preview, TIME_LIMIT_MS } from './preview-renderer.ts'

/** A worker that a test controls. */
class FakeWorker extends EventTarget {
  rendered: string[] = []
  isTerminated = false
  postMessage = (content: string) => void this.rendered.push(content)
  terminate = () => {
    this.isTerminated = true
  }
  load = () => this.dispatchEvent(new MessageEvent('message', { data: 'ready' }))
  send = (data: FromWorker) => this.dispatchEvent(new MessageEvent('message', { data }))
  answer = (html: string) => this.dispatchEvent(new MessageEvent('message', { data: { html } }))
  fail = () => this.dispatchEvent(new Event('error', { cancelable: true }))
}

let workers: FakeWorker[]
let previews: Preview[]
let renderer: ReturnType<typeof createPreviewRenderer>

beforeEach(() => {
  vi.useFakeTimers()
  workers = []
  previews = []
  const startWorker = () => {
    const worker = new FakeWorker()
    workers.push(worker)
    return worker as unknown as Worker
  }
  renderer = createPreviewRenderer(startWorker, (preview) => previews.push(preview))
})
afterEach(() => vi.useRealTimers())

const only = (list: FakeWorker[]) => {
  expect(list).toHaveLength(1)
  return list[0] as FakeWorker
}

test('the worker is loaded with the first text, and renders all texts', () => {
  expect(workers).toEqual([])
  renderer.render('Rye')
  const worker = only(workers)
  expect(worker.rendered).toEqual([])
  worker.load()
  worker.answer('<p>Rye</p>')
  renderer.render('Wheat')
  worker.answer('<p>Wheat</p>')
  expect(previews).toEqual([
    { content: 'Rye', html: '<p>Rye</p>' },
    { content: 'Wheat', html: '<p>Wheat</p>' },
  ])
  expect(worker.isTerminated).toBe(false)
})

test('one text is rendered at a time, and of the waiting ones only the latest', () => {
  renderer.render('one')
  const worker = only(workers)
  worker.load()
  for (const content of ['two', 'three', 'four']) renderer.render(content)
  expect(worker.rendered).toEqual(['one'])
  worker.answer('1')
  expect(worker.rendered).toEqual(['one', 'four'])
  worker.answer('4')
  expect(previews.map(({ content }) => content)).toEqual(['one', 'four'])
})

test('a text that takes too long is aborted, and another worker renders the next', () => {
  renderer.render('[[[[')
  workers[0]?.load()
  vi.advanceTimersByTime(TIME_LIMIT_MS - 1)
  renderer.render('Rye')
  expect(previews).toEqual([])
  vi.advanceTimersByTime(1)
  expect(previews).toEqual([{ content: '[[[[', failure: 'too complex' }])
  expect(workers[0]?.isTerminated).toBe(true)
  workers[1]?.load()
  workers[1]?.answer('<p>Rye</p>')
  expect(previews.at(-1)).toEqual({ content: 'Rye', html: '<p>Rye</p>' })
})

test('a text on which the worker fails is aborted', () => {
  renderer.render('|||')
  workers[0]?.load()
  workers[0]?.fail()
  expect(previews).toEqual([{ content: '|||', failure: 'too complex' }])
})

test('loading over a slow network does not count towards the time limit of a text', () => {
  renderer.render('Rye')
  vi.advanceTimersByTime(60 * TIME_LIMIT_MS)
  expect(previews).toEqual([])
  workers[0]?.load()
  workers[0]?.answer('<p>Rye</p>')
  expect(previews).toEqual([{ content: 'Rye', html: '<p>Rye</p>' }])
})

test('loading the libraries of a text does not count towards its time limit', () => {
  renderer.render('$a$')
  workers[0]?.load()
  workers[0]?.send('loading')
  vi.advanceTimersByTime(60 * TIME_LIMIT_MS)
  expect(previews).toEqual([])
  workers[0]?.send('loaded')
  vi.advanceTimersByTime(TIME_LIMIT_MS)
  expect(previews).toEqual([{ content: '$a$', failure: 'too complex' }])
})

test('a worker that fails to load is reported, and loaded again for the next text', () => {
  renderer.render('Rye')
  workers[0]?.fail()
  expect(previews).toEqual([{ content: 'Rye', failure: 'not loaded' }])
  renderer.render('Rye')
  workers[1]?.load()
  workers[1]?.answer('<p>Rye</p>')
  expect(previews.at(-1)).toEqual({ content: 'Rye', html: '<p>Rye</p>' })
})

test('a stopped renderer renders nothing more', () => {
  renderer.render('one')
  workers[0]?.load()
  renderer.render('two')
  renderer.stop()
  vi.advanceTimersByTime(TIME_LIMIT_MS)
  expect(workers[0]?.isTerminated).toBe(true)
  expect(previews).toEqual([])
})
