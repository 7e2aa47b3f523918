/** What a demo project is about: everything here is invented. */
export type Subject = {
  title: string
  description: string
  milestones: readonly (readonly [title: string, description: string])[]
  tags: readonly string[]
  things: readonly string[]
}

export const subjects: readonly Subject[] = [
  {
    title: 'A cedar-strip canoe for the lake',
    description:
      'Building a fifteen-foot canoe in the garage, one strip at a time, and learning to plane as I go.',
    milestones: [
      ['Plans and lumber', 'Choose a hull, loft the forms and find straight western red cedar.'],
      ['Forms and strongback', 'A straight spine for everything that follows.'],
      ['Stripping the hull', 'Bead and cove, glue and staples, from the waterline up.'],
      ['Fairing and glass', 'Plane, sand, sand again, then cloth and epoxy.'],
      ['Gunwales, seats and varnish', 'The parts that hands will touch.'],
      ['First water', 'Carry it to the lake and see what floats.'],
    ],
    tags: ['woodwork', 'epoxy', 'tools', 'hull', 'lesson'],
    things: [
      'the block plane',
      'a clamp made of inner tube',
      'the stem',
      'the third strip',
      'the sheer line',
    ],
  },
  {
    title: 'Bread for forty neighbours',
    description: 'From one jar of starter to a weekly bake for the whole street.',
    milestones: [
      ['A starter that survives', 'Feed it, name it, keep it alive for a month.'],
      ['One good loaf, ten times', 'The same loaf until it comes out the same.'],
      ['The oven in the yard', 'Brick, sand and a lot of patience.'],
      ['The first Saturday', 'Forty loaves, one table, no price list.'],
    ],
    tags: ['sourdough', 'oven', 'recipe', 'lesson', 'neighbours'],
    things: ['the rye starter', 'a hydration of 74 percent', 'the arch of the oven', 'the proofing baskets'],
  },
  {
    title: 'Thesis: ice on slow rivers',
    description: 'Three winters of measuring how thin ice forms, moves and breaks where the current is slow.',
    milestones: [
      ['Reading and questions', 'What is known, and the gap that is mine.'],
      ['Instruments', 'Thermistor chains that survive being frozen in.'],
      ['First winter', 'Everything that could go wrong, did so in January.'],
      ['Second winter', 'Data, at last.'],
      ['Writing up', 'Six chapters and a defence.'],
    ],
    tags: ['fieldwork', 'data', 'methods', 'writing', 'cold'],
    things: ['the thermistor chain', 'chapter two', 'the drift camera', 'the regression on ice age'],
  },
  {
    title: 'A radio that fits in a matchbox',
    description:
      'A receiver for the 40-metre band with as few parts as will do, and notes good enough to repeat it.',
    milestones: [
      ['Schematic', 'Direct conversion, one chip, one filter.'],
      ['Breadboard', 'Noise, hum and at last a voice.'],
      ['Board', 'Two layers, hand soldered.'],
      ['The matchbox', 'A case, a knob and a field day.'],
    ],
    tags: ['electronics', 'rf', 'schematic', 'soldering', 'field day'],
    things: ['the band-pass filter', 'the local oscillator', 'a stubborn hum', 'the ground plane'],
  },
  {
    title: 'The school garden',
    description: 'Twelve beds, two hundred children and one hose.',
    milestones: [
      ['Permission and soil', 'A sunny corner behind the gym, and what grows in it now.'],
      ['Beds', 'Larch boards, screws and a Saturday.'],
      ['Planting', 'Peas first; they forgive.'],
      ['Harvest table', 'Everybody eats something that they grew.'],
    ],
    tags: ['soil', 'planting', 'children', 'compost', 'harvest'],
    things: ['the third bed', 'a wheelbarrow of compost', 'the pea trellis', 'the watering rota'],
  },
  {
    title: 'Learning the cello at fifty',
    description: 'A teacher, half an hour a day, and one suite by Bach at the end of it.',
    milestones: [
      ['Open strings', 'A straight bow and a patient household.'],
      ['First position', 'Where the fingers live.'],
      ['Shifting', 'Leaving home and coming back in tune.'],
      ['The first prelude', 'All of it, slowly, from memory.'],
    ],
    tags: ['practice', 'bowing', 'intonation', 'bach', 'lesson'],
    things: ['the bow hold', 'a slow scale in G', 'bars 1 to 12', 'the metronome at 60'],
  },
]

