import type { Random } from '#scripts/demo/random.ts'
import {
  backdrop,
  blob,
  blur,
  boards,
  circle,
  glow,
  gradient,
  HEIGHT,
  line,
  rectangle,
  times,
  WIDTH,
} from './shapes.ts'

const CEDAR = ['#b9713a', '#a85f2c', '#c98a52', '#96511f', '#bf7c46', '#8a4a20'] as const
const BENCH = ['#c9a878', '#bf9c6b', '#d3b488', '#b8925f'] as const

/** Strips of cedar, with a rule and a pencil on them. */
function planks(random: Random): string {
  const turn = random.between(-16, 17)
  const ticks = times(31, (index) =>
    line(
      [24 + index * 24, 0],
      [24 + index * 24, index % 5 === 0 ? 34 : 18],
      'stroke="#3b2a10" stroke-width="2.5"',
    ),
  )
  const y = random.between(290, 430)
  return (
    blur('soft', 7) +
    boards(random, { count: random.between(7, 11), colours: CEDAR, gap: '#2a1206' }) +
    `<g transform="translate(230 ${y}) rotate(${turn} 380 40)">` +
    rectangle(8, 14, 770, 78, 'fill="#180a02" fill-opacity="0.55" filter="url(#soft)"') +
    rectangle(0, 0, 770, 78, 'rx="3" fill="#e6bd58"') +
    ticks +
    rectangle(0, 66, 770, 12, 'fill="#b98f33"') +
    '</g>' +
    `<g transform="translate(420 ${y + 150}) rotate(${-turn - 9})"><rect x="4" y="16" width="420" height="20" fill="#180a02" fill-opacity="0.5" filter="url(#soft)"/><rect width="380" height="22" rx="3" fill="#2c5f63"/><rect y="7" width="380" height="7" fill="#4d8a8c"/><path d="M380 0l46 11-46 11Z" fill="#e9cfa2"/><path d="M412 7.6l14 3.4-14 3.4Z" fill="#222"/></g>`
  )
}

/** A drawing of a hull on paper. */
function sketch(random: Random): string {
  const pencil = 'fill="none" stroke="#39414d" stroke-linecap="round"'
  const reach = random.between(225, 265)
  const stations = times(7, (index) => {
    const width = reach - index * 30
    const bottom = 600 - index * 17
    const curve = (side: number) =>
      `<path d="M600 ${bottom}C${600 + side * width * 0.8} ${bottom - 6} ${600 + side * width} ${470 - index * 6} ${600 + side * (width + 12)} ${230 - index * 7}" ${pencil} stroke-width="${index === 0 ? 4 : 2.2}"/>`
    return curve(1) + curve(-1)
  })
  const note = (x: number, y: number, text: string) =>
    `<text x="${x}" y="${y}" font-family="DejaVu Sans, sans-serif" font-style="italic" font-size="24" fill="#4a5361">${text}</text>`
  return (
    backdrop('#f3eee0') +
    times(41, (index) =>
      line([index * 30, 0], [index * 30, HEIGHT], 'stroke="#7fa3b8" stroke-opacity="0.25"'),
    ) +
    times(27, (index) =>
      line([0, index * 30], [WIDTH, index * 30], 'stroke="#7fa3b8" stroke-opacity="0.25"'),
    ) +
    line([600, 120], [600, 660], 'stroke="#b5451b" stroke-width="2" stroke-dasharray="18 8 4 8"') +
    line([220, 470], [980, 470], 'stroke="#3f7fa5" stroke-width="2.5"') +
    stations +
    `<path d="M${600 - reach - 12} 170H${600 + reach + 12}M${600 - reach - 12} 158v24M${600 + reach + 12} 158v24" ${pencil} stroke-width="2"/>` +
    note(548, 152, `${random.between(860, 921)} mm`) +
    note(996, 478, 'waterline') +
    note(250, 690, 'station 4, sheer and bilge') +
    `<path d="M250 704q120 14 330-4" ${pencil} stroke-width="2"/>` +
    `<g transform="translate(850 640) rotate(-28)"><rect x="5" y="9" width="330" height="18" fill="#000" fill-opacity="0.18"/><rect width="330" height="20" rx="3" fill="#c8862a"/><rect y="6" width="330" height="7" fill="#e6ad55"/><path d="M0 0l-40 10 40 10Z" fill="#ecd4a8"/><path d="M-28 7l-12 3 12 3Z" fill="#222"/></g>` +
    '<linearGradient id="lamp" x2="1" y2="1"><stop stop-color="#fff" stop-opacity="0.3"/><stop offset="1" stop-color="#6a4a20" stop-opacity="0.28"/></linearGradient>' +
    backdrop('url(#lamp)')
  )
}

