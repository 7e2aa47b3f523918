import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#web/api/api-error.ts'
import { endSession } from '#web/api/client.ts'
import { type FormChanges, saveForm } from './form-changes.ts'
import type { Outbox } from './outbox.ts'
import { createWithSecret } from './secret.ts'
import { createTestPage, createTestStore } from './testing.ts'

type Project = { _id: string; title: string; version: number; changes: string[] }

/** The server as clients see it: rows remember their changes. */
class Server {
  projects = new Map<string, Project>()
  titles: string[] = []
  /** What happens to the next requests. */
  next: ('lost request' | 'lost response' | 'refused')[] = []
  created = 0

  fetch = async (path: string, { method, headers, body }: RequestInit): Promise<Response> => {
    const fate = this.next.shift()
    if (fate === 'lost request') throw new TypeError('fetch failed')
    if (fate === 'refused') return refusal(400, 'invalid')
    const response = this.#answer(path, method === 'POST', new Headers(headers), JSON.parse(body as string))
    if (fate === 'lost response') throw new TypeError('fetch failed')
    return response
  }

  #answer(path: string, isNew: boolean, headers: Headers, body: { _id: string; title: string }): Response {
    const change = headers.get('idempotency-key') ?? ''
    const before = this.projects.get(isNew ? body._id : path.replace('/api/projects/', ''))
    if (isNew && before) {
      const isApplied = before.changes[0] === change
      return Response.json(before, { headers: { 'change-applied': String(isApplied) } })
    }
    if (!isNew && !before) return refusal(404, 'not_found')
    if (before?.changes.includes(change)) return Response.json(before)
    if (before && `"${before.version}"` !== headers.get('if-match')) return refusal(412, 'stale', before)
    const { _id, title } = before ? { ...body, _id: before._id } : body
    const saved = {
      _id,
      title,
      version: (before?.version ?? 0) + 1,
      changes: [...(before?.changes ?? []), change],
    }
    if (isNew) this.created += 1
    this.titles.push(title)
    this.projects.set(_id, saved)
    return Response.json(saved, { status: isNew ? 201 : 200 })
  }

  /** Somebody else changes the only project. */
  changeElsewhere(title: string) {
    for (const project of this.projects.values())
      this.projects.set(project._id, { ...project, title, version: project.version + 1 })
  }
}

const refusal = (status: number, code: string, current?: object) =>
  Response.json({ code, message: 'No', current }, { status })

let server = new Server()
let store = createTestStore()
let page: Outbox

/** Opens a page of the browser. */
async function open() {
  page = createTestPage(store).outbox
  await page.open('ada')
}

