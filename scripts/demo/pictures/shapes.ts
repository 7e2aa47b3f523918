import type { Random } from '#scripts/demo/random.ts'

export const WIDTH = 1_200
export const HEIGHT = 800

export type Point = readonly [x: number, y: number]

/** Formats a point for paths and polygons. */
export const xy = ([x, y]: Point) => `${x},${y}`

/** Joins the results of `make` for `length` indexes. */
export const times = (length: number, make: (index: number) => string) =>
  Array.from({ length }, (_, index) => make(index)).join('')

export const rectangle = (x: number, y: number, width: number, height: number, rest: string) =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" ${rest}/>`

export const circle = (x: number, y: number, radius: number, rest: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" ${rest}/>`

export const line = (from: Point, to: Point, rest: string) => `<path d="M${xy(from)}L${xy(to)}" ${rest}/>`

export const polygon = (points: readonly Point[], rest: string) =>
  `<polygon points="${points.map(xy).join(' ')}" ${rest}/>`

/** A gradient from the top to the bottom, referenced as `url(#id)`. */
export const gradient = (id: string, ...colours: string[]) =>
  `<linearGradient id="${id}" x2="0" y2="1">${stops(colours)}</linearGradient>`

export const glow = (id: string, ...colours: string[]) =>
  `<radialGradient id="${id}">${stops(colours)}</radialGradient>`

const stops = (colours: string[]) =>
  colours
    .map((colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`)
    .join('')

export const backdrop = (fill: string) => rectangle(0, 0, WIDTH, HEIGHT, `fill="${fill}"`)

/** A blur filter. */
export const blur = (id: string, deviation: number) =>
  `<filter id="${id}" x="-50%" y="-50%" width="200%" height="200%"><feGaussianBlur stdDeviation="${deviation}"/></filter>`

/** Returns the path data of a smooth closed line around a center. */
export function blob(random: Random, [x, y]: Point, [rx, ry]: Point, wobble: number): string {
  const corners = 9
  const points = Array.from({ length: corners }, (_, index): Point => {
    const angle = (index / corners) * 2 * Math.PI
    const reach = 1 + (random.between(-100, 101) / 100) * wobble
    return [x + Math.cos(angle) * rx * reach, y + Math.sin(angle) * ry * reach]
  })
  return closedCurve(points)
}

/** Returns the path data of a closed curve that touches the middle of every side of a polygon. */
export function closedCurve(points: readonly Point[]): string {
  const middles = points.map((point, index) => middle(point, points[(index + 1) % points.length] ?? point))
  const [last = [0, 0]] = middles.slice(-1)
  const curves = points.map((point, index) => `Q${xy(point)} ${xy(middles[index] ?? point)}`)
  return `M${xy(last)}${curves.join('')}Z`
}

const middle = (a: Point, b: Point): Point => [Math.round((a[0] + b[0]) / 2), Math.round((a[1] + b[1]) / 2)]

/** Boards of wood across the whole picture, with grain and a knot here and there. */
export function boards(
  random: Random,
  { count, colours, gap }: { count: number; colours: readonly string[]; gap: string },
): string {
  const height = HEIGHT / count
  return (
    backdrop(gap) +
    times(count, (index) => {
      const top = index * height
      const grain = times(11, () => {
        const y = top + random.between(6, height - 6)
        const bend = () => random.between(-7, 8)
        return `<path d="M0 ${y}C300 ${y + bend()} 420 ${y + bend()} 640 ${y + bend()}S1000 ${y + bend()} 1200 ${y + bend()}" fill="none" stroke="#3b1a06" stroke-opacity="${random.between(5, 22) / 100}" stroke-width="${random.between(1, 4)}"/>`
      })
      const knot =
        random.between(0, 3) === 0 ? knotAt([random.between(80, WIDTH - 80), top + height / 2]) : ''
      const board = rectangle(0, top + 1.5, WIDTH, height - 3, `fill="${random.pick(colours)}"`)
      return board + grain + knot
    }) +
    '<linearGradient id="light" x2="1" y2="1"><stop stop-color="#fff3d6" stop-opacity="0.38"/><stop offset="0.55" stop-color="#fff3d6" stop-opacity="0"/><stop offset="1" stop-color="#1a0b02" stop-opacity="0.42"/></linearGradient>' +
    backdrop('url(#light)')
  )
}

const knotAt = ([x, y]: Point) =>
  times(
    4,
    (ring) =>
      `<ellipse cx="${x}" cy="${y}" rx="${26 - ring * 6}" ry="${15 - ring * 4}" fill="#4a2208" fill-opacity="${0.14 + ring * 0.1}"/>`,
  )