/** An instrument with a needle. */
function dial(random: Random): string {
  const angle = random.between(-95, 96)
  const panel = random.pick([
    ['#39444a', '#1b2227'],
    ['#5a4a3a', '#2a2018'],
    ['#2f4a46', '#142624'],
  ] as const)
  const ticks = times(41, (index) => {
    const isLong = index % 5 === 0
    return `<path d="M600 ${isLong ? 172 : 160}V138" stroke="#24211c" stroke-width="${isLong ? 6 : 2.5}" transform="rotate(${-120 + index * 6} 600 400)"/>`
  })
  const numbers = times(9, (index) => {
    const turn = ((-120 + index * 30) * Math.PI) / 180
    const x = 600 + Math.sin(turn) * 200
    const y = 412 - Math.cos(turn) * 200
    return `<text x="${x}" y="${y}" font-family="DejaVu Sans, sans-serif" font-size="34" text-anchor="middle" fill="#24211c">${index * 5}</text>`
  })
  return (
    gradient('panel', ...panel) +
    glow('face', '#fbf6e6', '#efe6cb', '#cfc09a') +
    blur('soft', 16) +
    backdrop('url(#panel)') +
    times(160, (index) => line([0, index * 5], [WIDTH, index * 5], 'stroke="#fff" stroke-opacity="0.02"')) +
    times(4, (index) =>
      circle(
        index % 2 ? 1_130 : 70,
        index < 2 ? 70 : 730,
        22,
        'fill="#9a958a" stroke="#111" stroke-width="4"',
      ),
    ) +
    circle(612, 424, 330, 'fill="#000" fill-opacity="0.5" filter="url(#soft)"') +
    circle(600, 400, 330, 'fill="#c3b58e" stroke="#2c2618" stroke-width="6"') +
    circle(600, 400, 296, 'fill="url(#face)"') +
    `<path d="M600 138A262 262 0 0 1 827 269" fill="none" stroke="#b5451b" stroke-width="12" transform="rotate(60 600 400)"/>` +
    ticks +
    numbers +
    `<g transform="rotate(${angle} 600 400)"><path d="M592 440L600 160L608 440Z" fill="#b5451b"/></g>` +
    circle(600, 400, 26, 'fill="#2c2618"') +
    '<path d="M350 330A265 265 0 0 1 690 150C560 190 430 250 350 330Z" fill="#fff" fill-opacity="0.28"/>'
  )
}

/** A loaf on a bench. */
function loaf(random: Random): string {
  const x = random.between(520, 680)
  const flour = times(260, () =>
    circle(
      random.between(60, 1_140),
      random.between(60, 740),
      random.between(1, 4),
      'fill="#fffaf0" fill-opacity="0.55"',
    ),
  )
  const dust = times(150, () =>
    circle(
      x + random.between(-230, 231),
      390 + random.between(-170, 171),
      random.between(1, 5),
      'fill="#fff6e2" fill-opacity="0.5"',
    ),
  )
  const cut = (offset: number) =>
    `<path d="M${x + offset - 60} 250C${x + offset - 130} 350 ${x + offset - 120} 450 ${x + offset - 40} 550C${x + offset - 70} 450 ${x + offset - 80} 350 ${x + offset - 60} 250Z" fill="#f0d6a2" stroke="#6e3710" stroke-width="4"/>`
  return (
    boards(random, { count: 5, colours: BENCH, gap: '#6b4c26' }) +
    glow('crust', '#dc9a4c', '#b8682a', '#7a3c14', '#552608') +
    blur('soft', 22) +
    flour +
    `<path d="M0 560L420 800H0Z" fill="#e8e4da"/><path d="M0 620L310 800M0 690L190 800" stroke="#8c3a2b" stroke-width="12"/>` +
    `<ellipse cx="${x + 24}" cy="440" rx="330" ry="272" fill="#1c0d03" fill-opacity="0.6" filter="url(#soft)"/>` +
    `<path d="${blob(random, [x, 400], [350, 290], 0.02)}" fill="url(#crust)"/>` +
    dust +
    cut(-30) +
    cut(90) +
    cut(210)
  )
}

