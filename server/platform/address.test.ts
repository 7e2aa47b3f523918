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

  it('is a decodable path of one origin, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (target) => {
        const address = readableAddress(target)
        expect(address.startsWith('/')).toBe(true)
        expect(() => decodeURIComponent(address.split(/[?#]/)[0] ?? '')).not.toThrow()
        expect(new URL(`http://localhost:3000${address}`).origin).toBe('http://localhost:3000')
      }),
    )
  })
})