/** An entry as somebody might write it: a title, Markdown and tags. */
export type DemoEntry = { title: string; content: string; tags: string[] }

const titles = [
  'What worked, and {thing}',
  'A whole day on {thing}',
  'Notes on {thing}',
  'Second try: {thing}',
  'I was wrong about {thing}',
  'Measured: {thing}',
  'Help with {thing}',
  'Why {thing} comes first',
]

const openings = [
  'Started early and had the place to myself until ten.',
  'Two hours between other things, which turned out to be enough.',
  'It rained, so this was a day for the details that I had put off.',
  'Last week’s plan lasted until the first quarter of an hour.',
  'Short note, mostly so that I remember the numbers.',
]

const middles = [
  'The trick was to stop forcing it: a lighter hand, a sharper edge, and checking against the drawing after *every* step.',
  'I had blamed the material. It was the order of the steps. Doing the **second** one first made the rest fall into place.',
  'Somebody who has done this for thirty years looked at it for ten seconds and pointed at the one thing that I had not considered.',
  'Nothing spectacular, but it is the first time that the result is the same twice in a row.',
  'I threw away an afternoon’s work. It hurt less than I expected, and the new one is better by any measure.',
]

const endings = [
  'Next time: less coffee, more patience.',
  'Tomorrow the part that I have been avoiding.',
  'A good day. I left everything clean, which is new.',
  'Still not sure about the last step; I will sleep on it.',
]

/** Writes one entry about the subject. */
export function writeEntry(subject: Subject, random: Random): DemoEntry {
  const thing = random.pick(subject.things)
  const parts = [
    random.pick(openings),
    random.pick(middles),
    random.pick([checklist, table, quote, code, threeViews])(subject, random),
    random.pick(middles),
    random.pick(endings),
  ]
  return {
    title: random.pick(titles).replace('{thing}', thing),
    content: parts.join('\n\n'),
    tags: random.some(subject.tags, random.between(1, 4)),
  }
}

function checklist(subject: Subject, random: Random): string {
  const items = random
    .some(subject.things, 3)
    .map((thing, index) => `- [${index === 0 ? 'x' : ' '}] look again at ${thing}`)
  return ['### Left to do', '', ...items].join('\n')
}

function table(_subject: Subject, random: Random): string {
  const rows = ['first', 'second', 'third'].map(
    (name) =>
      `| ${name} | ${random.between(12, 48)} min | ${random.between(1, 9)}.${random.between(0, 9)} mm |`,
  )
  return ['| Attempt | Time | Off by |', '|---|---|---|', ...rows].join('\n')
}

function quote(_subject: Subject, random: Random): string {
  return `> ${random.pick(['Measure once more than you think you need to.', 'Slow is smooth, and smooth is fast enough.', 'The mistake is always one step earlier than you look.'])}`
}

function code(_subject: Subject, random: Random): string {
  const values = Array.from({ length: 6 }, () => random.between(10, 99))
  return ['```', `day      ${random.between(1, 28)}`, `readings ${values.join(' ')}`, '```'].join('\n')
}

function threeViews(subject: Subject, random: Random): string {
  return `I wrote down how ${random.pick(subject.things)} looks from the left, from the right and from *far away*; the last one told me most.`
}

/** A small seeded generator (mulberry32), so that the same call fills the same demo. */
export type Random = {
  /** At least `from`, below `to`. */
  between(from: number, to: number): number
  pick<T>(list: readonly T[]): T
  some<T>(list: readonly T[], count: number): T[]
}

export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from))
  const pick = <T>(list: readonly T[]): T => {
    const picked = list[between(0, list.length)]
    if (picked === undefined) throw new Error('cannot pick from an empty list')
    return picked
  }
  const some = <T>(list: readonly T[], count: number): T[] =>
    list
      .map((item) => ({ item, key: next() }))
      .toSorted((a, b) => a.key - b.key)
      .slice(0, count)
      .map(({ item }) => item)
  return { between, pick, some }
}