/** Bricks around a fire. */
function oven(random: Random): string {
  const brick = () => random.pick(['#9a4f35', '#a95c3e', '#8a432c', '#b56a4a', '#7c3d29'])
  const wall = times(11, (row) =>
    times(11, (column) =>
      rectangle(column * 124 - (row % 2) * 62 - 20, row * 76, 116, 68, `rx="4" fill="${brick()}"`),
    ),
  )
  const arch = times(
    17,
    (index) =>
      `<g transform="rotate(${-90 + index * 11.25} 600 560)">${rectangle(566, 140, 68, 128, `rx="4" fill="${brick()}" stroke="#3a2a22" stroke-width="5"`)}</g>`,
  )
  const flames = times(9, (index) => {
    const x = 430 + index * 42
    const height = random.between(110, 240)
    return `<path d="M${x - 38} 700C${x - 60} ${700 - height / 2} ${x - 6} ${720 - height} ${x} ${700 - height}C${x + 14} ${720 - height} ${x + 56} ${700 - height / 2} ${x + 36} 700Z" fill="${random.pick(['#ffb13c', '#ff8a1e', '#ffd977'])}" fill-opacity="0.75"/>`
  })
  return (
    glow('fire', '#ffcf6b', '#d9541c', '#3a1006') +
    blur('soft', 9) +
    backdrop('#4a3a32') +
    wall +
    arch +
    '<path d="M308 740V560A292 292 0 0 1 892 560V740Z" fill="#120705"/><path d="M322 740V560A278 278 0 0 1 878 560V740Z" fill="url(#fire)" fill-opacity="0.9"/>' +
    `<g filter="url(#soft)">${flames}</g>` +
    times(3, (index) =>
      rectangle(
        400 + index * 110,
        668 - (index % 2) * 18,
        210,
        40,
        `rx="20" fill="#2a140a" transform="rotate(${index * 9 - 9} 600 690)"`,
      ),
    ) +
    rectangle(0, 736, WIDTH, 64, 'fill="#6f6259"')
  )
}

/** A circuit board. */
function board(random: Random): string {
  const trace = () => {
    const x = random.between(80, 1_100)
    const y = random.between(80, 720)
    const run = random.between(60, 260)
    return `<path d="M${x} ${y}h${run}l40 40v${random.between(20, 160)}" fill="none" stroke="#8fbf7a" stroke-opacity="0.75" stroke-width="7" stroke-linejoin="round"/>${circle(x, y, 13, 'fill="#d9c179"')}${circle(x, y, 5, 'fill="#10241a"')}`
  }
  const chip = (x: number, y: number, pins: number) =>
    times(pins, (pin) => rectangle(x + 18 + pin * 36, y - 20, 14, 190, 'fill="#cfd3d4"')) +
    rectangle(x, y, pins * 36 + 14, 150, 'rx="6" fill="#1d1f22"') +
    circle(x + 26, y + 75, 11, 'fill="#3a3d42"') +
    `<text x="${x + 60}" y="${y + 88}" font-family="DejaVu Sans, sans-serif" font-size="30" fill="#b9bec4">NE${random.between(500, 700)}</text>`
  const resistor = (x: number, y: number) =>
    `<g transform="translate(${x} ${y}) rotate(${random.pick([0, 90])})"><path d="M-80 0H80" stroke="#d5d8d8" stroke-width="7"/><rect x="-48" y="-19" width="96" height="38" rx="17" fill="#d8bd8e"/>${times(4, (band) => rectangle(-34 + band * 20, -19, 9, 38, `fill="${random.pick(['#7a2a1a', '#222', '#c98a1b', '#2a5a8a', '#b5451b'])}"`))}</g>`
  return (
    gradient('mask', '#1f6a47', '#0f4630') +
    backdrop('url(#mask)') +
    times(26, trace) +
    chip(random.between(330, 420), random.between(180, 240), 8) +
    chip(random.between(690, 780), random.between(480, 540), 6) +
    times(7, (index) => resistor(130 + index * 160, index % 2 ? 640 : 120)) +
    circle(200, 420, 88, 'fill="#2a2f5a" stroke="#c9ccd6" stroke-width="9"') +
    circle(200, 420, 60, 'fill="#b9bdc8"') +
    '<path d="M140 420h120M200 360v120" stroke="#82879a" stroke-width="5"/>' +
    '<path d="M0 0H700L200 800H0Z" fill="#fff" fill-opacity="0.07"/>'
  )
}

