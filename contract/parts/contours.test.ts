import { describe, expect, it } from 'vitest'
import { CONTOUR_HEIGHT, CONTOUR_TINTS, CONTOUR_WIDTH, contoursOf, tintOfColor } from './contours.ts'

const ids = Array.from(
  { length: 60 },
  (_, index) => `01a22315-3e9d-7207-8684-${String(index).padStart(12, '0')}`,
)

describe('contours', () => {
  it('are the same for an id always, and differ from those of other ids', () => {
    expect(contoursOf('a')).toEqual(contoursOf('a'))
    expect(new Set(ids.map((id) => contoursOf(id).paths.join())).size).toBe(ids.length)
  })

  it('are lines within the drawing, in every tint', () => {
    const paths = ids.flatMap((id) => contoursOf(id).paths)
    expect(paths.filter((path) => !/^M[\dMQL. ]+$/.test(path))).toEqual([])
    const numbers = (path: string) => (path.match(/[\d.]+/g) ?? []).map(Number)
    const [x, y] = [0, 1].map((odd) =>
      Math.max(...paths.map((path) => Math.max(...numbers(path).filter((_, index) => index % 2 === odd)))),
    )
    expect(x).toBeLessThanOrEqual(CONTOUR_WIDTH)
    expect(y).toBeLessThanOrEqual(CONTOUR_HEIGHT)
    const tints = new Set(ids.map((id) => contoursOf(id).tint))
    expect([...tints].toSorted((one, other) => one - other)).toEqual(
      Array.from({ length: CONTOUR_TINTS }, (_, tint) => tint),
    )
  })

  it('have the tint that is closest to a color', () => {
    const tintOf = (r: number, g: number, b: number) => tintOfColor({ r, g, b })
    const grays = [tintOf(0, 0, 0), tintOf(120, 124, 118), tintOf(255, 255, 255)]
    expect(grays).toEqual([0, 0, 0])
    const [sky, forest, brick, sand, rose] = [
      tintOf(90, 140, 200),
      tintOf(60, 120, 50),
      tintOf(170, 70, 40),
      tintOf(220, 190, 90),
      tintOf(200, 60, 110),
    ]
    expect([sky, forest, brick, sand, rose]).toEqual([1, 2, 3, 4, 3])
  })

  it('are few enough for a page', () => {
    for (const id of ids) expect(contoursOf(id).paths.join('').length).toBeLessThan(6_000)
  })
})
