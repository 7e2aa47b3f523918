import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { CallInput } from '#contract/call.ts'
import type { Calls } from '#contract/calls.ts'
import { create, type SendingForm, update } from './saving.ts'

const send = vi.fn<(path: string, init: RequestInit) => Promise<Response>>()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', send)
  vi.stubGlobal('navigator', { onLine: true })
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  send.mockReset()
})

const saved = () => new Response('{"_id":"1"}', { status: 201 })
const refused = (status: number, code: string) =>
  new Response(JSON.stringify({ code, message: 'No' }), { status })
const unknown = () => refused(503, 'outcome_unknown')

const keys = () => send.mock.calls.map(([, { headers }]) => new Headers(headers).get('idempotency-key'))

const newForm = (): SendingForm => ({ calls: { updates: [] }, keep() {} })

/** Creates a project, and advances the timers past all delays. */
async function createProject(title: string) {
  const created = create('createProject', { body: { title, description: 'Strip by strip' } })
  const outcome = created.catch((error: unknown) => error)
  await vi.runAllTimersAsync()
  return outcome
}

test('a call whose response was lost is retried with its key, unnoticed by its user', async () => {
  send.mockRejectedValueOnce(new TypeError('fetch failed'))
  send.mockResolvedValueOnce(new Response('{"_id":', { status: 201 }))
  send.mockResolvedValueOnce(unknown())
  send.mockResolvedValueOnce(saved())
  expect(await createProject('Canoe')).toEqual({ _id: '1' })
  expect(keys()).toHaveLength(4)
  expect(new Set(keys()).size).toBe(1)
  expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/)
})

test('each call has a separate key, even with the same input', async () => {
  send.mockImplementation(async () => saved())
  await createProject('Canoe')
  await createProject('Canoe')
  expect(new Set(keys()).size).toBe(2)
})

test('an uncertain outcome keeps its key for a retry, and for nothing else', async () => {
  send.mockImplementation(async () => unknown())
  expect(await createProject('Kayak')).toMatchObject({ code: 'outcome_unknown' })
  const [key] = keys()
  expect(keys()).toHaveLength(5)

  send.mockReset()
  send.mockImplementation(async () => saved())
  await createProject('Raft')
  await createProject('Kayak')
  await createProject('Kayak')
  expect(keys().indexOf(key ?? '')).toBe(1)
  expect(keys().filter((sent) => sent === key)).toHaveLength(1)
})

test('a call with the same identity repeats the input of the first', async () => {
  const make = async (description: string, onRepeat: () => void) => {
    const input = { body: { title: 'Raft', description } }
    const created = create('createProject', input, { identity: 'the raft', onRepeat })
    const outcome = created.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }
  const onRepeat = vi.fn<() => void>()
  send.mockImplementation(async () => unknown())
  await make('At nine', onRepeat)
  expect(onRepeat).not.toHaveBeenCalled()
  send.mockImplementation(async () => saved())
  await make('At ten', onRepeat)
  expect(onRepeat).toHaveBeenCalledOnce()
  expect(new Set(keys()).size).toBe(1)
  expect(new Set(send.mock.calls.map(([, { body }]) => body)).size).toBe(1)
})

describe('a form whose fields change after a response was lost', () => {
  const made = { _id: '1', title: 'Canoe', description: 'Strip by strip', version: 1 }
  const answer = (status: number, body: object) => new Response(JSON.stringify(body), { status })
  const projects = () =>
    send.mock.calls.map(([path, init]) => `${init.method} ${path} ${JSON.parse(init.body as string).title}`)

  async function press(title: string, form: SendingForm) {
    const body = { title, description: 'Strip by strip', isPublic: false }
    const amend = ({ _id: projectId, version }: { _id: string; version: number }) =>
      update('updateProject', { params: { projectId }, body }, version)
    const created = create('createProject', { body }, { form, amend })
    const outcome = created.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }

  async function lose(title: string, form: SendingForm) {
    send.mockImplementation(async () => unknown())
    await press(title, form)
    send.mockReset()
  }

  test('creates one resource, and updates it', async () => {
    const form = newForm()
    await lose('Canoe', form)
    send.mockResolvedValueOnce(answer(201, made))
    send.mockResolvedValueOnce(answer(200, { ...made, title: 'Kayak', version: 2 }))
    expect(await press('Kayak', form)).toMatchObject({ _id: '1', title: 'Kayak' })
    expect(projects()).toEqual(['POST /api/projects Canoe', 'PUT /api/projects/1 Kayak'])
  })

  test('creates another resource from another form', async () => {
    await lose('Canoe', newForm())
    send.mockImplementation(async () => saved())
    await press('Kayak', newForm())
    expect(projects()).toEqual(['POST /api/projects Kayak'])
  })

  test('ends with the last fields if the first ones are typed again', async () => {
    const form = newForm()
    await lose('Canoe', form)
    send.mockResolvedValueOnce(answer(201, made))
    send.mockImplementation(async () => unknown())
    await press('Kayak', form)
    send.mockReset()
    send.mockResolvedValueOnce(answer(201, made))
    const current = { ...made, title: 'Kayak', isPublic: false, version: 2 }
    send.mockResolvedValueOnce(answer(412, { code: 'stale', message: 'Changed', current }))
    send.mockResolvedValueOnce(answer(200, { ...made, version: 3 }))
    expect(await press('Canoe', form)).toMatchObject({ title: 'Canoe', version: 3 })
  })

  test('creates the resource with the current fields if the first ones are refused', async () => {
    const form = newForm()
    await lose('', form)
    send.mockResolvedValueOnce(refused(400, 'invalid'))
    send.mockResolvedValueOnce(answer(201, made))
    expect(await press('Canoe', form)).toEqual(made)
    expect(new Set(keys()).size).toBe(2)
  })

  test('shows changes by others in the meantime, and is based on them', async () => {
    const form = newForm()
    await lose('Canoe', form)
    const current = { ...made, title: 'Theirs', version: 2 }
    send.mockResolvedValueOnce(answer(201, made))
    send.mockResolvedValueOnce(answer(412, { code: 'stale', message: 'Changed', current }))
    expect(await press('Kayak', form)).toMatchObject({ code: 'stale', current })
    send.mockResolvedValueOnce(answer(201, made))
    send.mockResolvedValueOnce(answer(200, { ...made, title: 'Kayak', version: 3 }))
    expect(await press('Kayak', form)).toMatchObject({ version: 3 })
    expect(new Headers(send.mock.lastCall?.[1].headers).get('if-match')).toBe('"2"')
  })
})

