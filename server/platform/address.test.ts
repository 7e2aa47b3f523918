import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readableAddress } from './address.ts'

describe('readableAddress', () => {
  it('leaves an ordinary address as it is', () => {
    expect(readableAddress('/world/1?x=%zz#y')).toBe('/world/1?x=%zz#y')
    expect(readableAddress('/caf%C3%A9')).toBe('/caf%C3%A9')
  })

  it('lets a stray percent sign stand for itself', () => {
    expect(readableAddress('/100%')).toBe('/100%25')
    expect(readableAddress('/%ff?a=%')).toBe('/%25ff?a=%')
  })

  it('drops the origin of a full address', () => {
    expect(readableAddress('http://elsewhere.example/a?b')).toBe('/a?b')
    expect(readableAddress('http://elsewhere.example')).toBe('/')
    expect(readableAddress('*')).toBe('/*')
  })

  it('is one for all spellings of a path', () => {
    const spellings = [
      '/%69nvite/x',
      '/./invite/x',
      '/a/../invite/x',
      '/a/%2E%2e/invite/x',
      '/invite\\x',
      '/invite/%78',
    ]
    for (const spelling of spellings) expect(readableAddress(`${spelling}?y=%61`)).toBe('/invite/x?y=%61')
    const unreserved = [...'ABCXYZabcxyz0189-._~']
    const escaped = unreserved.map((email) => `%${email.charCodeAt(0).toString(16)}`)
    expect(readableAddress(`/x${escaped.join('')}`)).toBe(`/x${unreserved.join('')}`)
    const needed = '/%20%21%22%23%25%26%2F%3A%3D%3F%40%5B%5C%60%7B%7F%00'
    expect(readableAddress(needed)).toBe(needed)
  })

  it('is a decodable path of one origin, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (target) => {
        const address = readableAddress(target)
        expect(address.startsWith('/')).toBe(true)
        expect(() => decodeURIComponent(address.split(/[?#]/)[0] ?? '')).not.toThrow()
        const { origin, pathname } = new URL(`http://localhost:3000${address}`)
        expect(origin).toBe('http://localhost:3000')
        expect(readableAddress(pathname)).toBe(pathname)
      }),
    )
  })
})
