/** The size of the drawing. */
export const CONTOUR_WIDTH = 480
export const CONTOUR_HEIGHT = 160
/** The number of tints between which an id chooses. */
export const CONTOUR_TINTS = 5

const CELL = 16
const COLUMNS = CONTOUR_WIDTH / CELL
const ROWS = CONTOUR_HEIGHT / CELL
const HILLS = 5
const LEVELS = 9

/** The contour lines of a landscape: a path for each height, the lowest first, and the number of a tint. */
type Contours = { paths: string[]; tint: number }

/** Drawing takes longer than the rest of a public page, so the latest drawings are kept: some 4 kB each. */
const drawn = new Map<string, Contours>()
const DRAWN_MAX = 500

/** Returns the contour lines of the landscape that belongs to an id. */
export function contoursOf(id: string): Contours {
  const known = drawn.get(id)
  if (known) return known
  if (drawn.size === DRAWN_MAX) drawn.clear()
  const contours = draw(id)
  drawn.set(id, contours)
  return contours
}

function draw(id: string): Contours {
  const random = randomOf(id)
  const tint = Math.floor(random() * CONTOUR_TINTS)
  const heights = heightsOf(random)
  const [low, high] = [Math.min(...heights.flat()), Math.max(...heights.flat())]
  const paths = Array.from({ length: LEVELS }, (_, level) =>
    pathAt(heights, low + ((high - low) * (level + 0.7)) / (LEVELS + 0.4)),
  )
  return { paths, tint }
}

/** Returns a generator of numbers from 0 to 1 that are the same for an id always (FNV-1a, then mulberry32). */
function randomOf(id: string): () => number {
  let state = 0x811c9dc5
  for (const character of id) state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The heights at the corners of the cells: some hills and hollows on a slope. */
function heightsOf(random: () => number): number[][] {
  const hills = Array.from({ length: HILLS }, (_, index) => ({
    x: ((index + random()) / HILLS) * CONTOUR_WIDTH,
    y: random() * CONTOUR_HEIGHT,
    width: 40 + random() * 60,
    height: (random() < 0.25 ? -0.7 : 1) * (0.5 + random()),
  }))
  const slope = random() - 0.5
  return Array.from({ length: ROWS + 1 }, (_, row) =>
    Array.from({ length: COLUMNS + 1 }, (_column, column) => {
      const heightOf = ({ x, y, width, height }: (typeof hills)[number]) =>
        height * Math.exp(-((column * CELL - x) ** 2 + (row * CELL - y) ** 2) / (2 * width ** 2))
      return hills.reduce((sum, hill) => sum + heightOf(hill), (slope * column) / COLUMNS)
    }),
  )
}

/** The tints by their hues in degrees: up to each of these, red, yellow, green, blue and red again. */
const HUES: readonly [upTo: number, tint: number][] = [
  [35, 3],
  [75, 4],
  [170, 2],
  [290, 1],
  [360, 3],
]
/** Below this share of color, a picture is gray. */
const SATURATION_MIN = 0.15

/** Returns the tint that is closest to a color, whose parts are from 0 to 255. */
export function tintOfColor({ r, g, b }: { r: number; g: number; b: number }): number {
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)]
  const range = most - least
  if (range <= SATURATION_MIN * most) return 0
  const sixth = most === r ? (g - b) / range : most === g ? (b - r) / range + 2 : (r - g) / range + 4
  const hue = (sixth * 60 + 360) % 360
  return HUES.find(([upTo]) => hue <= upTo)?.[1] ?? 0
}

type Point = { x: number; y: number }

/** Returns the path of all lines at a height, by marching squares. */
function pathAt(heights: number[][], level: number): string {
  const points = new Map<number, Point>()
  const beside = new Map<number, number[]>()
  const at = (row: number, column: number) => heights[row]?.[column] ?? 0

  /** Returns the number of the point at which the line crosses an edge; undefined unless it does. */
  function crossing(row: number, column: number, toRow: number, toColumn: number): number | undefined {
    const [from, to] = [at(row, column), at(toRow, toColumn)]
    if (from < level === to < level) return undefined
    const part = (level - from) / (to - from)
    const number = 2 * (row * (COLUMNS + 1) + column) + (toRow - row)
    points.set(number, {
      x: (column + part * (toColumn - column)) * CELL,
      y: (row + part * (toRow - row)) * CELL,
    })
    return number
  }

  function join(one: number, other: number) {
    const known = beside.get(one)
    if (known) known.push(other)
    else beside.set(one, [other])
  }

  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      const [right, below] = [column + 1, row + 1]
      const isLow = at(row, column) < level
      const isFlat =
        at(row, right) < level === isLow &&
        at(below, column) < level === isLow &&
        at(below, right) < level === isLow
      if (isFlat) continue
      const edges = [
        crossing(row, column, row, right),
        crossing(row, right, below, right),
        crossing(below, column, below, right),
        crossing(row, column, below, column),
      ].filter((number) => number !== undefined)
      // Four crossings are a saddle, of which any pairing of neighboring edges is right.
      for (let index = 0; index + 1 < edges.length; index += 2) {
        const [one = 0, other = 0] = edges.slice(index)
        join(one, other)
        join(other, one)
      }
    }
  }
  return linesOf(beside)
    .map((line) => smooth(line.map((number) => points.get(number) ?? { x: 0, y: 0 })))
    .join('')
}

/** Joins neighbors to lines: first those that end at the border, then closed ones. */
function linesOf(beside: ReadonlyMap<number, number[]>): number[][] {
  const isUsed = new Set<number>()
  const ends = [...beside].filter(([, others]) => others.length === 1)
  const lines: number[][] = []
  for (const [start] of [...ends, ...beside]) {
    const line: number[] = []
    let point: number | undefined = start
    while (point !== undefined && !isUsed.has(point)) {
      isUsed.add(point)
      line.push(point)
      point = beside.get(point)?.find((next) => !isUsed.has(next))
    }
    const isClosed = line.length > 2 && beside.get(line.at(-1) ?? 0)?.includes(start)
    if (line.length > 1) lines.push(isClosed ? [...line, start] : line)
  }
  return lines
}

/** A smooth path through the middles between points, in whole pixels. */
function smooth(line: Point[]): string {
  const whole = ({ x, y }: Point) => `${Math.round(x)} ${Math.round(y)}`
  const [start, ...rest] = line
  if (!start) return ''
  const middles = rest.slice(0, -1).map((point, index) => {
    const next = rest[index + 1] ?? point
    return `Q${whole(point)} ${whole({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`
  })
  return `M${whole(start)}${middles.join('')}L${whole(line.at(-1) ?? start)}`
}
