import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { createServer as createTcpServer, isIPv4, isIPv6 } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { activityKind } from '#contract/activity.ts'
import { webhookDelivery } from '#contract/webhooks.ts'
import { recordActivity } from '#server/activity/service.ts'
import { isPublicAddress, publicLookup } from '#server/platform/public-addresses.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { createClient } from '#server/testing/client.ts'
import { createDeliverer, deliverySweep } from './deliver.ts'
import { createSend, type Message, type Outcome, type Send } from './send.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const arrived: Outcome = { isDelivered: true, isGone: false, text: '204' }
const lost: Outcome = { isDelivered: false, isGone: false, text: '500' }

let ahead = 0
beforeEach(() => {
  ahead = 0
})
/** Moves the clock of deliveries, but not that of sessions. */
const later = (milliseconds: number) => {
  ahead += milliseconds
}
const depsLater = () => ({ ...t.deps, clock: () => new Date(Date.now() + ahead) })

const delivererWith = (send: Send, deliversToWebhooks = true) =>
  createDeliverer({ ...depsLater(), publicUrl: 'https://milepost.example', deliversToWebhooks, send })

/** Sends due deliveries, each with this outcome, and returns the messages to this URL. */
async function delivered(url: string, outcome: Outcome = arrived) {
  const messages: Message[] = []
  const send = async (message: Message) => {
    if (message.url !== url) return arrived
    messages.push(message)
    return outcome
  }
  const deliverer = delivererWith(send)
  await deliverer.poll()
  await deliverer.idle()
  return messages.map((message) => ({ ...message, event: JSON.parse(message.payload) }))
}

let made = 0

/** A project with a webhook, whose URL no other webhook has. */
async function watched(owner?: Person) {
  const ada = owner ?? (await t.person({ name: 'Ada' }))
  const project = await t.project(ada)
  made += 1
  const url = `https://example.test/hook-${made}`
  const params = { projectId: project._id }
  const { webhook, secret = '' } = await t.call('createWebhook', { params, body: { url } }, { as: ada })
  const read = async () => (await t.call('listWebhooks', { params }, { as: ada }))[0]
  const ref = { ...params, webhookId: webhook._id }
  const log = () => t.call('listDeliveries', { params: ref }, { as: ada })
  return { ada, project, url, params, ref, secret, read, log }
}

