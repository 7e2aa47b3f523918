import type { ReactNode } from 'react'
import { LIGHT } from '#contract/parts/colours.ts'
import { type Card, COVER_WIDTH, coverOf, HEIGHT, type Stop, WIDTH } from './card.ts'
import { box, contours, element, isRightToLeft, text, trail } from './elements.ts'

const MARGIN = 80
/** The margin beside a cover. */
const GUTTER = 50

/** Returns the element tree of a card. */
export function picture(card: Card): ReactNode {
  const width = coverOf(card) ? WIDTH - COVER_WIDTH : WIDTH
  const measure = width - MARGIN - (coverOf(card) ? GUTTER : MARGIN)
  return box(
    {
      width: WIDTH,
      height: HEIGHT,
      flexDirection: 'column',
      padding: `60px ${MARGIN}px`,
      background: LIGHT.surface,
      color: LIGHT.ink,
      fontFamily: 'Interface',
      position: 'relative',
    },
    card.kind !== 'site' && card.cover === null ? contours(card.projectId) : '',
    trail(stopsOf(card), width),
    mark(),
    ...words(card, measure),
  )
}

/** The picture of the site shows the trail of the logo: partly completed. */
const SITE_STOPS: Stop[] = [true, true, true, false, false].map((completed) => ({
  completed,
  current: false,
}))

const stopsOf = (card: Card) => (card.kind === 'site' ? SITE_STOPS : card.stops)

function mark(): ReactNode {
  const path = 'M7 26.5h9.5a5.25 5.25 0 0 0 0-10.5h-2a4.75 4.75 0 0 1 0-9.5H24'
  return box(
    { alignItems: 'center', gap: 14 },
    element(
      'svg',
      { width: 44, height: 44, viewBox: '0 0 32 32', fill: 'none' },
      element('path', { d: path, stroke: LIGHT.ink, 'stroke-width': 3, 'stroke-linecap': 'round' }),
      element('circle', { cx: 7, cy: 26.5, r: 3.75, fill: LIGHT.ink }),
      element('circle', { cx: 24.5, cy: 6.5, r: 5, fill: LIGHT.accent }),
    ),
    text('Milepost', 1, { fontSize: 30 }),
  )
}

function words(card: Card, measure: number): ReactNode[] {
  const isNarrow = coverOf(card) !== null
  if (card.kind === 'site')
    return [
      title('Track Your Journey, Celebrate Progress', 'A journal for the things that take months', measure),
      byline(['Write down what happens between the milestones, and share the story.'], measure),
    ]
  const [about, ...facts] =
    card.kind === 'project'
      ? ['Public Project', `By ${card.ownerName}`, ...(card.stops.length > 0 ? [reached(card)] : [])]
      : [card.projectTitle, `By ${card.ownerName}`, `Milestone: ${card.milestoneTitle}`]
  const below = isNarrow ? stacked : byline
  return [title(card.title, about, measure), below(facts, measure)]
}

function reached({ milestones, completed, progress }: Extract<Card, { kind: 'project' }>): string {
  return `${completed} of ${milestones} ${milestones === 1 ? 'milestone' : 'milestones'} completed, ${progress}%`
}

function title(words: string, above: string, measure: number): ReactNode {
  const length = [...words].length
  const size = (length > 90 ? 50 : length > 40 ? 60 : 74) * (measure < WIDTH / 2 + MARGIN ? 0.8 : 1)
  const align = isRightToLeft(words) ? 'flex-end' : 'flex-start'
  return box(
    { flexDirection: 'column', marginTop: 40, gap: 10, width: measure, alignItems: align },
    text(above, 1, { fontSize: 28, color: LIGHT.muted, maxWidth: measure }),
    text(words, length > 90 ? 3 : 2, {
      fontFamily: 'Reading',
      fontSize: size,
      lineHeight: 1.18,
      maxWidth: measure,
    }),
  )
}

const bylineStyle = { position: 'absolute', left: MARGIN, fontSize: 28 } as const

/** One or two facts below the trail, side by side. */
function byline([left = '', right]: string[], measure: number): ReactNode {
  return box(
    { ...bylineStyle, top: 540, width: measure, justifyContent: 'space-between' },
    text(left, 1, { maxWidth: right ? 470 : measure }),
    right ? text(right, 1, { maxWidth: 540, color: LIGHT.muted }) : '',
  )
}

/** Shows the facts below each other, if a cover leaves less room. */
function stacked([first = '', second]: string[], measure: number): ReactNode {
  return box(
    { ...bylineStyle, top: 520, width: measure, flexDirection: 'column', gap: 4 },
    text(first, 1, { maxWidth: measure }),
    second ? text(second, 1, { maxWidth: measure, fontSize: 24, color: LIGHT.muted }) : '',
  )
}
