import type { Random } from '#scripts/demo/random.ts'
import {
  backdrop,
  blob,
  blur,
  circle,
  glow,
  gradient,
  HEIGHT,
  line,
  type Point,
  polygon,
  rectangle,
  times,
  WIDTH,
  xy,
} from './shapes.ts'

/** A lake between hills, with a canoe on it. */
function lake(random: Random): string {
  const [sky, hills, water] = random.pick([
    [
      ['#2f4d7a', '#c98a7b', '#f6c98f'],
      ['#6d6585', '#4a4a68', '#262f45'],
      ['#d79c84', '#31425f', '#141e30'],
    ],
    [
      ['#7fb0d6', '#cfe3ee', '#f7efe0'],
      ['#8ba6b0', '#5d7f80', '#2f5048'],
      ['#bfd8e0', '#5d8b9c', '#1f4450'],
    ],
    [
      ['#b8c4c9', '#dfe3e0', '#f1ede3'],
      ['#a3afb1', '#75858a', '#4a5a5f'],
      ['#d5dad8', '#8b9da2', '#46585e'],
    ],
  ] as const)
  const horizon = random.between(400, 470)
  const sun: Point = [random.between(300, 900), horizon - random.between(40, 130)]
  const ridges = hills.map((colour, index) => ridge(random, horizon, 190 - index * 62, colour)).join('')
  const ripples = times(90, () => {
    const y = random.between(horizon + 6, HEIGHT)
    const near = (y - horizon) / (HEIGHT - horizon)
    return `<ellipse cx="${sun[0] + random.between(-90, 90) * (0.4 + near)}" cy="${y}" rx="${20 + 80 * near}" ry="${1 + 3 * near}" fill="#fff4dc" fill-opacity="${0.05 + random.between(0, 18) / 100}"/>`
  })
  return (
    gradient('sky', ...sky) +
    gradient('water', ...water) +
    glow('sun', '#fff6e0', '#ffe2ab00') +
    backdrop('url(#sky)') +
    circle(...sun, 230, 'fill="url(#sun)"') +
    circle(...sun, 34, 'fill="#fffaf0"') +
    ridges +
    rectangle(0, horizon, WIDTH, HEIGHT - horizon, 'fill="url(#water)"') +
    ripples +
    canoe([random.between(330, 620), horizon + random.between(120, 190)])
  )
}

function ridge(random: Random, horizon: number, height: number, colour: string): string {
  const tops = Array.from(
    { length: 25 },
    (_, index): Point => [index * 50, horizon - height * (0.45 + random.between(0, 55) / 100)],
  )
  const smooth = tops.map(([x, y], index): Point => [x, (y + (tops[index - 1]?.[1] ?? y)) / 2])
  return polygon([[0, horizon + 2], ...smooth, [WIDTH, horizon + 2]], `fill="${colour}"`)
}

const canoe = ([x, y]: Point) =>
  `<g transform="translate(${x} ${y})"><ellipse cx="190" cy="62" rx="210" ry="14" fill="#000" fill-opacity="0.28"/><path d="M0-6C30 44 80 58 190 58S350 44 380-6C330 22 270 26 190 26S50 22 0-6Z" fill="#a4501c"/><path d="M4 2C46 28 100 34 190 34S334 28 376 2" fill="none" stroke="#f0b878" stroke-width="5"/><path d="M20 22C70 46 120 48 190 48S310 46 360 22" fill="none" stroke="#6d2f0c" stroke-width="3"/></g>`

/** A map with heights, a river, a trail and places. */
function map(random: Random): string {
  const hills = times(5, () => {
    const centre: Point = [random.between(60, WIDTH - 60), random.between(60, HEIGHT - 60)]
    return times(6, (ring) => {
      const reach = 300 - ring * 46
      const outline = blob(random, centre, [reach, reach * 0.72], 0.07)
      return `<path d="${outline}" fill="#7f9a58" fill-opacity="0.1" stroke="#a9824c" stroke-opacity="0.55" stroke-width="${ring === 2 ? 3.5 : 1.6}"/>`
    })
  })
  const y = random.between(280, 520)
  const river = `M-20 ${y}C200 ${y - 160} 330 ${y + 170} 560 ${y + 40}S900 ${y - 190} 1220 ${y - 20}`
  const trail = `M120 ${HEIGHT - 90}C260 ${HEIGHT - 300} 460 ${HEIGHT - 160} 640 ${HEIGHT - 330}S900 240 1060 130`
  const pin = ([px, py]: Point, colour: string) =>
    `<g transform="translate(${px} ${py})"><ellipse cy="2" rx="14" ry="5" fill="#000" fill-opacity="0.3"/><path d="M0 0C-34-44-26-82 0-82S34-44 0 0Z" fill="${colour}" stroke="#fff" stroke-width="3"/><circle cy="-54" r="10" fill="#fff"/></g>`
  return (
    backdrop('#e9e6cf') +
    hills +
    times(13, (index) =>
      line(
        [index * 100, 0],
        [index * 100, HEIGHT],
        'stroke="#4b6a8a" stroke-opacity="0.16" stroke-width="1.5"',
      ),
    ) +
    times(9, (index) =>
      line(
        [0, index * 100],
        [WIDTH, index * 100],
        'stroke="#4b6a8a" stroke-opacity="0.16" stroke-width="1.5"',
      ),
    ) +
    `<path d="${river}" fill="none" stroke="#5f97bd" stroke-width="34"/><path d="${river}" fill="none" stroke="#9cc6de" stroke-width="26"/>` +
    `<path d="${trail}" fill="none" stroke="#b5451b" stroke-width="6" stroke-dasharray="18 12" stroke-linecap="round"/>` +
    pin([120, HEIGHT - 90], '#1f3a5c') +
    pin([640, HEIGHT - 330], '#d29a25') +
    pin([1060, 130], '#b5451b') +
    polygon(
      [
        [0, 0],
        [420, 0],
        [330, HEIGHT],
        [0, HEIGHT],
      ],
      'fill="#fff" fill-opacity="0.13"',
    ) +
    polygon(
      [
        [790, 0],
        [1200, 0],
        [1200, 800],
        [840, 800],
      ],
      'fill="#3a2a10" fill-opacity="0.08"',
    )
  )
}