describe('a webhook', () => {
  it('receives later events of its project once, and none about drafts, invitations or other projects', async () => {
    const { ada, project, url, log } = await watched()
    const milestone = await t.milestone(ada, project._id, { title: 'Lumber' })
    await t.entry(ada, milestone._id, { state: 'draft' })
    const entry = await t.entry(ada, milestone._id, { title: 'First boards' })
    await t.invitation(ada, project._id)
    await t.milestone(ada, (await t.project(ada))._id)
    const messages = await delivered(url)
    expect(messages.map(({ event }) => [event.type, event.data.subject])).toEqual([
      ['milestone.created', 'Lumber'],
      ['entry.written', 'First boards'],
    ])
    expect(messages[1]?.event).toEqual({
      type: 'entry.written',
      timestamp: expect.stringMatching(/Z$/),
      data: {
        project: project._id,
        milestone: milestone._id,
        entry: entry._id,
        subject: 'First boards',
        details: {},
        actor: { name: 'Ada' },
        url: `https://milepost.example/projects/${project._id}`,
      },
    })
    expect(await delivered(url)).toEqual([])
    expect(await log()).toMatchObject([
      { type: 'entry.written', state: 'delivered', attempts: 1, outcome: '204' },
      { type: 'milestone.created', state: 'delivered' },
    ])
  })

  it('gets titles as they are when a message is sent, and none of what was withdrawn, deleted or moved away since', async () => {
    const { ada, project, url } = await watched()
    const milestone = await t.milestone(ada, project._id, { title: 'Lumber' })
    const gone = await t.milestone(ada, project._id, { title: 'Sails' })
    const [misspelt, secret, moved] = await Promise.all(
      ['Frist boards', 'A secret', 'Elsewhere'].map((title) => t.entry(ada, milestone._id, { title })),
    )
    const refOf = (entry?: { _id: string }) => ({ milestoneId: milestone._id, entryId: entry?._id ?? '' })
    expect(await delivered(url, lost)).toHaveLength(5)
    await t.call('updateEntry', { params: refOf(misspelt), body: { title: 'First boards' } }, { as: ada })
    await t.call('updateEntry', { params: refOf(secret), body: { state: 'draft' } }, { as: ada })
    const elsewhere = await t.milestone(ada, (await t.project(ada))._id)
    await t.call('updateEntry', { params: refOf(moved), body: { milestone: elsewhere._id } }, { as: ada })
    const params = { projectId: project._id, milestoneId: gone._id }
    await t.call('deleteMilestone', { params }, { as: ada })
    later(DAY)
    const all = []
    for (let more = await delivered(url); more.length > 0; more = await delivered(url)) all.push(...more)
    const subjects = all.map(({ event }) => event.data.subject)
    expect(new Set(subjects)).toEqual(new Set(['Lumber', 'First boards', null]))
    expect(all.find(({ event }) => event.data.entry === secret?._id)?.event).toMatchObject({
      type: 'entry.written',
      data: { subject: null },
    })
  })

  it('gets no delivery for a change that failed', async () => {
    const { ada, project, url } = await watched()
    const change = t.deps.db.transaction().execute(async (trx) => {
      const happened = { projectId: project._id, actorId: ada.userId, subject: 'x', now: new Date() }
      await recordActivity(trx, { kind: 'project_edited', ...happened })
      throw new Error('it fails')
    })
    await expect(change).rejects.toThrow('it fails')
    expect(await delivered(url)).toEqual([])
  })

  it('gets eight attempts within a day for each delivery, which is then given up', async () => {
    const { ada, project, url, read, log } = await watched()
    await t.milestone(ada, project._id)
    const pauses = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR, 8 * HOUR]
    expect(await delivered(url, lost)).toHaveLength(1)
    expect(await read()).toMatchObject({ state: 'failing' })
    for (const pause of pauses) {
      later(pause - 1_000)
      expect(await delivered(url, lost)).toEqual([])
      later(1_001)
      expect(await delivered(url, lost)).toHaveLength(1)
    }
    later(2 * DAY)
    expect(await delivered(url, lost)).toEqual([])
    expect(await log()).toMatchObject([{ state: 'failed', attempts: 8, outcome: '500' }])
    await t.milestone(ada, project._id)
    expect((await delivered(url, arrived))[0]?.id).toBeDefined()
    expect(await read()).toMatchObject({ state: 'on', failingSince: null })
  })

  it('that fails for three days is disabled, and the people who manage the project are notified', async () => {
    const { ada, project, url, ref, params, read } = await watched()
    const admin = await t.member(project._id, 'admin')
    const editor = await t.member(project._id, 'editor')
    await t.milestone(ada, project._id)
    await delivered(url, lost)
    later(3 * DAY)
    await t.milestone(ada, project._id)
    await delivered(url, lost)
    expect(await read()).toMatchObject({ state: 'off' })
    const titles = async (person: Person) =>
      (await t.call('listNotifications', { query: {} }, { as: person })).notifications.map(
        ({ title }) => title,
      )
    for (const person of [ada, admin]) expect(await titles(person)).toEqual(['A webhook was switched off'])
    expect(await titles(editor)).toEqual([])
    await t.milestone(ada, project._id)
    later(DAY)
    expect(await delivered(url)).toEqual([])
    expect(await t.call('switchWebhook', { params: ref, body: { isOn: true } }, { as: ada })).toMatchObject({
      state: 'on',
    })
    await t.milestone(ada, project._id)
    expect(await delivered(url)).toHaveLength(1)
    await t.call('deleteWebhook', { params: ref }, { as: ada })
    expect(await t.call('listWebhooks', { params }, { as: ada })).toEqual([])
  })

  it('whose receiver returns 410 is disabled immediately', async () => {
    const { ada, project, url, read } = await watched()
    await t.milestone(ada, project._id)
    await delivered(url, { isDelivered: false, isGone: true, text: '410' })
    expect(await read()).toMatchObject({ state: 'off' })
  })

  it('receives nothing from a server that does not deliver, and everything from the next one that does', async () => {
    const { ada, project, url, log } = await watched()
    await t.milestone(ada, project._id)
    const send = vi.fn<Send>(async () => arrived)
    const deliverer = delivererWith(send, false)
    await deliverer.poll()
    await deliverer.idle()
    expect(send).not.toHaveBeenCalled()
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: 0 }])
    expect(await delivered(url)).toHaveLength(1)
  })

  it('receives every retry, but nothing that was queued for more than a week', async () => {
    const { ada, project, url, log } = await watched()
    await t.milestone(ada, project._id)
    await delivered(url, lost)
    for (const wait of [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 8 * HOUR]) {
      later(wait + 1_000)
      await deliverySweep(depsLater()).run()
      expect(await delivered(url, lost)).toHaveLength(1)
    }
    later(6 * DAY)
    await deliverySweep(depsLater()).run()
    expect(await log()).toMatchObject([{ state: 'waiting', attempts: 7 }])
    later(DAY)
    await deliverySweep(depsLater()).run()
    expect(await log()).toEqual([])
    expect(await delivered(url)).toEqual([])
  })

  it('that responds slowly gets one message at a time, and delays nobody else', async () => {
    const slow = await watched()
    const quick = await watched()
    await t.milestone(slow.ada, slow.project._id)
    await t.milestone(slow.ada, slow.project._id)
    await t.milestone(quick.ada, quick.project._id)
    const begun: string[] = []
    let answer: (outcome: Outcome) => void = () => undefined
    const deliverer = delivererWith(({ url }) => {
      begun.push(url)
      if (url !== slow.url) return Promise.resolve(arrived)
      return new Promise((resolve) => (answer = resolve))
    })
    const countsOf = () => [slow, quick].map(({ url }) => begun.filter((one) => one === url).length)
    await deliverer.poll()
    expect(countsOf()).toEqual([1, 1])
    await expect.poll(async () => (await quick.log())[0]?.state).toBe('delivered')
    await t.milestone(quick.ada, quick.project._id)
    await deliverer.poll()
    expect(countsOf()).toEqual([1, 2])
    answer(arrived)
    await expect.poll(countsOf).toEqual([2, 2])
    answer(arrived)
    await deliverer.idle()
    expect(await slow.log()).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  })

  it('of an account with many slow ones does not delay that of another account', async () => {
    const slow = await t.person()
    const projects = await Promise.all(Array.from({ length: 4 }, () => t.project(slow)))
    for (const { _id: projectId } of projects) {
      for (let count = 0; count < 10; count += 1)
        await t.call(
          'createWebhook',
          { params: { projectId }, body: { url: `https://slow-${projectId}-${count}.test/` } },
          { as: slow },
        )
      await t.milestone(slow, projectId)
    }
    const quick = await watched()
    await t.milestone(quick.ada, quick.project._id)
    const answers: (() => void)[] = []
    let isDelivered = false
    const deliverer = delivererWith(({ url }) => {
      if (url === quick.url) isDelivered = true
      if (!url.startsWith('https://slow-')) return Promise.resolve(arrived)
      return new Promise((resolve) => answers.push(() => resolve(arrived)))
    })
    await deliverer.poll()
    await expect.poll(() => isDelivered).toBe(true)
    expect(answers.length).toBeLessThan(10)
    await expect
      .poll(() => {
        for (const answer of answers) answer()
        return answers.length
      })
      .toBe(40)
    await deliverer.idle()
  })

  it('can get a new secret; messages are also signed with the former one for a day', async () => {
    const { ada, project, url, ref, secret, read } = await watched()
    const { secret: second, webhook } = await t.call('rotateWebhookSecret', { params: ref }, { as: ada })
    expect(webhook.formerSecretUntil).not.toBeNull()
    expect(await read()).toEqual(webhook)
    await t.milestone(ada, project._id)
    expect((await delivered(url))[0]?.secrets).toEqual([second, secret])
    const { secret: third } = await t.call('rotateWebhookSecret', { params: ref }, { as: ada })
    await t.milestone(ada, project._id)
    expect((await delivered(url))[0]?.secrets).toEqual([third, second])
    later(DAY + HOUR)
    await t.milestone(ada, project._id)
    expect((await delivered(url))[0]?.secrets).toEqual([third])
    const { rows } = await t.pool.query('select w::text from webhooks w')
    for (const one of [second, third]) expect(JSON.stringify(rows)).not.toContain(one)
  })

  it('has deliveries of exactly the types that the contract lists', async () => {
    const { ada, project, url, ref } = await watched()
    await t.deps.db.transaction().execute(async (trx) => {
      const happened = { projectId: project._id, actorId: ada.userId, subject: 'x', now: new Date() }
      for (const kind of activityKind.options) await recordActivity(trx, { kind, ...happened })
    })
    await t.call('testWebhook', { params: ref }, { as: ada })
    const types = new Set<string>()
    for (let sent = await delivered(url); sent.length > 0; sent = await delivered(url))
      for (const { event } of sent) types.add(event.type)
    const { options } = webhookDelivery.shape.type
    expect([...types].toSorted()).toEqual(options.toSorted())
    expect(options).toEqual(expect.arrayContaining(['entry.written', 'project.handed_over', 'webhook.test']))
    expect(options.every((type) => /^[a-z]+\.[a-z_]+$/.test(type))).toBe(true)
  })

  it('gets a test message once, even while it is disabled, and a failure of it does not count', async () => {
    const { ada, project, url, ref, read, log } = await watched()
    const test = () => t.call('testWebhook', { params: ref }, { as: ada })
    expect(await test()).toMatchObject({ type: 'webhook.test', state: 'waiting', attempts: 0 })
    expect(await t.refused('testWebhook', { params: ref }, { as: ada })).toMatchObject({ code: 'conflict' })
    expect((await delivered(url, lost)).map(({ event }) => event)).toEqual([
      {
        type: 'webhook.test',
        timestamp: expect.stringMatching(/Z$/),
        data: {
          project: project._id,
          milestone: null,
          entry: null,
          subject: null,
          details: {},
          actor: null,
          url: `https://milepost.example/projects/${project._id}`,
        },
      },
    ])
    expect(await read()).toMatchObject({ state: 'on', failingSince: null })
    later(DAY)
    expect(await delivered(url)).toEqual([])
    await t.call('switchWebhook', { params: ref, body: { isOn: false } }, { as: ada })
    await test()
    expect(await delivered(url)).toHaveLength(1)
    expect(await log()).toMatchObject([
      { type: 'webhook.test', state: 'delivered', attempts: 1 },
      { type: 'webhook.test', state: 'failed', attempts: 1, outcome: '500' },
    ])
  })

  it('gets no test message from a server that does not deliver', async () => {
    const { ada, ref, log } = await watched()
    const silent = createClient(await t.replica({ deliversToWebhooks: false }))
    expect(await silent.refused('testWebhook', { params: ref }, { as: ada })).toMatchObject({
      code: 'conflict',
      message: 'This server does not send to webhooks at the moment.',
    })
    expect(await log()).toEqual([])
  })

  it('that fails, or was disabled because of failures, is counted among the failed jobs for administrators', async () => {
    const { ada, project, url } = await watched()
    const admin = await t.person()
    await t.pool.query('update users set is_admin = true where id = $1', [admin.userId])
    const failures = async () =>
      (await t.call('listFailedJobs', {}, { as: admin })).find(({ queue }) => queue === 'webhook-deliveries')
    const before = (await failures()) ?? { waiting: 0, givenUp: 0, switchedOff: 0 }
    await t.milestone(ada, project._id)
    await delivered(url, lost)
    expect(await failures()).toMatchObject({ waiting: before.waiting + 1, givenUp: before.givenUp })
    later(HOUR)
    await delivered(url, { ...lost, isGone: true })
    expect(await failures()).toMatchObject({
      waiting: before.waiting,
      givenUp: before.givenUp + 1,
      switchedOff: (before.switchedOff ?? 0) + 1,
    })
  })

  it('whose process ended during a delivery is retried by another process', async () => {
    const { ada, project, url } = await watched()
    await t.milestone(ada, project._id)
    const never = new Promise<Outcome>(() => {})
    let taken = () => {}
    const isTaken = new Promise<void>((resolve) => (taken = resolve))
    const send = () => {
      taken()
      return never
    }
    void delivererWith(send).poll()
    await isTaken
    expect(await delivered(url)).toEqual([])
    later(5 * MINUTE + 1_000)
    expect(await delivered(url)).toHaveLength(1)
  })

  it('must have a public https URL, and is limited to ten per project', async () => {
    const { ada, params } = await watched()
    for (const url of [
      'http://example.org/hook',
      'https://10.0.0.1',
      'https://[::1]/',
      'https://ada:secret@example.org',
      'ftp://x',
      'nothing',
    ])
      expect(await t.refused('createWebhook', { params, body: { url } }, { as: ada })).toMatchObject({
        issues: [{ path: 'url' }],
      })
    for (let count = 1; count < 10; count += 1)
      await t.call('createWebhook', { params, body: { url: `https://example.org/${count}` } }, { as: ada })
    const body = { url: 'https://example.org/11' }
    expect(await t.refused('createWebhook', { params, body }, { as: ada })).toMatchObject({
      code: 'conflict',
    })
  })

  it('has a secret that is encrypted in the database, and a log of one week', async () => {
    const { ada, project, url, secret, log } = await watched()
    const { rows } = await t.pool.query('select w::text from webhooks w')
    expect(JSON.stringify(rows)).not.toContain(Buffer.from(secret).toString('hex'))
    expect(JSON.stringify(rows)).not.toContain(secret)
    await t.milestone(ada, project._id)
    await delivered(url)
    await deliverySweep(depsLater()).run()
    expect(await log()).toHaveLength(1)
    later(7 * DAY + MINUTE)
    await deliverySweep(depsLater()).run()
    expect(await log()).toEqual([])
  })
})

