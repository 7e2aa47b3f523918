import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { invitationIn, loginPath, ownPath, registerPath, safeRedirect } from './redirect.ts'

const ORIGIN = 'https://milepost.example'

const trickyParts = [
  '/',
  '\\',
  '//',
  '\t',
  '\n',
  '\0',
  '@',
  ':',
  '.',
  '..',
  '%2f',
  '%5c',
  '?',
  '#',
  'evil.example',
]
const tricky = fc
  .array(fc.constantFrom(...trickyParts, 'javascript:', 'https:'))
  .map((parts) => parts.join(''))

describe('safeRedirect', () => {
  it('follows a path of this origin with its query and fragment', () => {
    expect(safeRedirect('/invite/abc?x=1#top', ORIGIN)).toBe('/invite/abc?x=1#top')
    expect(safeRedirect('/', ORIGIN)).toBe('/')
  })

  it.each([
    null,
    undefined,
    '',
    'dashboard',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/x/..//evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '\\/evil.example',
    ' /dashboard',
  ])('leads to the dashboard instead of %j', (path) => {
    expect(safeRedirect(path, ORIGIN)).toBe('/dashboard')
  })

  it('never leaves the origin', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          tricky,
          tricky.map((text) => `/${text}`),
          fc.string({ unit: 'binary' }),
        ),
        (path) => {
          const target = safeRedirect(path, ORIGIN)
          expect(target).toMatch(/^\/(?![/\\])/)
          expect(new URL(target, ORIGIN).origin).toBe(ORIGIN)
        },
      ),
    )
  })
})

describe('ownPath', () => {
  it('is null for any other path', () => {
    expect(ownPath('/projects/1', ORIGIN)).toBe('/projects/1')
    expect(ownPath('//evil.example', ORIGIN)).toBeNull()
  })
})

describe('registerPath', () => {
  it('carries the path so that it comes back whole', () => {
    expect(registerPath('/invite/a-b_c')).toBe('/register?redirect=%2Finvite%2Fa-b_c')
  })
})

describe('loginPath', () => {
  it('carries the path so that it comes back whole', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const path = `/projects/${encodeURIComponent(text)}?q=${encodeURIComponent(text)}#x`
        const parameter = new URL(loginPath(path), ORIGIN).searchParams.get('redirect')
        expect(safeRedirect(parameter, ORIGIN)).toBe(new URL(path, ORIGIN).href.slice(ORIGIN.length))
      }),
    )
  })
})

describe('the invitation that led to an auth page', () => {
  it.each([
    ['invitation=abc', 'abc'],
    ['redirect=%2Finvite%2Fa-b_c', 'a-b_c'],
    ['redirect=%2Finvite%2Fabc&invitation=other', 'other'],
    ['redirect=%2Fprojects%2Finvite%2Fabc', undefined],
    ['', undefined],
  ])('of %s is %s', (search, token) => {
    expect(invitationIn(new URLSearchParams(search))).toBe(token)
  })
})
