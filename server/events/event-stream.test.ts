import { once } from 'node:events'
import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { EventStream, Streams } from './streams.ts'

const reader = { userId: 'ada', sessionId: 'one', until: Number.POSITIVE_INFINITY }
const project = (number: number) => ({ type: 'project', projectId: String(number) }) as const

/** A reader that reads nothing until it is told to. */
function slowReader() {
  let text = ''
  let next = () => {}
  const sink = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      text += String(chunk)
      next = done
    },
  })
  const take = () => {
    const done = next
    next = () => {}
    done()
  }
  return { sink, read: () => text, take }
}

const turn = () => new Promise(setImmediate)

test('the queue of a slow reader is bounded, and one event replaces those that were dropped', async () => {
  const stream = new EventStream(reader, Date.now)
  const { sink, read, take } = slowReader()
  stream.pipe(sink)
  await turn()
  for (let number = 0; number < 100_000; number += 1) stream.publish(project(number))
  expect(stream.readableLength + sink.writableLength).toBeLessThan(20_000)
  for (let times = 0; times < 5; times += 1) {
    take()
    await turn()
  }
  expect(read().endsWith('data: {"type":"ready"}\n\n')).toBe(true)
  expect(read().length).toBeLessThan(20_000)
})

test('the same event is queued once', async () => {
  const stream = new EventStream(reader, Date.now)
  const { sink, read, take } = slowReader()
  stream.pipe(sink)
  await turn()
  for (let times = 0; times < 50; times += 1) stream.publish(project(7))
  for (let times = 0; times < 5; times += 1) {
    take()
    await turn()
  }
  expect(read().match(/"7"/g)?.length).toBeLessThanOrEqual(2)
})

test('a reader who does not read for a minute is disconnected, unless there is nothing to read', async () => {
  const time = { now: 0 }
  const streams = new Streams(10, () => time.now)
  const [stuck, idle] = [streams.open(reader), streams.open(reader)]
  stuck.pipe(slowReader().sink)
  idle.resume()
  await turn()
  for (let number = 0; number < 10; number += 1) {
    stuck.publish(project(number))
    await turn()
  }
  time.now += 61_000
  streams.sweep()
  await once(stuck, 'close')
  expect(idle.destroyed).toBe(false)
  expect(streams.count).toBe(1)
})

test('the end of a session ends its streams, without checking any others', async () => {
  const streams = new Streams(1_000, Date.now)
  let lookups = 0
  for (let number = 0; number < 500; number += 1)
    streams.open({
      userId: `user ${number}`,
      get sessionId() {
        lookups += 1
        return `session ${number}`
      },
      until: Number.POSITIVE_INFINITY,
    })
  const ended = [streams.open(reader), streams.open(reader)]
  lookups = 0
  streams.endSession(reader.sessionId)
  await Promise.all(ended.map((stream) => once(stream, 'close')))
  expect(lookups).toBe(0)
  expect(streams.count).toBe(500)
})
