import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { newId } from '#web/api/ids.ts'
import { type FormChanges, saveForm } from './form-changes.ts'
import type { Outbox } from './outbox.ts'
import { createTestPage, createTestStore } from './testing.ts'

/**
 * Random sequences of what people do, over a network that drops, delays and reorders: every text that was typed is in a thing, in its
 * history, in an outbox, or in a form that says that it is not saved; nothing is there twice; nothing is called saved before the server
 * has it; and nobody's text is replaced by somebody who has not seen it.
 */

type Thing = { _id: string; title: string; version: number; changes: string[]; isDeleted: boolean }
/** A version that the server has made: whose text replaced which. */
type Commit = { thing: string; change: string; title: string; before: string | undefined; files: string[] }
type Body = { _id?: string; title?: string; content?: string; completed?: boolean; files?: { _id: string }[] }
type Fate = 'ok' | 'lost request' | 'lost response' | 'late request' | 'slow' | 'busy'

const refusal = (status: number, code: string, current?: object) =>
  Response.json({ code, message: 'No', current }, { status })

/** The server as clients see it: rows remember their changes, and it has room for so many things. */
class Server {
  readonly things = new Map<string, Thing>()
  readonly commits: Commit[] = []
  readonly files = new Set<string>()
  readonly unknownFiles: string[] = []
  readonly room = 4

  handle(path: string, { method, headers, body: json }: RequestInit): Response {
    const sent = new Headers(headers)
    const change = sent.get('idempotency-key') ?? ''
    const body: Body = json ? JSON.parse(json as string) : {}
    if (path.endsWith('/files')) return this.#reserve(body)
    if (method === 'POST' && path.endsWith('/restore')) return this.#restore(path.split('/').at(-2) ?? '')
    const before = this.things.get(method === 'POST' ? (body._id ?? '') : (path.split('/').at(-1) ?? ''))
    if (method === 'POST') return this.#create(body, change, before)
    if (!before || before.isDeleted) {
      const isRepeated = method === 'DELETE' && before?.changes.includes(change)
      return isRepeated ? new Response(null, { status: 204 }) : refusal(404, 'not_found')
    }
    if (before.changes.includes(change)) return Response.json(before)
    const base = sent.get('if-match')
    if (base !== null && base !== `"${before.version}"`) return refusal(412, 'stale', before)
    return this.#change(before, method === 'DELETE' ? null : body, change)
  }

  #create(body: Body, change: string, before: Thing | undefined): Response {
    const { _id = '', title = '', content = '' } = body
    if (before?.isDeleted) return refusal(409, 'id_taken')
    if (before)
      return Response.json(before, { headers: { 'change-applied': String(before.changes[0] === change) } })
    if (this.things.size >= this.room) return refusal(413, 'too_large')
    const files = content === '' ? [] : [content]
    this.unknownFiles.push(...files.filter((id) => !this.files.has(id)))
    const thing = { _id, title, version: 1, changes: [change], isDeleted: false }
    this.things.set(_id, thing)
    this.commits.push({ thing: _id, change, title, before: undefined, files })
    return Response.json(thing, { status: 201 })
  }

  #change(before: Thing, body: Body | null, change: string): Response {
    const { title = before.title } = body ?? {}
    const changes = [...before.changes, change]
    const thing = { ...before, title, changes, version: before.version + 1, isDeleted: body === null }
    this.things.set(before._id, thing)
    if (body?.title !== undefined)
      this.commits.push({ thing: before._id, change, title, before: before.title, files: [] })
    return body === null ? new Response(null, { status: 204 }) : Response.json(thing)
  }

  #reserve({ files = [] }: Body): Response {
    for (const { _id } of files) this.files.add(_id)
    return Response.json({ files })
  }

  #restore(id: string): Response {
    const thing = this.things.get(id)
    if (thing) this.things.set(id, { ...thing, isDeleted: false })
    return thing ? Response.json({ project: id }) : refusal(404, 'not_found')
  }
}

/** A form on a screen. */
type Form = {
  changes: FormChanges
  thing: string | undefined
  version: number
  title: string
  state: 'typed' | 'saving' | 'saved' | 'failed' | 'gone'
  file?: string | undefined
}
type Tab = { outbox: Outbox; kill: () => void; forms: Form[]; device: Device }
/** A browser: what its pages store, and the texts that its person has typed or seen there. */
type Device = { store: ReturnType<typeof createTestStore>; seen: Set<string> }

let server: Server
let fates: Fate[] = []