describe('the stored calls of a form', () => {
  const body = { title: 'Canoe', description: 'Strip by strip', isPublic: false }
  let presses = 0

  async function press(status: number, first = status) {
    const sent = { ...body, description: `Strip ${(presses += 1)}` }
    const form = { calls: { updates: [] } as SendingForm['calls'], keep: vi.fn<() => void>() }
    send.mockImplementationOnce(async () => {
      expect(form.keep).toHaveBeenCalledOnce()
      expect(form.calls.creation).toMatchObject({ input: { body: sent } })
      return first === 201 ? saved() : refused(first, 'unavailable')
    })
    send.mockImplementation(async () => refused(status, 'unavailable'))
    const created = create('createProject', { body: sent }, { form }).catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    await created
    return form.calls.creation
  }

  test('are stored before they are sent, until their outcome is known', async () => {
    expect(await press(201)).toBeUndefined()
    expect(await press(500)).toBeUndefined()
    expect(await press(503)).toBeDefined()
  })

  test('are kept if the session ends after a response was lost', async () => {
    expect(await press(401)).toBeUndefined()
    expect(await press(401, 503)).toBeDefined()
  })

  test('prevent another page from creating the resource twice', async () => {
    const [made, other] = [
      { _id: '1', version: 1 },
      { ...body, title: 'Kayak' },
    ]
    const creation = await press(503)
    send.mockReset()
    send.mockImplementation(async () => new Response(JSON.stringify(made)))
    const calls = { creation: structuredClone(creation), updates: [] }
    const amend = async () => ({ ...made, title: 'Kayak' }) as never
    const created = create('createProject', { body: other }, { form: { calls, keep() {} }, amend })
    expect(await created).toMatchObject({ title: 'Kayak' })
    expect(keys()).toEqual([creation?.key])
    expect(calls.creation).toBeUndefined()
  })

  test('prevent a conflict with oneself in another page', async () => {
    const input = { params: { projectId: '1' }, body: { ...body, title: 'Raft' } }
    const form = { calls: { updates: [body] as object[] }, keep() {} }
    const stale = { code: 'stale', message: 'Changed', current: { ...body, version: 4 } }
    send.mockResolvedValueOnce(new Response(JSON.stringify(stale), { status: 412 }))
    send.mockResolvedValueOnce(new Response(JSON.stringify({ version: 5 })))
    expect(await update('updateProject', input, 3, { form })).toEqual({ version: 5 })
    expect(form.calls.updates).toEqual([])
  })
})

test('the created resource is found if every response was lost, and the next call is a new one', async () => {
  const make = async (found: { _id: string; version: number } | undefined) => {
    const find = async () => found as never
    const created = create('createProject', { body: { title: 'Dory', description: 'Oak' } }, { find })
    const outcome = created.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }
  send.mockImplementation(async () => unknown())
  expect(await make(undefined)).toMatchObject({ code: 'outcome_unknown' })
  expect(await make({ _id: '1', version: 1 })).toEqual({ _id: '1', version: 1 })
  const [lost] = keys()
  expect(new Set(keys())).toEqual(new Set([lost]))
  send.mockReset()
  send.mockImplementation(async () => saved())
  await make(undefined)
  expect(keys()).not.toContain(lost)
})

