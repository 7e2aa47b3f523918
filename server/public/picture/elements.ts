import type { ReactNode } from 'react'
import { LIGHT } from '#contract/parts/colours.ts'
import { CONTOUR_HEIGHT, CONTOUR_WIDTH, contoursOf } from '#contract/parts/contours.ts'
import { HEIGHT, type Stop, WIDTH } from './card.ts'

export type Style = Record<string, string | number>

/** Creates an element for satori. */
export function element(type: string, props: Record<string, unknown>, ...children: unknown[]): ReactNode {
  return { type, key: null, props: { ...props, children } } as ReactNode
}

export const box = (style: Style, ...children: unknown[]) =>
  element('div', { style: { display: 'flex', ...style } }, ...children)

/** The first letter determines the direction of the text. */
const firstLetter = /\p{L}/u
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u

export const isRightToLeft = (words: string) => rightToLeft.test(firstLetter.exec(words)?.[0] ?? '')

/** Control characters, for which fonts draw a box. */
const shapeless = /\p{Cc}+/gu
/** What chooses between the text and the emoji of a sign, of which the fonts have one. */
const variation = /[\ufe0e\ufe0f]/gu

/** A text that is truncated with an ellipsis after a number of lines. */
export function text(words: string, lines: number, style: Style): ReactNode {
  const direction = isRightToLeft(words) ? 'rtl' : 'ltr'
  const clamped = { display: 'block', lineClamp: lines, wordBreak: 'break-word', direction }
  return element(
    'div',
    { style: { ...clamped, ...style } },
    words.replace(shapeless, ' ').replace(variation, ''),
  )
}

/** The contour lines of a project, over the whole picture. */
export function contours(projectId: string): ReactNode {
  const { paths } = contoursOf(projectId)
  return element(
    'svg',
    {
      width: WIDTH,
      height: HEIGHT,
      viewBox: `0 0 ${CONTOUR_WIDTH} ${CONTOUR_HEIGHT}`,
      preserveAspectRatio: 'xMidYMid slice',
      style: { position: 'absolute', top: 0, left: 0 },
    },
    ...paths.map((d) =>
      element('path', { d, fill: 'none', stroke: LIGHT.line, 'stroke-width': 0.5, 'stroke-opacity': 0.7 }),
    ),
  )
}

/** The vertical position of the trail. It enters at the left and rises to the right, where a cover may hide its end. */
const TOP = 360
const TALL = 180
const FIRST = 110
/** The distance of the last milestone from the end. */
const LAST = 140

/** Returns the vertical position of the trail at a horizontal position. */
function heightAt(x: number): number {
  const way = x / WIDTH
  return 140 - 78 * way - 16 * Math.sin(way * Math.PI * 2)
}

function line(from: number, to: number): string {
  const steps = Math.max(2, Math.round((to - from) / 12))
  const points = Array.from({ length: steps + 1 }, (_, index) => from + ((to - from) * index) / steps)
  return points
    .map((x, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${heightAt(x).toFixed(1)}`)
    .join('')
}

/** The trail with its milestones: solid up to the last completed one, the current one in the accent color. */
export function trail(stops: Stop[], width: number): ReactNode {
  const last = width - LAST
  const places = stops.map((_, index) =>
    stops.length === 1 ? (FIRST + last) / 2 : FIRST + ((last - FIRST) * index) / (stops.length - 1),
  )
  const walked = stops.findLastIndex((stop) => stop.completed)
  const chosen = stops.findIndex((stop) => stop.current)
  const accent = chosen === -1 ? walked : chosen
  const until = places[walked] ?? 0
  const stroke = { fill: 'none', 'stroke-width': 5, 'stroke-linecap': 'round' }
  return element(
    'svg',
    {
      width: WIDTH,
      height: TALL,
      viewBox: `0 0 ${WIDTH} ${TALL}`,
      style: { position: 'absolute', top: TOP, left: 0 },
    },
    element('path', { ...stroke, d: line(until, WIDTH), stroke: LIGHT.line }),
    walked === -1 ? '' : element('path', { ...stroke, d: line(0, until), stroke: LIGHT.ink }),
    ...stops.map((stop, index) => marker(places[index] ?? 0, stop, index === accent)),
  )
}

function marker(x: number, stop: Stop, isAccent: boolean): ReactNode {
  const place = { cx: x.toFixed(1), cy: heightAt(x).toFixed(1) }
  if (isAccent)
    return element('circle', {
      ...place,
      r: 19,
      fill: LIGHT.accent,
      stroke: LIGHT.surface,
      'stroke-width': 6,
    })
  if (stop.completed)
    return element('circle', { ...place, r: 13, fill: LIGHT.ink, stroke: LIGHT.surface, 'stroke-width': 5 })
  return element('circle', { ...place, r: 11, fill: LIGHT.raised, stroke: LIGHT.muted, 'stroke-width': 4 })
}