/** Strings over a bridge. */
function strings(random: Random): string {
  const hole = (x: number, side: number) =>
    `<g transform="translate(${x} 400) scale(${side} 1)"><path d="M-20-210C40-250 62-170 26-90S-34 60 2 190" fill="none" stroke="#1a0803" stroke-width="26" stroke-linecap="round"/><circle cx="-14" cy="-196" r="28" fill="#1a0803"/><circle cx="10" cy="196" r="34" fill="#1a0803"/></g>`
  return (
    '<linearGradient id="belly" x2="1"><stop stop-color="#4a1d08"/><stop offset="0.3" stop-color="#a8541c"/><stop offset="0.55" stop-color="#d08136"/><stop offset="1" stop-color="#5a250b"/></linearGradient>' +
    blur('soft', 8) +
    backdrop('url(#belly)') +
    times(90, () => {
      const x = random.between(0, WIDTH)
      return line(
        [x, 0],
        [x + random.between(-14, 15), HEIGHT],
        `stroke="#2b0e02" stroke-opacity="${random.between(3, 15) / 100}" stroke-width="2"`,
      )
    }) +
    hole(300, 1) +
    hole(900, -1) +
    '<path d="M400 500C470 420 730 420 800 500L770 590H690C660 540 540 540 510 590H430Z" fill="#1c0a02" fill-opacity="0.5" filter="url(#soft)" transform="translate(12 16)"/><path d="M400 490C470 410 730 410 800 490L770 580H690C660 530 540 530 510 580H430Z" fill="#e2b878" stroke="#8a5a24" stroke-width="4"/>' +
    times(
      4,
      (index) =>
        line([548 + index * 36, 0], [498 + index * 68, 462], `stroke="#ece6d8" stroke-width="${7 - index}"`) +
        line(
          [498 + index * 68, 462],
          [528 + index * 48, HEIGHT],
          `stroke="#cfc8b8" stroke-width="${7 - index}"`,
        ),
    ) +
    `<g transform="rotate(${random.between(-11, 8)} 600 250)"><rect x="-60" y="262" width="1320" height="22" fill="#1c0a02" fill-opacity="0.4" filter="url(#soft)"/><rect x="-60" y="232" width="1320" height="15" fill="#4a2410"/><rect x="-60" y="252" width="1320" height="9" fill="#f2ecdc"/></g>`
  )
}

/** A page of music. */
function music(random: Random): string {
  const staff = (top: number) => {
    const notes = times(12, (index) => {
      const x = 190 + index * 76
      const y = top + random.between(0, 9) * 11
      return `<ellipse cx="${x}" cy="${y}" rx="16" ry="11.5" fill="#1d1a16" transform="rotate(-20 ${x} ${y})"/>${line([x + 14, y - 3], [x + 14, y - 78], 'stroke="#1d1a16" stroke-width="4"')}${index % 4 === 3 ? line([x + 44, top], [x + 44, top + 88], 'stroke="#1d1a16" stroke-width="3"') : ''}`
    })
    return (
      times(5, (index) =>
        line([90, top + index * 22], [1_110, top + index * 22], 'stroke="#3a352c" stroke-width="2.5"'),
      ) + notes
    )
  }
  const mark = random.between(260, 700)
  return (
    gradient('page', '#faf5e6', '#efe5c8') +
    backdrop('url(#page)') +
    times(4, (index) => staff(110 + index * 175)) +
    `<ellipse cx="${mark + 90}" cy="330" rx="170" ry="92" fill="none" stroke="#b5451b" stroke-width="6"/><text x="${mark}" y="236" font-family="DejaVu Sans, sans-serif" font-style="italic" font-size="36" fill="#b5451b">slower!</text>` +
    '<path d="M1200 0L820 0L1010 800H1200Z" fill="#4a3410" fill-opacity="0.14"/>'
  )
}

export const indoors = { planks, sketch, dial, loaf, oven, board, strings, music }
