import { expect, test } from 'vitest'
import { fittingOf } from './pictures/fitting.ts'
import { withoutSignatures } from './players.ts'

const signed = (until: number) =>
  `<video src="/api/media/one/original?reader=ada&amp;until=${until}&amp;proof=x_${until}"></video>` +
  `<img srcset="/api/media/two/480?reader=ada&amp;until=${until}&amp;proof=y 480w, /api/media/two/widest?reader=ada&amp;until=${until}&amp;proof=z 900w">`

test('two texts are equal if only the signatures of their URLs differ', () => {
  expect(withoutSignatures(signed(1))).toBe(withoutSignatures(signed(2)))
  expect(withoutSignatures(signed(1))).toBe(
    '<video src="/api/media/one/original"></video>' +
      '<img srcset="/api/media/two/480 480w, /api/media/two/widest 900w">',
  )
  const other = signed(1).replace('/one/', '/other/')
  expect(withoutSignatures(other)).not.toBe(withoutSignatures(signed(1)))
  const link = '<a href="https://example.org/api?reader=1">'
  expect(withoutSignatures(link)).toBe(link)
})

const stage = { clientWidth: 1_296, clientHeight: 780 }
const fit = (naturalWidth: number, naturalHeight: number, room = stage) =>
  fittingOf({ naturalWidth, naturalHeight }, room)

test('in the lightbox, a picture that would be too narrow or too low to read fills the other side', () => {
  expect([fit(4_000, 3_000), fit(3_000, 4_000), fit(1_080, 2_340), fit(0, 0)]).toEqual(Array(4).fill('whole'))
  expect([fit(1_080, 16_000), fit(884, 16_383), fit(400, 9_000)]).toEqual(Array(3).fill('tall'))
  expect([fit(9_600, 960), fit(16_383, 960)]).toEqual(['wide', 'wide'])
  const phone = { clientWidth: 358, clientHeight: 740 }
  expect([fit(1_080, 2_340, phone), fit(1_080, 16_000, phone), fit(1_920, 1_080, phone)]).toEqual([
    'whole',
    'tall',
    'whole',
  ])
  expect(fit(40, 60)).toBe('whole')
})
