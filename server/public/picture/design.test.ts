import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Card } from './card.ts'
import { picture } from './design.ts'
import { DESIGN } from './pictures.ts'

const stops = [
  { completed: true, current: false },
  { completed: false, current: true },
]
const cover = '0199f1f0-0000-7000-8000-000000000000'
const entry = {
  kind: 'entry' as const,
  title: 'First boards',
  projectTitle: 'A canoe',
  milestoneTitle: 'Lumber',
  ownerName: 'Ada',
  stops,
  projectId: 'a',
}
const cards: Card[] = [
  { kind: 'site' },
  {
    kind: 'project',
    title: 'A canoe',
    ownerName: 'Ada',
    progress: 50,
    stops,
    milestones: stops.length,
    completed: 1,
    cover: null,
    projectId: 'a',
  },
  {
    kind: 'project',
    title: 'قارب',
    ownerName: 'Ada',
    progress: 100,
    stops: [],
    milestones: 0,
    completed: 0,
    cover,
    projectId: 'a',
  },
  { ...entry, cover: null },
  { ...entry, cover },
]

// If it fails, increment DESIGN, or caches keep the pictures of the former design, and write both values here.
test('the design has a new number when a card is drawn differently', () => {
  const drawn = JSON.stringify(cards.map(picture))
  const hash = createHash('sha256').update(drawn).digest('hex').slice(0, 16)
  expect({ design: DESIGN, hash }).toEqual({ design: 5, hash: '79acf0ee9bc366d5' })
})