async function network(path: string, init: RequestInit): Promise<Response> {
  const fate = fates.shift() ?? 'ok'
  if (fate === 'busy') return refusal(503, 'unavailable')
  if (fate === 'late request') setTimeout(() => server.handle(path, init), 2_500)
  if (fate === 'lost request' || fate === 'late request') throw new TypeError('fetch failed')
  if (fate === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_200))
  const response = server.handle(path, init)
  if (fate === 'slow') await new Promise((resolve) => setTimeout(resolve, 1_200))
  if (fate === 'lost response') throw new TypeError('fetch failed')
  return response
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', network)
  vi.stubGlobal('navigator', { onLine: true })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

class World {
  readonly #devices: Device[] = [0, 1].map(() => ({ store: createTestStore(), seen: new Set() }))
  readonly tabs: Tab[] = []
  readonly faults: string[] = []
  /** Every text for which a button was pressed, and whether it was called saved. */
  readonly pressed: { title: string; form: Form; device: Device }[] = []
  #texts = 0

  async open(): Promise<void> {
    for (const device of [0, 0, 1]) await this.#openTab(device)
  }

  async #openTab(index: number, at = this.tabs.length): Promise<void> {
    const device = this.#devices[index]
    if (!device) throw new Error(`There is no device ${index}`)
    const tab: Tab = { ...createTestPage(device.store), forms: [], device }
    // A form that was open before has ended with its page; what becomes of its text is reported.
    this.tabs[at] = tab
    await tab.outbox.open('ada')
  }

  newForm(tab: Tab, id = newId(), withFile = false) {
    const file = withFile ? newId() : undefined
    tab.forms.push({
      changes: { id },
      thing: undefined,
      version: 0,
      title: '',
      state: 'typed',
      file,
    })
    if (file !== undefined) void this.#act(tab, 'reserveFiles', 'p', { files: [{ _id: file }] })
  }

  /** The same draft, which another device has fetched. */
  sameDraft(tab: Tab, other: Tab) {
    const draft = other.forms.findLast(({ thing }) => thing === undefined)
    if (draft?.changes.id !== undefined) this.newForm(tab, draft.changes.id)
  }

  edit(tab: Tab, pick: number) {
    const there = [...server.things.values()].filter(({ isDeleted }) => !isDeleted)
    const thing = there[pick % Math.max(1, there.length)]
    if (!thing) return
    const { _id, version } = thing
    // Screens show what is on its way.
    const pending = tab.outbox.ofForm(_id).at(-1)?.body?.title
    const title = typeof pending === 'string' ? pending : thing.title
    const changes = { isSeen: (current: unknown) => (current as Thing).title === title }
    for (const shown of [title, thing.title]) tab.device.seen.add(shown)
    tab.forms.push({ changes, thing: _id, version, title: '', state: 'typed' })
  }

  /** Types another text into the last open form, and presses its button. */
  press(tab: Tab, isChanged: boolean) {
    const form = tab.forms.findLast(({ state }) => state === 'typed' || state === 'failed')
    if (!form) return
    if (isChanged || form.title === '') {
      this.#texts += 1
      form.title = `Text ${this.#texts}`
    }
    form.state = 'saving'
    tab.device.seen.add(form.title)
    const { title } = form
    this.pressed.push({ title, form, device: tab.device })
    void this.#save(tab, form, title)
  }

  async #save(tab: Tab, form: Form, title: string): Promise<void> {
    const { thing, file } = form
    const body = { title, ...(file !== undefined && { content: file }) }
    const update = (projectId: string) => ({ call: 'updateProject' as const, params: { projectId }, body })
    const create = (_id: string) => ({ call: 'createProject' as const, params: {}, body: { ...body, _id } })
    try {
      const saving = {
        version: form.version,
        update: (id: string) => update(thing ?? id),
        ...(thing === undefined && { create }),
      }
      await saveForm(form.changes, saving, tab.outbox)
      form.state = 'saved'
      if (!titlesEver().includes(title)) this.faults.push(`${title} is called saved, but is not`)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      form.state = 'failed'
      const current = error.code === 'stale' ? (error.current as Thing) : null
      // The conflict is shown, and the next press decides for the text of the form.
      if (current) {
        tab.device.seen.add(current.title)
        form.version = current.version
      }
      if (error.code === 'too_large' && isThere(title))
        this.faults.push(`${title} is called refused, but is saved`)
    }
  }

  async #act(tab: Tab, call: 'updateProject' | 'deleteProject' | 'reserveFiles', thing: string, body?: Body) {
    const params = { projectId: thing }
    const isOfForm = false
    const change = { id: newId(), call, params, body, thing, base: 0, isOfForm }
    await tab.outbox.add(change, { patience: 'endless', isStored: true }).catch(() => undefined)
  }

  act(tab: Tab, pick: number, kind: 'complete' | 'delete' | 'restore') {
    const things = [...server.things.values()]
    const thing = things[pick % Math.max(1, things.length)]
    if (!thing) return
    if (kind === 'restore') server.things.set(thing._id, { ...thing, isDeleted: false })
    else if (kind === 'complete') void this.#act(tab, 'updateProject', thing._id, { completed: true })
    else void this.#act(tab, 'deleteProject', thing._id)
  }

  /** Reloads a tab. Its forms are gone; what they have typed last is in their drafts, from which one is opened again. */
  async reload(index: number, isReopened: boolean): Promise<void> {
    const tab = this.tabs[index]
    if (!tab) return
    tab.kill()
    const draft = tab.forms.findLast(({ state }) => state === 'saving' || state === 'failed')
    for (const form of tab.forms) if (form.state === 'saving') form.state = 'gone'
    await this.#openTab(this.#devices.indexOf(tab.device), index)
    const next = this.tabs[index]
    if (!draft || !next || !isReopened) return
    const thing = draft.thing ?? draft.changes.id ?? ''
    void next.outbox.hold(thing)
    const { isSeen } = draft.changes
    const changes: FormChanges = { id: draft.changes.id, ...(isSeen && { isSeen }) }
    next.forms.push({ ...draft, changes, state: 'typed' })
  }
}