beforeEach(async () => {
  server = new Server()
  store = createTestStore()
  vi.useFakeTimers()
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => server.fetch(path, init))
  vi.stubGlobal('navigator', { onLine: true })
  await open()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function settled<T>(promise: Promise<T>): Promise<T | ApiError> {
  const outcome = promise.catch((error: unknown) => error as ApiError)
  await vi.runAllTimersAsync()
  return outcome
}

/** Presses the button of a form. */
const press = (form: FormChanges, title: string, version = 0) =>
  settled(
    saveForm(
      form,
      {
        version,
        create: (_id) => ({ call: 'createProject', params: {}, body: { title, _id } }),
        update: (projectId) => ({ call: 'updateProject', params: { projectId }, body: { title } }),
      },
      page,
    ),
  )

const ALL_TRIES = 3
const lose = (fate: 'lost request' | 'lost response') => {
  server.next = Array.from({ length: ALL_TRIES }, () => fate)
}
const titles = () => [...server.projects.values()].map(({ title }) => title)

describe('a form', () => {
  test('that is sent again after another change of its thing leaves nothing in the outbox', async () => {
    const form: FormChanges = {}
    await press(form, 'A')
    lose('lost response')
    await press(form, 'B', 1)
    const thing = form.id ?? ''
    const body = { isPublic: true }
    const other = {
      id: 'other',
      call: 'updateProject',
      params: { projectId: thing },
      body,
      thing,
      base: 0,
    } as const
    const adding = { patience: 'endless', isStored: true } as const
    page.add({ ...other, isOfForm: false }, adding).catch(() => undefined) // it names no version
    await press(form, 'B', 1)
    expect(page.ofForm(thing)).toEqual([])
  })

  test('creates one thing, which has the id of the form, whatever is lost', async () => {
    const form: FormChanges = {}
    server.next = ['lost request', 'lost response']
    expect(await press(form, 'Canoe')).toMatchObject({ _id: form.id, title: 'Canoe' })
    expect([server.created, server.titles]).toEqual([1, ['Canoe']])
    expect([...store.records]).toEqual([])
  })

  test('that has changed since its response was lost sends the same again, and then the change of it', async () => {
    for (const fate of ['lost request', 'lost response'] as const) {
      const form: FormChanges = {}
      lose(fate)
      expect(await press(form, `Canoe, ${fate}`)).toMatchObject({ code: 'unreachable' })
      await open()
      expect(await press({ id: form.id }, `Kayak, ${fate}`)).toMatchObject({ version: 2 })
    }
    expect(titles()).toEqual(['Kayak, lost request', 'Kayak, lost response'])
    expect(server.created).toBe(2)
  })

  test('bases its next change on its own, not on the version of an answer that others have changed', async () => {
    const form: FormChanges = {}
    lose('lost response')
    await press(form, 'Canoe')
    server.changeElsewhere('Raft')
    const refused = await press(form, 'Kayak')
    expect(refused).toMatchObject({ code: 'stale', current: { title: 'Raft', version: 2 } })
    expect(form.acknowledged).toMatchObject({ body: { title: 'Canoe' }, version: 1 })
    expect(titles()).toEqual(['Raft'])
    expect(await press(form, 'Kayak', 2)).toMatchObject({ title: 'Kayak', version: 3 })
  })

  test('saves over a version whose fields the person has seen', async () => {
    const form: FormChanges = { isSeen: () => true }
    await press(form, 'Canoe')
    server.changeElsewhere('Canoe')
    expect(await press(form, 'Kayak', 1)).toMatchObject({ title: 'Kayak', version: 3 })
  })

  test('that another browser has saved with another text is in conflict with that, and with the same text is not', async () => {
    const form: FormChanges = {}
    await press(form, 'Canoe')
    store = createTestStore()
    await open()
    const other = { id: form.id }
    expect(await press(other, 'Kayak')).toMatchObject({ code: 'stale', current: { title: 'Canoe' } })
    expect(await press({ ...other, isSeen: () => true }, 'Kayak')).toMatchObject({ title: 'Kayak' })
    expect(server.created).toBe(1)
  })

  test('whose earlier fields are refused sends the current ones', async () => {
    const form: FormChanges = {}
    lose('lost request')
    await press(form, 'Canoe')
    server.next = ['refused']
    expect(await press(form, 'Kayak')).toMatchObject({ title: 'Kayak', version: 1 })
    expect(server.titles).toEqual(['Kayak'])
  })

  test('that the server refuses is not sent a second time', async () => {
    server.next = ['refused']
    expect(await press({}, 'Canoe')).toMatchObject({ code: 'invalid' })
    expect(server.titles).toEqual([])
  })
})

describe('something with a secret', () => {
  /** A server that creates, but shows a secret only in the first response. */
  function tokens() {
    const made = new Map<string, string>()
    const fates: ('lost' | undefined)[] = []
    const remove = vi.fn<(id: string) => Promise<void>>(async (id) => {
      if (!made.delete(id)) throw new ApiError(404, 'not_found', 'Token not found')
    })
    const make = async (id: string, name: string) => {
      const isRepeated = made.has(id)
      made.set(id, name)
      if (fates.shift() === 'lost') throw new ApiError(0, 'unreachable', 'No connection')
      return isRepeated ? { secretShown: false } : { token: `secret of ${name}` }
    }
    const create = (name: string) =>
      settled(createWithSecret({ kind: 'token', make: (id) => make(id, name), remove }))
    return { made, fates, create, remove }
  }

  test('is created anew if the response with the secret was lost', async () => {
    const { made, fates, create } = tokens()
    fates.push('lost')
    expect(await create('Robot')).toEqual({ token: 'secret of Robot' })
    expect([...made.values()]).toEqual(['Robot'])
  })

  test('is deleted by the next attempt, even under another name, if all responses were lost', async () => {
    const { made, fates, create } = tokens()
    fates.push('lost', 'lost', 'lost')
    expect(await create('Robot')).toMatchObject({ code: 'unreachable' })
    expect(await create('Machine')).toEqual({ token: 'secret of Machine' })
    expect([...made.values()]).toEqual(['Machine'])
  })

  test('is left alone in the session of the next person', async () => {
    const { fates, create, remove } = tokens()
    fates.push('lost', 'lost', 'lost')
    await create('Robot')
    endSession()
    expect(await create('Machine')).toEqual({ token: 'secret of Machine' })
    expect(remove).not.toHaveBeenCalled()
  })
})
