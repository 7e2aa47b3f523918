import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { type Event, event } from '#contract/events.ts'
import { EVENTS_PATH } from '#contract/events-path.ts'
import type { AppOptions } from '#server/app-options.ts'
import { drain } from '#server/listen.ts'
import { createEvents } from '#server/platform/events/events.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'

/** Starts another server on the database of a test, with its own listener for events. */
export async function replicaOf(t: TestApp, options: Partial<AppOptions> = {}) {
  const { db, log } = t.deps
  const events = createEvents({ db, log })
  await events.start(t.config)
  const app = await t.replica({ events }, { eventStreamsMax: 100, ...options })
  const close = async () => {
    await drain(app, { seconds: 0 })
    await events.stop()
  }
  return { app, events, close }
}

/** Reads a stream of events over HTTP until it ends; the app must listen. */
export async function readEvents(app: FastifyInstance, { headers }: Sender) {
  const request = get(`${app.listeningOrigin}${EVENTS_PATH}`, { headers, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const heard: Event[] = []
  const reading = {
    response,
    /** The events received so far, oldest first. */
    heard,
    hasEnded: false,
    leave: () => void request.destroy(),
  }
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks)
      if (block.startsWith('data: ')) heard.push(event.parse(JSON.parse(block.slice('data: '.length))))
  })
  response.on('close', () => {
    reading.hasEnded = true
  })
  response.on('error', () => reading.leave()) // the reader left, or was disconnected
  return reading
}