/** Raised beds from above. */
function beds(random: Random): string {
  const leaf = random.deck(['#5f8f3a', '#7aa84a', '#47762f', '#93b75a', '#6a4a68', '#86a86a'])
  const grass = times(700, () => {
    const x = random.between(0, WIDTH)
    const y = random.between(0, HEIGHT)
    return `<path d="M${x} ${y}l${random.between(-6, 7)}-${random.between(6, 18)}" stroke="${random.pick(['#8ea757', '#5e7d36', '#a9bb6c'])}" stroke-width="2.5"/>`
  })
  const bed = (x: number, y: number) => {
    const colour = leaf()
    const plants = times(24, (index) => {
      const px = x + 52 + (index % 6) * 47 + random.between(-5, 6)
      const py = y + 46 + Math.floor(index / 6) * 62 + random.between(-5, 6)
      const size = random.between(13, 25)
      return (
        circle(px + 5, py + 7, size, 'fill="#1c0f05" fill-opacity="0.4"') +
        times(
          6,
          (turn) =>
            `<ellipse cx="${px}" cy="${py - size * 0.6}" rx="${size * 0.4}" ry="${size * 0.72}" fill="${colour}" stroke="#26401a" stroke-opacity="0.4" transform="rotate(${turn * 60 + random.between(-14, 15)} ${px} ${py})"/>`,
        )
      )
    })
    return (
      rectangle(x + 10, y + 14, 340, 310, 'rx="6" fill="#17210a" fill-opacity="0.45"') +
      rectangle(x, y, 340, 310, 'rx="6" fill="#b98a55"') +
      rectangle(x + 7, y + 7, 326, 296, 'rx="4" fill="none" stroke="#7d5427" stroke-width="3"') +
      rectangle(x + 16, y + 16, 308, 278, 'rx="3" fill="#3d2613"') +
      plants
    )
  }
  return (
    backdrop('#76934a') +
    grass +
    times(6, (index) => bed(50 + (index % 3) * 380, 50 + Math.floor(index / 3) * 380)) +
    polygon(
      [
        [0, 0],
        [520, 0],
        [0, 560],
      ],
      'fill="#fff2c4" fill-opacity="0.16"',
    )
  )
}

/** Floes on a river. */
function ice(random: Random): string {
  const columns = 9
  const rows = 6
  const corner = Array.from(
    { length: (columns + 1) * (rows + 1) },
    (_, index): Point => [
      ((index % (columns + 1)) - 0.5) * (WIDTH / (columns - 1)) + random.between(-48, 49),
      (Math.floor(index / (columns + 1)) - 0.5) * (HEIGHT / (rows - 1)) + random.between(-48, 49),
    ],
  )
  const at = (index: number): Point => corner[index] ?? [0, 0]
  const floe = (index: number) => {
    const first = index + Math.floor(index / columns)
    const points = [at(first), at(first + 1), at(first + columns + 2), at(first + columns + 1)]
    const cx = points.reduce((sum, [x]) => sum + x, 0) / 4
    const cy = points.reduce((sum, [, y]) => sum + y, 0) / 4
    const shrink = random.between(80, 96) / 100
    const inner = points.map(([x, y]): Point => [cx + (x - cx) * shrink, cy + (y - cy) * shrink])
    const shade = random.pick(['#dfeaf0', '#cfe0ea', '#edf3f5', '#b9d0de', '#e6eef2'])
    return (
      polygon(
        inner.map(([x, y]): Point => [x + 5, y + 9]),
        'fill="#041420" fill-opacity="0.45"',
      ) +
      polygon(inner, `fill="${shade}" stroke="#f8fcfd" stroke-width="3" stroke-linejoin="round"`) +
      `<path d="M${xy(inner[0] ?? [cx, cy])}Q${cx + random.between(-40, 41)},${cy} ${xy(inner[2] ?? [cx, cy])}" fill="none" stroke="#8fb2c6" stroke-opacity="0.5" stroke-width="2"/>`
    )
  }
  return (
    gradient('river', '#2f566b', '#12303f', '#0a1c27') +
    backdrop('url(#river)') +
    times(columns * rows, (index) => (random.between(0, 7) === 0 ? '' : floe(index))) +
    blur('soft', 40) +
    rectangle(0, 0, WIDTH, 190, 'fill="#f6e7d2" fill-opacity="0.5" filter="url(#soft)"')
  )
}

export const outdoors = { lake, map, beds, ice }
