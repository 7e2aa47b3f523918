import type { Random } from './random.ts'
import type { Subject } from './subjects.ts'

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