describe('a message', () => {
  it('is accepted by the verifier of Standard Webhooks, and follows no redirect', async () => {
    const received: { body: string; headers: Record<string, string> }[] = []
    const state = { status: 204 }
    const receiver = createServer((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        received.push({ body, headers: request.headers as Record<string, string> })
        response.writeHead(state.status, { location: '/elsewhere' }).end('x'.repeat(1_000_000))
      })
    }).listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    const { port } = receiver.address() as { port: number }
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
    const former = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
    const message = {
      id: 'msg-1',
      url: `http://127.0.0.1:${port}/hook`,
      secrets: [secret, former],
      payload: '{"type":"a.b"}',
      sentAt: new Date(),
    }
    const send = createSend({ privateNetworks: true })
    expect(await send(message)).toEqual(arrived)
    const [first] = received
    for (const one of [secret, former])
      expect(new Webhook(one).verify(first?.body ?? '', first?.headers ?? {})).toEqual({ type: 'a.b' })
    expect(() => new Webhook(secret).verify('{}', first?.headers ?? {})).toThrow(
      'No matching signature found',
    )
    state.status = 302
    expect(await send(message)).toMatchObject({
      isDelivered: false,
      text: '302, a redirect: enter the address to which it leads',
    })
    state.status = 410
    expect(await send(message)).toMatchObject({ isGone: true })
    expect(received).toHaveLength(3)
    const guarded = createSend({ privateNetworks: false })
    expect(await guarded(message)).toMatchObject({ isDelivered: false })
    const named = { ...message, url: `https://localhost:${port}` }
    expect((await guarded(named)).text).toBe('The address is not on the Internet, or not https')
    expect(received).toHaveLength(3)
    const encrypted = { ...message, url: message.url.replace('http:', 'https:') }
    expect((await send(encrypted)).text).toBe('The receiver does not speak https at this address')
    const choosy = createHttpsServer().listen(0, '127.0.0.1')
    await once(choosy, 'listening')
    const refusing = `https://127.0.0.1:${(choosy.address() as { port: number }).port}`
    expect((await send({ ...message, url: refusing })).text).toBe('The receiver refused the https connection')
    choosy.close()
    receiver.close()
    receiver.closeAllConnections()
    expect((await send(message)).text).toBe('The connection was refused')
  })

  it('fails if its receiver switches protocols or closes the connection instead of responding', async () => {
    for (const response of [
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      '',
    ]) {
      const receiver = createTcpServer((socket) => {
        socket.on('error', () => undefined).once('data', () => socket.end(response))
      }).listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      const { port } = receiver.address() as { port: number }
      const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
      const message = {
        id: 'x',
        url: `http://127.0.0.1:${port}`,
        secrets: [secret],
        payload: '{}',
        sentAt: new Date(),
      }
      const outcome = await createSend({ privateNetworks: true })(message)
      expect(outcome).toEqual({ isDelivered: false, isGone: false, text: 'The connection failed' })
      receiver.close()
    }
  })

  it.each([
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://2130706433',
    'https://[::1]',
    'https://[::ffff:10.0.0.1]',
    'https://[64:ff9b::a00:1]',
    'https://[2002:7f00:1::]',
    'https://[fd00::1]',
    'https://[fe80::1]',
    'https://169.254.169.254/latest',
    'https://100.100.1.1',
    'https://192.168.1.1',
    'https://172.31.0.1',
    'https://0.0.0.0',
    'https://255.255.255.255',
    'http://93.184.215.14',
  ])('goes to no private network, such as %s', async (url) => {
    const secret = `whsec_${Buffer.alloc(32).toString('base64')}`
    const send = createSend({ privateNetworks: false })
    const { text } = await send({ id: 'x', url, secrets: [secret], payload: '{}', sentAt: new Date() })
    expect(text).toBe('The address is not on the Internet, or not https')
  })

  it('goes to a public IPv4 address through a NAT64 gateway, and not to a private one', () => {
    expect(isPublicAddress('64:ff9b::5db8:d70e')).toBe(true)
    for (const within of ['10.0.0.1', '127.0.0.1', '169.254.169.254', '192.168.1.1'])
      expect(isPublicAddress(`64:ff9b::${within}`)).toBe(false)
  })

  it('connects only to the IP addresses that were resolved and checked', async () => {
    const lookUp = (...addresses: string[]) =>
      new Promise((resolve) => {
        const dns = {
          resolve4: async () => addresses.filter(isIPv4),
          resolve6: async () => addresses.filter(isIPv6),
          cancel: () => undefined,
        }
        publicLookup(() => dns)('rebound.example', { all: true }, (error, result) =>
          resolve(error ? error.message : result),
        )
      })
    expect(await lookUp('93.184.215.14')).toEqual([{ address: '93.184.215.14', family: 4 }])
    const refused = 'rebound.example is not on the Internet'
    expect(await lookUp('93.184.215.14', '127.0.0.1')).toBe(refused)
    expect(await lookUp('::ffff:127.0.0.1')).toBe(refused)
    expect(await lookUp('2606:2800:21f:cb07::1', '10.0.0.1')).toBe(refused)
    expect(await lookUp()).toBe('rebound.example was not found')
    expect(['2606:2800:21f:cb07::1', '8.8.8.8', 'nonsense'].map(isPublicAddress)).toEqual([true, true, false])
  })

  it('asks the DNS without a thread, and no longer than a while', async () => {
    vi.useFakeTimers()
    const { promise: silence, reject } = Promise.withResolvers<string[]>()
    const dns = {
      resolve4: () => silence,
      resolve6: () => silence,
      cancel: () => reject(new Error('cancelled')),
    }
    const outcome = new Promise((resolve) => publicLookup(() => dns)('slow.example', {}, resolve))
    await vi.advanceTimersByTimeAsync(5_000)
    vi.useRealTimers()
    expect(await outcome).toMatchObject({ code: 'ENOTFOUND' })
  })
})