/** Whether a text is in something that is not in the trash. */
const isThere = (title: string) =>
  server.commits.some(
    (commit) => commit.title === title && server.things.get(commit.thing)?.isDeleted === false,
  )

const titlesEver = () => server.commits.map(({ title }) => title)

const inTab = fc.nat({ max: 2 })
const pick = fc.nat({ max: 4 })
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('new' as const), tab: inTab, withFile: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('same draft' as const), tab: inTab }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('edit' as const), tab: inTab, pick }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('press' as const), tab: inTab, isChanged: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('act' as const),
      tab: inTab,
      pick,
      kind: fc.constantFrom('complete' as const, 'delete' as const, 'restore' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('reload' as const), tab: inTab, isReopened: fc.boolean() }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(100, 800, 3_000) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const fate = fc.constantFrom<Fate>(
  'ok',
  'ok',
  'lost request',
  'lost response',
  'late request',
  'slow',
  'busy',
)

async function run(steps: Step[], network: Fate[]): Promise<World> {
  server = new Server()
  fates = [...network]
  const world = new World()
  await world.open()
  for (const next of steps) {
    const tab = world.tabs['tab' in next ? next.tab : 0]
    if (!tab) continue
    if (next.do === 'new') world.newForm(tab, newId(), next.withFile)
    if (next.do === 'same draft') world.sameDraft(tab, world.tabs[(next.tab + 1) % 3] ?? tab)
    if (next.do === 'edit') world.edit(tab, next.pick)
    if (next.do === 'press') world.press(tab, next.isChanged)
    if (next.do === 'act') world.act(tab, next.pick, next.kind)
    if (next.do === 'reload') await world.reload(next.tab, next.isReopened)
    await vi.advanceTimersByTimeAsync(next.do === 'wait' ? next.ms : 1)
  }
  fates = []
  await vi.advanceTimersByTimeAsync(120_000)
  return world
}

/** Replays what the server has committed, in its order. Returns what went wrong. */
function faultsOf({ tabs, pressed, faults }: World): string[] {
  const found = [...faults]
  const demand = (isRight: boolean, fault: string) => void (isRight || found.push(fault))
  const made = server.commits.map(({ change }) => change)
  demand(new Set(made).size === made.length, 'a change is made twice')
  demand(server.unknownFiles.length === 0, 'a text is saved before its files are known')
  const kept = new Set<unknown>(titlesEver())
  for (const { device } of tabs) for (const { body } of device.store.records.values()) kept.add(body?.title)
  for (const { title, form } of pressed) {
    const isInForm = form.title !== title || form.state === 'failed' || form.state === 'gone'
    demand(kept.has(title) || isInForm, `${title} is lost`)
  }
  for (const { title, before } of server.commits) {
    const writer = pressed.find((press) => press.title === title)?.device
    const isSeen = before === undefined || !writer || writer.seen.has(before)
    demand(isSeen, `${title} replaces ${before}, which its author has not seen`)
  }
  for (const { outbox } of tabs)
    for (const { record, state } of outbox.pending.read())
      demand(state === 'held', `${record.call} is not sent, although the network is back`)
  return found
}

const RUNS = process.env.MILEPOST_TESTS === 'all' ? 10_000 : 150

// oxlint-disable-next-line vitest/expect-expect -- in the property
test('nothing typed is lost, there twice, falsely called saved, or replaced unseen, whatever happens on the way', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
      fc.array(fate, { maxLength: 40, size: 'max' }),
      async (steps, network) => {
        expect(faultsOf(await run(steps, network))).toEqual([])
      },
    ),
    { numRuns: RUNS },
  )
}, 300_000)