test('an error response is final, and so is a missing connection', async () => {
  send.mockResolvedValueOnce(refused(409, 'conflict'))
  expect(await createProject('Canoe')).toMatchObject({ code: 'conflict' })
  vi.stubGlobal('navigator', { onLine: false })
  send.mockRejectedValueOnce(new TypeError('fetch failed'))
  expect(await createProject('Canoe')).toMatchObject({ code: 'unreachable' })
  expect(keys()).toHaveLength(2)
})

describe('a change whose response was lost', () => {
  const projectId = '0198c0de-0000-7000-8000-000000000001'
  const sent = { title: 'Canoe', description: 'Strip by strip', isPublic: false }

  async function change(body: CallInput<Calls['updateProject']>['body'] = sent) {
    const changed = update('updateProject', { params: { projectId }, body }, 3)
    const outcome = changed.catch((error: unknown) => error)
    await vi.runAllTimersAsync()
    return outcome
  }

  const stale = (current: object) =>
    new Response(JSON.stringify({ code: 'stale', message: 'Changed', current }), { status: 412 })

  test('is retried, and succeeds if the server already has it', async () => {
    const current = { ...sent, _id: projectId, version: 4 }
    send.mockResolvedValueOnce(unknown())
    send.mockResolvedValueOnce(stale(current))
    expect(await change()).toEqual(current)
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('succeeds if it removed a field that responses then omit', async () => {
    const current = { ...sent, _id: projectId, version: 4 }
    send.mockRejectedValueOnce(new TypeError('fetch failed'))
    send.mockResolvedValueOnce(stale(current))
    expect(await change({ ...sent, coverFile: null })).toEqual(current)
  })

  test('is the base of later changes', async () => {
    send.mockImplementation(async () => unknown())
    await change({ ...sent, title: 'Kayak' })
    send.mockReset()
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Kayak', version: 4 }))
    send.mockResolvedValueOnce(new Response(JSON.stringify({ ...sent, version: 5 })))
    expect(await change()).toEqual({ ...sent, version: 5 })
    expect(send.mock.calls.map(([, { headers }]) => new Headers(headers).get('if-match'))).toEqual([
      '"3"',
      '"4"',
    ])
  })

  test('does not overwrite what somebody else has saved in the meantime', async () => {
    send.mockImplementation(async () => unknown())
    await change({ ...sent, title: 'Kayak' })
    send.mockReset()
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Raft', version: 4 }))
    expect(await change()).toMatchObject({ code: 'stale', current: { title: 'Raft' } })
    expect(send).toHaveBeenCalledOnce()
  })

  test('succeeds regardless of its draft, which the caller handles', async () => {
    const entry = { title: 'Rye', content: 'Fed', tags: [], version: 2 }
    const input = { params: { milestoneId: '1', entryId: '2' }, body: { ...entry, draft: '3' } }
    const onRepeat = vi.fn<() => void>()
    send.mockResolvedValueOnce(stale(entry))
    expect(await update('updateEntry', input, 1, { onRepeat })).toEqual(entry)
    expect(onRepeat).toHaveBeenCalledOnce()
  })

  test('is a conflict if somebody else has saved the same text, perhaps with another image', async () => {
    const entry = { title: 'Rye', content: 'Fed', tags: [], version: 2 }
    const { version: _, ...text } = entry
    const input = {
      params: { milestoneId: '1', entryId: '3' },
      body: { ...text, removeImage: true as const },
    }
    const form = newForm()
    const save = () => update('updateEntry', input, 1, { form })
    send.mockResolvedValueOnce(stale(entry))
    await expect(save()).rejects.toMatchObject({ code: 'stale', current: entry })
    expect(send).toHaveBeenCalledOnce()

    send.mockResolvedValueOnce(unknown())
    send.mockResolvedValueOnce(stale(entry))
    send.mockResolvedValueOnce(new Response(JSON.stringify({ ...entry, version: 3 })))
    const saving = save()
    await vi.runAllTimersAsync()
    expect(await saving).toMatchObject({ version: 3 })
  })

  test('is based on the version that its form has seen, if only the version differs', async () => {
    const form = { calls: { updates: [] }, keep: () => {}, isSeen: () => true }
    const changed = () => update('updateProject', { params: { projectId }, body: sent }, 3, { form })
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Kayak', version: 5 }))
    send.mockResolvedValueOnce(new Response(JSON.stringify({ ...sent, version: 6 })))
    expect(await changed()).toEqual({ ...sent, version: 6 })
    expect(new Headers(send.mock.lastCall?.[1].headers).get('if-match')).toBe('"5"')
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Kayak', version: 3 }))
    await expect(changed()).rejects.toMatchObject({ code: 'stale' })
  })

  test('is a conflict if the server has other values', async () => {
    send.mockResolvedValueOnce(unknown())
    send.mockResolvedValueOnce(stale({ ...sent, title: 'Kayak', version: 4 }))
    expect(await change()).toMatchObject({ code: 'stale', current: { title: 'Kayak' } })
  })
})
