import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Thumbnails } from './thumbnails.ts'

const picture = (name: string) => new Blob([name])

/** The started drawings in their order, which the test completes. */
let drawing: PromiseWithResolvers<Blob>[]
let thumbnails: Thumbnails
let made: number
let freed: string[]

beforeEach(() => {
  drawing = []
  freed = []
  thumbnails = new Thumbnails(() => {
    const one = Promise.withResolvers<Blob>()
    drawing.push(one)
    return one.promise
  })
  made = 0
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    made += 1
    return `blob:${made}-${(blob as Blob).size}`
  })
  vi.spyOn(URL, 'revokeObjectURL').mockImplementation((url) => void freed.push(url))
})
afterEach(() => vi.restoreAllMocks())

test('thumbnails are drawn one after another', async () => {
  for (const name of ['a', 'b', 'c']) thumbnails.add(name, picture(name))
  thumbnails.add('a', picture('a'))
  await vi.waitFor(() => expect(drawing).toHaveLength(1))
  const changed = vi.fn<() => void>()
  thumbnails.subscribe(changed)
  drawing[0]?.resolve(picture('12'))
  await vi.waitFor(() => expect(drawing).toHaveLength(2))
  expect(thumbnails.find('a')).toBe('blob:1-2')
  expect(thumbnails.find('b')).toBeUndefined()
  expect(changed).toHaveBeenCalledOnce()
})

test('a picture without a thumbnail is shown itself, and the next one is drawn', async () => {
  thumbnails.add('a', picture('whole'))
  thumbnails.add('b', picture('b'))
  await vi.waitFor(() => expect(drawing).toHaveLength(1))
  drawing[0]?.reject(new DOMException('cannot decode'))
  await vi.waitFor(() => expect(drawing).toHaveLength(2))
  expect(thumbnails.find('a')).toBe('blob:1-5')
})

test('closing the editor frees the thumbnails, and no more are drawn', async () => {
  for (const name of ['a', 'b', 'c']) thumbnails.add(name, picture(name))
  await vi.waitFor(() => expect(drawing).toHaveLength(1))
  drawing[0]?.resolve(picture('1'))
  await vi.waitFor(() => expect(drawing).toHaveLength(2))
  thumbnails.clear()
  expect(freed).toEqual(['blob:1-1'])
  drawing[1]?.resolve(picture('2'))
  thumbnails.add('d', picture('d'))
  await vi.waitFor(() => expect(drawing).toHaveLength(3))
  expect(made).toBe(1)
})
