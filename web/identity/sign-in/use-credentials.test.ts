import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearRemembered, readRemembered, remember } from './use-credentials.ts'

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => void vi.unstubAllGlobals())

test('name and email survive a failed attempt, a password never does', () => {
  remember({ name: 'Ada', email: 'ada@example.test', password: 'engine', confirmation: 'engine' })
  expect(readRemembered()).toEqual({ name: 'Ada', email: 'ada@example.test' })
  expect([...stored.values()].join('')).not.toContain('engine')
})

test('a failed sign-in keeps the name that a failed registration had', () => {
  remember({ name: 'Ada', email: 'ada@example.test' })
  remember({ email: 'lovelace@example.test' })
  expect(readRemembered()).toEqual({ name: 'Ada', email: 'lovelace@example.test' })
})

test('signing in leaves no form data behind', () => {
  remember({ email: 'ada@example.test' })
  clearRemembered()
  expect(readRemembered()).toEqual({})
})

test('an invalid stored value is ignored', () => {
  stored.set('signInTyped', '{"email":7}')
  expect(readRemembered()).toEqual({})
})
