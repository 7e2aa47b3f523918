import { describe, expect, it } from 'vitest'
import { derive } from '#server/platform/secrets.ts'
import { createLinks, type SignedParams } from './links.ts'

const IMAGE = '5f0e6a52-4f1c-4a53-9a35-6a4b1f1f0d11'
const HOUR = 3_600

const secret = derive('the secret that signs links in this test')
const clock = (seconds: number) => () => new Date(seconds * 1000)
const NOW = 1_800_000 * 1_000

const signedOf = (url: string): SignedParams => {
  const { reader = '', until, proof = '' } = Object.fromEntries(new URL(url, 'http://x').searchParams)
  return { reader, until: Number(until), proof }
}

const linksAt = (seconds: number, current = secret, previous: typeof secret | null = null) =>
  createLinks({ current, previous }, clock(seconds))

describe('a personal link', () => {
  it('is valid for at least an hour and at most an hour and a half', () => {
    for (const at of [NOW, NOW + 1, NOW + 899, NOW + 1_799]) {
      const signed = signedOf(linksAt(at).personal(IMAGE, 'widest', 'ada'))
      const left = linksAt(at).secondsLeft(IMAGE, signed)
      expect(left).toBeGreaterThanOrEqual(HOUR)
      expect(left).toBeLessThanOrEqual(1.5 * HOUR)
      expect(linksAt(signed.until).secondsLeft(IMAGE, signed)).toBe(0)
    }
  })

  it('stays the same for a while, so that browsers can reuse the cached image', () => {
    const at = (seconds: number) => linksAt(seconds).personal(IMAGE, 'widest', 'ada')
    expect(at(NOW + 1_799)).toBe(at(NOW))
    expect(at(NOW + 1_800)).not.toBe(at(NOW))
  })

  it('is accepted with the previous secret, and with no other', () => {
    const next = derive('the secret that signs links from now on')
    const signed = signedOf(linksAt(NOW).personal(IMAGE, 'widest', 'ada'))
    expect(linksAt(NOW, next, secret).secondsLeft(IMAGE, signed)).toBeGreaterThan(0)
    expect(linksAt(NOW, next).secondsLeft(IMAGE, signed)).toBe(0)
  })

  it('cannot be assembled from parts of other links', () => {
    const signed = signedOf(linksAt(NOW).personal(IMAGE, 'widest', 'ada'))
    const tried = [
      { ...signed, reader: 'grace' },
      { ...signed, reader: `ada",${signed.until},"` },
      { ...signed, until: signed.until + 1 },
      { ...signed, until: Number.NaN },
      { ...signed, proof: signed.proof.slice(0, -2) },
      { ...signed, proof: '' },
    ]
    for (const forged of tried) expect(linksAt(NOW).secondsLeft(IMAGE, forged)).toBe(0)
    expect(linksAt(NOW).secondsLeft(IMAGE.replace('5', '6'), signed)).toBe(0)
  })
})
