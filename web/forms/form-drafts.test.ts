import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  clearInterrupted,
  isInterrupted,
  markInterrupted,
  readFormDraft,
  removeFormDraft,
  storeFormDraft,
} from './form-drafts.ts'

const schema = z.object({ title: z.string() })
const adas = { form: 'project/new', personId: 'ada' }

function storage() {
  const stored = new Map<string, string>()
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', storage())
  vi.stubGlobal('sessionStorage', storage())
})
afterEach(() => void vi.unstubAllGlobals())

test('a draft is restored until it is saved or discarded', () => {
  expect(storeFormDraft(adas, { title: 'Canoe' })).toBe(true)
  expect(readFormDraft(adas, schema)).toEqual({ title: 'Canoe' })
  removeFormDraft(adas)
  expect(readFormDraft(adas, schema)).toBeNull()
})

test('a draft is shown only to its writer, and in its own form', () => {
  storeFormDraft(adas, { title: 'Canoe' })
  expect(readFormDraft({ ...adas, personId: 'grace' }, schema)).toBeNull()
  expect(readFormDraft({ ...adas, form: 'project/1' }, schema)).toBeNull()
})

test('a draft with other fields is ignored', () => {
  storeFormDraft(adas, { name: 'Canoe' })
  expect(readFormDraft(adas, schema)).toBeNull()
})

test('the form that an expired session closed is reopened only for its writer, once', () => {
  markInterrupted(adas)
  expect(isInterrupted({ ...adas, personId: 'grace' })).toBe(false)
  expect(isInterrupted({ ...adas, form: 'project/1' })).toBe(false)
  expect(isInterrupted(adas)).toBe(true)
  clearInterrupted()
  expect(isInterrupted(adas)).toBe(false)
})

test('a browser that forbids storage is reported and breaks nothing', () => {
  const forbid = () => {
    throw new DOMException('forbidden', 'SecurityError')
  }
  const forbidden = { getItem: forbid, setItem: forbid, removeItem: forbid }
  vi.stubGlobal('localStorage', forbidden)
  vi.stubGlobal('sessionStorage', forbidden)
  expect(storeFormDraft(adas, { title: 'Canoe' })).toBe(false)
  expect(readFormDraft(adas, schema)).toBeNull()
  expect(isInterrupted(adas)).toBe(false)
  for (const run of [() => removeFormDraft(adas), () => markInterrupted(adas), clearInterrupted]) {
    expect(run).not.toThrow()
  }
})
