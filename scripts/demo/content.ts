import type { SceneName } from './pictures/draw.ts'
import type { Random } from './random.ts'

/** The subject of a demo project. Everything is invented. */
export type Subject = {
  title: string
  description: string
  milestones: readonly (readonly [title: string, description: string])[]
  tags: readonly string[]
  things: readonly string[]
  /** The scenes of its pictures, with their descriptions and captions. */
  views: readonly (readonly [scene: SceneName, alt: string, caption: string])[]
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
    views: [
      [
        'planks',
        'Cedar strips side by side, a rule and a pencil on them',
        'Sorted by colour, the darkest for the waterline',
      ],
      ['planks', 'Planed cedar in the light from the window', 'After the third pass with the plane'],
      ['planks', 'Two strips with a tight joint', 'The joint that took an afternoon'],
      ['lake', 'A canoe on a lake between hills', 'The lake, and somebody else’s canoe'],
      ['sketch', 'Sections of the hull drawn in pencil', 'Station 4, with the bilge a little softer'],
      ['map', 'A map with a river, a trail and three pins', 'Where it shall go in June'],
      ['dial', 'A gauge with its needle in the middle of the scale', 'Moisture of the wood: ready for epoxy'],
      ['lake', 'The lake in the evening, a canoe drifting', 'Six in the evening, no wind at all'],
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
    views: [
      [
        'loaf',
        'A dark round loaf with three cuts, on a floured table',
        'Number 31, the first without a flat side',
      ],
      ['oven', 'A brick oven with a fire in it', 'The first real fire'],
      ['dial', 'A thermometer in the oven door', 'Two hours after the fire'],
      ['loaf', 'A loaf from above', 'Rye, 74 percent water'],
      ['oven', 'Flames under the arch', 'Dry wood makes all the difference'],
      ['map', 'A map of the street and the river', 'Forty doors, one Saturday'],
    ],
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
    views: [
      ['ice', 'Floes on dark water, seen from above', 'From the bridge, the second of January'],
      ['dial', 'A gauge with its needle', 'The old gauge agrees with the new chain'],
      ['map', 'A map of the river with three stations', 'The three stations'],
      ['ice', 'Thin ice broken into plates', 'Four centimetres, and moving'],
      ['lake', 'The slow water above the weir', 'The slow water above the weir'],
      ['board', 'A circuit board with two chips', 'The logger, revision C'],
    ],
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
    views: [
      [
        'board',
        'A green circuit board with two chips and resistors',
        'Revision B, with the filter where it belongs',
      ],
      ['dial', 'A meter with its needle', 'Signal at noon'],
      ['map', 'A map with hills and a trail', 'Field day: the hill at the top right'],
      ['board', 'Traces and pads on a circuit board', 'Hand soldered, and it shows'],
      ['sketch', 'A drawing on squared paper', 'The case, before it shrank'],
      ['dial', 'A dial from 0 to 40', 'The tuning dial'],
    ],
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
    views: [
      ['beds', 'Six raised beds from above', 'Six of the twelve, in May'],
      ['planks', 'Larch boards with a rule', 'Larch, four metres each'],
      ['map', 'A plan with paths', 'Where the water is'],
      ['beds', 'Rows of lettuce and peas in raised beds', 'Class 3b and its lettuce'],
      ['sketch', 'A drawing in pencil', 'The trellis, as drawn by Mila'],
      ['beds', 'Green beds in the sun', 'Nobody forgot to water'],
    ],
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
    views: [
      ['strings', 'A bow over the strings of a cello', 'Near the bridge it sings, or screams'],
      ['music', 'A page of music with a mark in red', 'Bars 1 to 12'],
      ['dial', 'A metronome’s dial', 'Sixty, and not one more'],
      ['strings', 'The bridge of a cello', 'New strings'],
      ['music', 'Notes on a page', 'The left hand knows; the right does not yet'],
      ['strings', 'A cello from near', 'After the luthier'],
    ],
  },
]

/** A plausible entry: a title, Markdown and tags. */
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
  'The light was good until four, so I stayed until four.',
  'I had planned to do something else today.',
  'Third evening in a row, and the first one that felt easy.',
  'A neighbour came by with a question and left with a job.',
  'Everything was ready, except me.',
]

const middles = [
  'The trick was to stop forcing it: a lighter hand, a sharper edge, and checking against the drawing after *every* step.',
  'I had blamed the material. It was the order of the steps. Doing the **second** one first made the rest fall into place.',
  'Somebody who has done this for thirty years looked at it for ten seconds and pointed at the one thing that I had not considered.',
  'Nothing spectacular, but it is the first time that the result is the same twice in a row.',
  'I threw away an afternoon’s work. It hurt less than I expected, and the new one is better by any measure.',
  'I marked every piece before I moved it. It cost ten minutes and saved the evening.',
  'Two ways seemed equally good, so I tried both on scrap. They were **not** equally good.',
  'It looked wrong from the start, and I went on for an hour anyway. Now I stop at the first doubt.',
  'What the book calls *obvious* took me four attempts, and then it was.',
  'The difference is small enough that nobody else will see it. I see it every time.',
]

const endings = [
  'Next time: less coffee, more patience.',
  'Tomorrow the part that I have been avoiding.',
  'A good day. I left everything clean, which is new.',
  'Still not sure about the last step; I will sleep on it.',
]

/** Returns a function that writes an entry about the subject with each call, in varied phrases. */
export function entryWriter(subject: Subject, random: Random): () => DemoEntry {
  const headline = random.deck(
    titles.flatMap((title) => subject.things.map((thing) => [title, thing] as const)),
  )
  const opening = random.deck(openings)
  const middle = random.deck(middles)
  const ending = random.deck(endings)
  return () => {
    const [title, thing] = headline()
    const inset = random.pick([checklist, table, quote, code, threeViews])(subject, random)
    return {
      title: title.replace('{thing}', thing),
      content: [opening(), middle(), inset, middle(), ending()].join('\n\n'),
      tags: random.some(subject.tags, random.between(1, 4)),
    }
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
