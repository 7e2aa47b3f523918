import { expect, test, vi } from 'vitest'
import { unreachable } from './api-error.ts'
import { endSession } from './client.ts'
import { createWithSecret } from './secrets.ts'

type Item = { _id: string; name: string }

/** A server that executes calls, but whose first responses are lost. */
function server(lost: number, onList = () => {}) {
  const items: Item[] = [{ _id: 'other', name: 'Robot' }]
  let made = 0
  const make = async (name: string) => {
    made += 1
    items.push({ _id: `made ${made}`, name })
    if (made <= lost) throw unreachable(new TypeError('fetch failed'))
    return `secret ${made}`
  }
  const remove = vi.fn<(item: Item) => Promise<void>>(async (item) => {
    items.splice(items.indexOf(item), 1)
  })
  const press = (name: string) =>
    createWithSecret({
      id: `token ${lost}`,
      list: async () => {
        onList()
        return [...items]
      },
      make: () => make(name),
      remove,
      isRequested: (item) => item.name === name,
    })
  return { items, press, remove }
}

test('a secret whose response was lost is deleted before it is created again, even under another name', async () => {
  const { items, press } = server(2)
  await expect(press('Robot')).rejects.toMatchObject({ code: 'unreachable' })
  await expect(press('Machine')).rejects.toMatchObject({ code: 'unreachable' })
  expect(await press('Engine')).toBe('secret 3')
  expect(items.map(({ name }) => name)).toEqual(['Robot', 'Engine'])
})

test('secrets that somebody else created in the meantime are kept, and all if no response was lost', async () => {
  const { items, press, remove } = server(1)
  await expect(press('Machine')).rejects.toMatchObject({ code: 'unreachable' })
  items.push({ _id: 'theirs', name: 'Theirs' })
  await press('Machine')
  await press('Machine')
  expect(remove).toHaveBeenCalledOnce()
  expect(items.map(({ name }) => name)).toEqual(['Robot', 'Theirs', 'Machine', 'Machine'])
})

test('secrets of the next person are kept, even if a response to the previous person was lost', async () => {
  const { items, press, remove } = server(1)
  await expect(press('Machine')).rejects.toMatchObject({ code: 'unreachable' })
  endSession()
  items.splice(0, items.length, { _id: 'theirs', name: 'Machine' })
  await press('Machine')
  expect(remove).not.toHaveBeenCalled()
})

test('nothing is removed or created once the caller’s session has ended', async () => {
  const onList = vi.fn<() => void>()
  const { items, press, remove } = server(1, onList)
  await expect(press('Machine')).rejects.toMatchObject({ code: 'unreachable' })
  const before = [...items]
  onList.mockImplementation(endSession)
  await expect(press('Machine')).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(remove).not.toHaveBeenCalled()
  expect(items).toEqual(before)
})
